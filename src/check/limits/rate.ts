import { z } from 'zod';
import { namesNoOther, type OperationId, operationIds, usualProfile } from '../../api/index.ts';
import { boundsOf } from '../evidence/bounds.ts';
import { type Evidence, evidenceBefore, Replay } from '../evidence/evidence.ts';
import type { Slice } from '../evidence/slice.ts';
import { type LimitCase, type Variant, variant } from '../judging/limit-case.ts';
import { everyRate } from '../readings/every.ts';
import { rateReadings, readingNamed } from '../readings/index.ts';
import {
  type Counting,
  countingOf,
  extremesOf,
  type OtherCounting,
  possibleCountings,
  rateSlices,
  type SliceOptions,
} from './counting.ts';
import { type ScopeName, scopeNames } from './scope.ts';

const defaults = usualProfile().limits.rate;

/** What the header's profile says about the rate limit; an unreadable member gets its default alone. */
const DeclaredRate = z
  .object({
    limits: z.object({
      rate: z.object({
        scope: z.enum(['application', 'user', 'token', 'conversation', 'address']).catch(defaults.scope),
        scopeKnown: z.boolean().optional().catch(undefined),
        counts: z.array(z.enum(operationIds)).catch(defaults.counts),
        countsKnown: z.boolean().optional().catch(undefined),
        countsRefused: z.boolean().catch(defaults.countsRefused),
        countsReplays: z.boolean().optional().catch(undefined),
        countsInvalid: z.boolean().optional().catch(undefined),
        countsRefusedLater: z.boolean().optional().catch(undefined),
      }),
    }),
  })
  .catch({ limits: { rate: defaults } });

const widestFirst = [...scopeNames].reverse();

/** @param declared a reading to judge instead of the header's */
export function rateCase(evidence: Evidence, declared?: string): LimitCase<Slice> {
  const { header, timeline, complete } = evidence;
  const { max, windowUs } = header.limits.rate;
  const profile = DeclaredRate.parse(header.profile).limits.rate;
  const named = declared ?? header.limits.rate.reading;
  const reading = readingNamed(rateReadings, profile.countsRefused ? countingRefused(named) : named);
  const counting = countingOf(profile.counts, profile.countsReplays ?? true, othersIn(profile));
  const known = knownOf(profile, reading !== undefined);
  const slicesOf = sharedSlices(evidence);
  const asDeclared = slicesOf(profile.scope, counting);
  const common = {
    limit: 'rate',
    asDeclared,
    elsewhere: widestFirst.filter((scope) => scope !== profile.scope).map((scope) => slicesOf(scope, counting)),
    family: rateReadings,
    every: everyRate,
    before: (endUs: number) => rateCase(evidenceBefore(evidence, endUs), declared),
    bounds: boundsOf(header, timeline, { name: 'rate', max, windowUs }, complete),
  } as const;
  const declares = reading
    ? { ...common, declared: reading.name, readings: [reading] }
    : { ...common, declared: 'unknown', readings: rateReadings };
  if (reading && known.scope && known.operations && known.replays) return declares;
  const countings = possibleCountings(reading ? counting : { ...counting, others: {} }, known);
  const { narrowest, widest } = extremesOf(countings);
  const [least, most, scopes] = known.scope
    ? ([profile.scope, profile.scope, [profile.scope]] as const)
    : (['narrowest', 'address', scopeNames] as const);
  return {
    ...declares,
    unknown: {
      // No reading can have admitted too many of at most N attempts, and most of the smallest buckets have no more.
      narrowest: slicesOf(least, narrowest, { fewest: max + 1, mayCountMore: !known.operations }),
      widest: slicesOf(most, widest),
      mayBeFree: mayHaveLimitOfItsOwn(evidence, narrowest),
      others: scopes.flatMap((scope) => countings.map((counts) => slicesOf(scope, counts))),
    },
  };
}

/**
 * Whether a refused row need not count. Services mostly limit token requests by themselves, whatever they call it; of handshakes a
 * code that is the rate limit's alone says that they count.
 */
function mayHaveLimitOfItsOwn({ operation, unnamed, words }: Evidence, { operations }: Counting) {
  const isSure = operationIds.map((id) => operations.includes(id));
  const isToken = operationIds.map((id) => id === 'issueToken');
  const isOfRateAlone = words.errorCodes.rate.every((code) => namesNoOther(words, 'rate', code));
  return (row: number): boolean => {
    const id = operation[row] as number;
    return !isSure[id] && (isToken[id] === true || !isOfRateAlone || unnamed[row] === 1);
  };
}

type Profile = z.infer<typeof DeclaredRate>['limits']['rate'];

const othersIn = ({ countsInvalid, countsRefusedLater }: Profile): OtherCounting => ({
  invalid: countsInvalid,
  refusedLater: countsRefusedLater,
});

/** @param isNamed whether a reading is declared: then what the profile says beside it is certain, unless nobody wrote it */
const knownOf = ({ scopeKnown, countsKnown, countsReplays }: Profile, isNamed: boolean) => ({
  scope: scopeKnown ?? isNamed,
  operations: countsKnown ?? isNamed,
  replays: countsReplays !== undefined && (isNamed || countsKnown === true),
});

/**
 * Ways of counting that do not differ for anything sent share their slices: without a stream it does not matter whether
 * handshakes count.
 */
function sharedSlices(
  evidence: Evidence,
): (scope: ScopeName, counting: Counting, options?: SliceOptions) => Variant<Slice> {
  const seen = seenIn(evidence);
  const { max } = evidence.header.limits.rate;
  const shared = new Map<string, Variant<Slice>>();
  return (scope, counting, options = {}) => {
    const { operations, replays, others } = counting;
    const counted = operations.filter((id) => seen.operations.has(id));
    const key = JSON.stringify([scope, counted.toSorted(), replays || !seen.replays, others, options]);
    const known =
      shared.get(key) ??
      variant(scope, counting.name, () => rateSlices(evidence, scope, counting, { max, ...options }));
    shared.set(key, known);
    return { ...known, counts: counting.name };
  };
}

/** Which operations a history has, and whether any of its attempts may be a replay. */
function seenIn({ operation, replay }: Evidence) {
  const operations = new Set<OperationId | undefined>();
  const has = new Uint8Array(operationIds.length);
  let replays = false;
  for (let row = 0; row < operation.length; row++) {
    has[operation[row] as number] = 1;
    replays ||= replay[row] !== Replay.no;
  }
  for (let i = 0; i < has.length; i++) if (has[i] === 1) operations.add(operationIds[i]);
  return { operations, replays };
}

const countingRefused = (reading: string) => (reading === 'sliding-log' ? 'sliding-log-counting-refused' : reading);
