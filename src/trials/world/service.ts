import {
  type LimitName,
  limitNames,
  type OperationId,
  type RateAlgorithm,
  type TargetProfile,
  TargetProfileSchema,
} from '../../api/index.ts';
import type { SandboxSettings } from '../../sandbox/index.ts';
import { type Draw, drawOf } from '../draw.ts';
import type { Focus, Knowledge } from './knowledge.ts';
import { drawDays, drawRate, drawSlots, usualCountings } from './limits.ts';

/** An honest service, and the words in which its profile tells the truth about it, or says that it does not know. */
export interface HonestService {
  readonly focus: Focus;
  readonly algorithm: RateAlgorithm;
  readonly settings: SandboxSettings;
  readonly profile: TargetProfile;
  /** Whether only turns in process hold slots, so that others wait for them. */
  readonly waits: boolean;
  /** What each limit truly is, whether the profile says so or not. */
  readonly truth: Truth;
  /** How long the limit in focus looks back, service µs. */
  readonly windowUs: number;
  /** Offset of the rate's windows, and how many requests each admits. */
  readonly rate: { readonly max: number; readonly windowUs: number; readonly phaseUs: number };
}

export interface Truth {
  /** Names of readings that describe the rate limit; none where the judge has no such reading. */
  readonly rate: {
    readonly readings: readonly string[];
    readonly scope: string;
    readonly counts: readonly OperationId[];
    readonly countsReplays: boolean;
  };
  readonly concurrency: { readonly readings: readonly string[]; readonly scope: string };
  readonly daily: { readonly readings: readonly string[]; readonly scope: string };
}

const DAY_US = 86_400e6;

export function drawService(scene: number, focus: Focus, knows: Knowledge): HonestService {
  const draw = drawOf(scene, 'service');
  const silence = drawOf(scene, 'silence');
  const rate = drawRate(draw, focus, knows);
  const waits = drawOf(scene, 'slot').chance(0.3);
  const concurrency = drawSlots(draw, focus, knows, waits);
  const daily = drawDays(draw, focus, knows);
  const order = draw.pick(orders);
  const settings = {
    seed: scene,
    tokenLifetime: '365d',
    limits: { order, rate: rate.settings, concurrency: concurrency.settings, daily: daily.settings },
    ...drawTurns(draw, focus),
  } as SandboxSettings;
  const declared = {
    rate: written(rate.declared, silence),
    concurrency: written(concurrency.declared, silence),
    daily: written(daily.declared, silence),
  };
  const windowUs = { rate: rate.windowUs, slots: 5e6, days: DAY_US, all: rate.windowUs }[focus];
  return {
    focus,
    algorithm: rate.algorithm,
    settings,
    profile: profileOf(declared, order, knows, silence),
    waits,
    truth: { rate: rate.truth, concurrency: concurrency.truth, daily: daily.truth },
    windowUs,
    rate,
  };
}

/** @param silence draws what the profile leaves out */
const profileOf = (limits: object, order: readonly LimitName[], knows: Knowledge, silence: Draw): TargetProfile =>
  TargetProfileSchema.parse({
    limits,
    limitOrder: order,
    errorCodes: codesIn(knows),
    history: {
      keptFor: '7d',
      ...(silence.chance(0.7) && { limitParameter: 'limit' }),
      ...(silence.chance(0.7) && { offsetParameter: 'offset' }),
    },
    idempotency: {
      ...(silence.chance(0.7) && { scope: 'conversation' }),
      ...(knows.draw.chance(0.7) && { sameTurn: true, otherContent: 'refused' }),
    },
  });

interface Declared {
  readonly scope: string;
  readonly scopeKnown?: boolean;
  readonly counts?: readonly OperationId[];
  readonly countsReplays?: boolean;
}

/** What a profile does not write is unknown, whatever it is: all but counting of few operations, which no reader would guess. */
function written({ scope, counts, countsReplays, ...rest }: Declared, silence: Draw) {
  const isWritten = (mustBe = false) => !silence.chance(0.3) || mustBe;
  const isUsual = counts === undefined || usualCountings.includes(counts);
  return {
    ...rest,
    ...(isWritten(rest.scopeKnown) && { scope }),
    ...(isWritten(!isUsual) && counts && { counts }),
    ...(isWritten() && countsReplays !== undefined && { countsReplays }),
  };
}

/** A profile that leaves the codes as they are by default need not be of a service that has them. */
const codesIn = ({ tells, knowsCodes, isRateNameless }: Knowledge) => {
  if (!tells) return { rate: [], concurrency: [], daily: [] };
  return { ...(knowsCodes && { known: true }), ...(isRateNameless && { otherBodies: 'rate' }) };
};

const orders: readonly (readonly LimitName[])[] = limitNames.flatMap((first) =>
  limitNames
    .filter((name) => name !== first)
    .map((second) => [first, second, ...limitNames.filter((name) => name !== first && name !== second)]),
);

/** How long turns take, and how many fail. */
function drawTurns(draw: Draw, focus: Focus) {
  const median = focus === 'slots' || focus === 'all' ? draw.pick([0.05, 1, 5]) : 0.5;
  const spread = (seconds: number) =>
    draw.chance(0.5)
      ? { distribution: 'constant', value: `${seconds}s` }
      : { distribution: 'lognormal', median: `${seconds}s`, p95: `${seconds * 4}s` };
  return {
    latency: { queued: spread(median / 4), processing: spread(median) },
    failureShare: draw.pick([0, 0, 0.3]),
  };
}
