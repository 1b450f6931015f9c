import { expect, it } from 'vitest';
import type { TargetProfile } from '../api/index.ts';
import { seededRandom } from '../base/index.ts';
import { judge, readingNames } from '../check/index.ts';
import type { Header, JournalRecord } from '../history/index.ts';
import { runs } from '../testing/share.ts';
import { historyOf } from './honest/try.ts';
import { worldOf } from './world/world.ts';

/*
 * Services that keep their limits, but not those that their profiles declare. So the judge has something to prove, and each of its
 * proofs has to hold for the verifier, whatever happened to the history: if one does not, the judge throws.
 */

const HISTORIES = runs(400);
/** A virtual day takes milliseconds; a loaded machine takes longer. */
const PATIENCE_MS = 600_000;

type Declared = Pick<Header, 'limits' | 'profile' | 'exclusive' | 'flushed'>;
type Declaration = (header: Header, seed: number) => Declared;

const scaledBy =
  (factor: number): Declaration =>
  (header) => ({ ...header, limits: scaled(header.limits, factor) });

const scaled = (limits: Header['limits'], factor: number): Header['limits'] => {
  const one = <Limit extends { max: number }>(limit: Limit): Limit => ({
    ...limit,
    max: Math.max(1, Math.ceil(limit.max * factor)),
  });
  return { rate: one(limits.rate), concurrency: one(limits.concurrency), daily: one(limits.daily) };
};

/** Everything that decides what is judged, drawn anew. */
function drawn({ limits, profile, ...header }: Header, seed: number): Declared {
  const random = seededRandom(seed, 'misdeclared');
  const among = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
  const perhaps = <Name extends string, Value>(name: Name, values: readonly Value[]): { [K in Name]?: Value } =>
    random.next() < 1 / 3 ? {} : ({ [name]: among(values) } as { [K in Name]?: Value });
  const flags = [true, false];
  const { rate, concurrency, daily } = (profile as TargetProfile).limits;
  const { scopeKnown: _, countsKnown: __, countsReplays: ___, ...plainRate } = rate;
  const declaredRate = {
    ...plainRate,
    scope: among(['application', 'user', 'token', 'conversation', 'address']),
    counts: among([rate.counts, ['sendMessage'], ['issueToken', 'readHistory', 'sendMessage', 'readTurn']]),
    ...perhaps('scopeKnown', flags),
    ...perhaps('countsKnown', flags),
    ...perhaps('countsReplays', flags),
    ...perhaps('countsInvalid', flags),
    ...perhaps('countsRefusedLater', flags),
  };
  const declaredSlots = {
    ...concurrency,
    scope: among(['application', 'user', 'token', 'conversation']),
    reading: among(['unknown', 'accepted-to-finished', 'processing-only']),
    scopeKnown: among(flags),
  };
  const declaredDays = {
    ...daily,
    scope: among(['application', 'user', 'token']),
    day: among(['unknown', 'utc', 'token-timezone', 'first-use', 'rolling']),
    scopeKnown: among(flags),
  };
  const scaledLimits = scaled(limits, among([0.5, 1, 2]));
  return {
    ...header,
    limits: { ...scaledLimits, rate: { ...scaledLimits.rate, reading: among(['unknown', ...readingNames('rate')]) } },
    profile: {
      ...(profile as TargetProfile),
      limits: { rate: declaredRate, concurrency: declaredSlots, daily: declaredDays },
      idempotency: {
        otherContent: among(['unknown', 'refused', 'ignored']),
        ...perhaps('sameTurn', [true]),
        ...perhaps('scope', ['conversation', 'user', 'application']),
      },
    },
    exclusive: true,
    flushed: { rate: true, concurrency: true, daily: true },
  };
}

/** Played once for all declarations, when the first of them asks. */
let played: readonly (readonly JournalRecord[])[] | undefined;
const histories = () => (played ??= Array.from({ length: HISTORIES }, (_, seed) => historyOf(worldOf(seed))));

/** Why limits are violated, and how often. */
function violations(declare: Declaration): Map<string, number> {
  const found = new Map<string, number>();
  for (const [seed, history] of histories().entries()) {
    const records = history.map(
      (record): JournalRecord => (record.kind === 'header' ? { ...record, ...declare(record, seed) } : record),
    );
    for (const one of judge(records, { infers: false }).limits)
      if (one.verdict === 'violated') found.set(one.because, (found.get(one.because) ?? 0) + 1);
  }
  return found;
}

interface Case {
  readonly what: string;
  readonly declare: Declaration;
  readonly proven: readonly string[];
  readonly untrue: readonly string[];
}

it.each<Case>([
  { what: 'twice as many', declare: scaledBy(2), proven: ['wrongful-refusal'], untrue: ['over-admission'] },
  { what: 'half as many', declare: scaledBy(0.5), proven: ['over-admission'], untrue: ['wrongful-refusal'] },
  { what: 'anything else', declare: drawn, proven: ['wrongful-refusal', 'over-admission'], untrue: [] },
])(
  'services that declare $what are convicted with proofs that hold, and of nothing that they cannot have done',
  ({ declare, proven, untrue }) => {
    const found = violations(declare);
    for (const because of proven) expect(found.get(because), because).toBeGreaterThan(0);
    for (const because of untrue) expect(found.get(because), because).toBeUndefined();
  },
  PATIENCE_MS,
);
