import {
  algorithmOfReading,
  bearerOperationIds as bearer,
  type LimitName,
  limitNames,
  limitScopes,
  type OperationId,
  operationIds,
  type RateAlgorithm,
  rateAlgorithmNames,
  slidingCounterVariants,
  type TargetProfile,
  TargetProfileSchema,
} from '../../api/index.ts';
import { rateAlgorithms } from '../../api/limit-kinds.ts';
import { limitsWithReading, readingNames } from '../../check/index.ts';
import type { SandboxSettings } from '../../sandbox/index.ts';
import { type Draw, drawOf } from '../draw.ts';

/** What a world puts to the test: its numbers are small there, and out of reach elsewhere; in `all` they are small everywhere. */
export const focuses = ['rate', 'slots', 'days', 'all'] as const;
export type Focus = (typeof focuses)[number];

/** An honest service, and the words in which its profile tells the truth about it, or says that it does not know. */
export interface HonestService {
  readonly focus: Focus;
  readonly algorithm: RateAlgorithm;
  readonly settings: SandboxSettings;
  readonly profile: TargetProfile;
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
    readonly isScopeDeclared: boolean;
    readonly counts: readonly OperationId[];
    readonly countsReplays: boolean;
  };
  readonly concurrency: { readonly readings: readonly string[]; readonly scope: string };
  readonly daily: { readonly readings: readonly string[]; readonly scope: string };
}

const DAY_US = 86_400e6;
const MANY = 100_000;
const without = (ids: readonly OperationId[], left: OperationId) => ids.filter((id) => id !== left);
/** What "20 requests" may mean to the API's readers. */
const usualCountings: readonly (readonly OperationId[])[] = [
  bearer,
  bearer,
  without(bearer, 'openStream'),
  operationIds,
  without(operationIds, 'openStream'),
];
/** With two that a profile has to say. */
const countings: readonly (readonly OperationId[])[] = [
  ...usualCountings,
  ['sendMessage'],
  ['readHistory', 'sendMessage'],
];

/** What a profile knows of its service; where it does not know, it says so. */
export interface Knowledge {
  readonly draw: Draw;
  /** Whether it declares readings. */
  readonly declares: boolean;
  /** Whether it maps error codes to limits, and whether it says that each is used for one alone. */
  readonly tells: boolean;
  readonly knowsCodes: boolean;
}

export function drawService(scene: number, focus: Focus, knows: Knowledge): HonestService {
  const draw = drawOf(scene, 'service');
  const silence = drawOf(scene, 'silence');
  const rate = drawRate(draw, focus, knows);
  const concurrency = drawSlots(draw, focus, knows);
  const daily = drawDays(draw, focus, knows);
  const order = draw.pick(orders);
  const settings = {
    seed: scene,
    tokenLifetime: '365d',
    limits: { order, rate: rate.settings, concurrency: concurrency.settings, daily: daily.settings },
    ...drawTurns(draw, focus),
  } as SandboxSettings;
  const profile = TargetProfileSchema.parse({
    limits: {
      rate: written(rate.declared, silence),
      concurrency: written(concurrency.declared, silence),
      daily: written(daily.declared, silence),
    },
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
  const windowUs = { rate: rate.windowUs, slots: 5e6, days: DAY_US, all: rate.windowUs }[focus];
  return {
    focus,
    algorithm: rate.algorithm,
    settings,
    profile,
    truth: { rate: rate.truth, concurrency: concurrency.truth, daily: daily.truth },
    windowUs,
    rate,
  };
}

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
const codesIn = ({ tells, knowsCodes }: Knowledge) => {
  if (!tells) return { rate: [], concurrency: [], daily: [] };
  return knowsCodes ? { known: true } : {};
};

const orders: readonly (readonly LimitName[])[] = limitNames.flatMap((first) =>
  limitNames
    .filter((name) => name !== first)
    .map((second) => [first, second, ...limitNames.filter((name) => name !== first && name !== second)]),
);

function drawRate(draw: Draw, focus: Focus, { draw: knowing, declares }: Knowledge) {
  const algorithm = draw.pick(rateAlgorithmNames);
  const max = focus === 'rate' || focus === 'all' ? draw.pick([1, 2, 3, 5, 8, 20]) : MANY;
  const windowMs = draw.pick([1_000, 10_000, 60_000]);
  const parameters: readonly string[] = rateAlgorithms[algorithm];
  const phase = parameters.includes('phase') && draw.chance(0.6) ? draw.whole(0, windowMs - 1) : 0;
  const variant = draw.pick(slidingCounterVariants);
  const scope = draw.chance(0.4) ? 'application' : draw.pick(limitScopes);
  const countsReplays = draw.chance(0.7);
  const counts = focus === 'rate' ? draw.pick(countings) : bearer;
  const [countsInvalid, countsRefusedLater] = [draw.chance(0.7), draw.chance(0.5)];
  const readings = rateReadingsOf(algorithm, phase);
  const declared = declares && readings.length > 0 ? knowing.pick(readings) : 'unknown';
  // Where the reading is unknown, so may the scope be, and what is written of it need not be true.
  const isScopeDeclared = declared !== 'unknown' || knowing.chance(0.8);
  return {
    algorithm,
    max,
    windowUs: windowMs * 1_000,
    phaseUs: phase * 1_000,
    settings: {
      algorithm,
      max,
      window: `${windowMs}ms`,
      ...(phase > 0 && { phase: `${phase}ms` }),
      ...(parameters.includes('variant') && { variant }),
      scope,
      operations: counts,
      countsInvalid,
      countsReplays,
      countsRefusedLater,
    },
    declared: {
      max,
      window: `${windowMs}ms`,
      reading: declared,
      scope: isScopeDeclared ? scope : knowing.pick(limitScopes),
      counts,
      countsReplays,
      ...(isScopeDeclared && knowing.chance(0.5) && { scopeKnown: true }),
    },
    truth: { readings, scope, isScopeDeclared, counts, countsReplays },
  };
}

/** The judge's readings that describe an algorithm of the sandbox, by their own names and by the algorithm's. */
export function rateReadingsOf(algorithm: RateAlgorithm, phase: number): readonly string[] {
  const names = [algorithm, ...readingNames('rate').filter((name) => algorithmOfReading(name) === algorithm)];
  return [...new Set(names)].filter(
    (name) => limitsWithReading(name).includes('rate') && (phase === 0 || name !== 'fixed-window-aligned'),
  );
}

const slotScopes = ['application', 'application', 'user', 'token', 'conversation'] as const;

function drawSlots(draw: Draw, focus: Focus, { draw: knowing, declares }: Knowledge) {
  const max = focus === 'slots' || focus === 'all' ? draw.pick([1, 2, 2, 3]) : MANY;
  const scope = draw.pick(slotScopes);
  const lease = draw.chance(0.2);
  const reading = declares ? 'accepted-to-finished' : 'unknown';
  return {
    settings: {
      max,
      scope,
      retryAfter: draw.pick(['exact', 'absent'] as const),
      // Longer than any turn, so that it ends none.
      ...(lease && { algorithm: 'lease', ttl: '30d' }),
    },
    declared: {
      max,
      scope,
      reading,
      slot: 'accepted-to-finished',
      releaseGrace: knowing.pick(['0', '0', '500ms']),
      ...knownBy(knowing),
    },
    truth: { readings: ['accepted-to-finished'], scope },
  };
}

/** Whether a profile says that its scope, which is the true one, is known. */
const knownBy = (knowing: Draw) => (knowing.chance(0.5) ? { scopeKnown: true } : {});

const dayScopes = ['application', 'application', 'user', 'token'] as const;
const dayKinds = ['utc', 'token-timezone', 'first-use', 'rolling'] as const;

function drawDays(draw: Draw, focus: Focus, { draw: knowing, declares }: Knowledge) {
  const max = focus === 'days' || focus === 'all' ? draw.pick([1, 2, 3, 5, 12]) : MANY;
  const day = draw.pick(dayKinds);
  const scope = draw.pick(dayScopes);
  const countsRefusedLater = false;
  return {
    settings: { max, day, scope, countsRefusedLater },
    declared: { max, day: declares ? day : 'unknown', scope, ...knownBy(knowing) },
    truth: { readings: [day], scope },
  };
}

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
