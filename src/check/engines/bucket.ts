import type { WrongfulRefusalDraft } from '../certificates/draft.ts';
import { type Bounds, backUs } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import { countBelow, countedOf, countsItself, countUpTo } from './counted.ts';
import { countedSince, judgedRefusals } from './last-window.ts';

/** Tokens come back slightly later than the quotient says: a service that divides differently must not be accused at that very instant. */
const HAIR = 1e-9;

/** The most tokens that can have been missing when a refusal was decided. */
interface Missing {
  readonly position: number;
  readonly tokens: number;
}

/**
 * Everything that may have counted is spent as late as possible (at its end), tokens come back as slowly as possible, and never
 * more than all are missing: a sweep over the ends. If the bucket was not full at the start, all tokens count as missing until
 * the run has it alone. None is missing if none was spent since it was certainly full. Otherwise a bucket that keeps the instant at
 * which it will be full (GCRA) lacks more than was spent if its clock goes back, as it seems to on several nodes: by less than the
 * granularity, part of a token, so that of a burst of N the last one is refused; if it was set back, all until then. This also
 * holds for a bucket that refills at ticks: k of them come within k·W / N of any spending, so no more whole tokens are missing
 * than with continuous refill. Refusals in rising order of positions.
 */
function* missingTokens(slice: Slice, bounds: Bounds): Generator<Missing> {
  const { refusals, max, windowUs, longUs, slackUs, wasSet } = bounds;
  if (!refusals.provable) return;
  const counted = countedOf(slice, false);
  const { starts, ends } = counted;
  const perMicro = max / longUs;
  // The pause before the refusal may look shorter to the service by its clock's granularity, or negative: then the fastest bucket
  // lacks most.
  const unseen = slackUs * perMicro;
  const unseenAtOnce = (slackUs * max) / windowUs;
  const regained = (us: number) => Math.max(0, us * perMicro - HAIR);
  let missing = refusals.flushed ? 0 : max;
  let sinceFull = refusals.flushed ? 0 : Number.POSITIVE_INFINITY;
  const isFullAfter = (us: number) => missing + unseen <= regained(us);
  let at = Math.max(0, refusals.sinceUs);
  let next = 0;
  for (const position of judgedRefusals(slice, bounds)) {
    const from = slice.from[position] as number;
    for (; next < ends.length && (ends[next] as number) < from; next++) {
      const end = ends[next] as number;
      sinceFull = (isFullAfter(end - at) ? 0 : sinceFull) + 1;
      missing = Math.min(max, Math.max(0, missing - regained(end - at)) + 1);
      at = Math.max(at, end);
    }
    const now = Math.max(0, missing - regained(from - at));
    const itself = countsItself(slice, position, counted) ? 1 : 0;
    const present = countUpTo(starts, slice.to[position] as number) - next - itself;
    const spent = isFullAfter(from - at) ? 0 : sinceFull;
    const isAtOnce = present > 0 || from - at < backUs(bounds);
    const late = wasSet ? max : now + (isAtOnce ? unseenAtOnce : unseen);
    const before = spent + present > 0 ? late : 0;
    yield { position, tokens: before + present };
  }
}

/** Refusals at which a token must have been left. */
export function* unexplainedByBucket(slice: Slice, bounds: Bounds): Generator<number> {
  for (const { position, tokens } of missingTokens(slice, bounds)) if (tokens + 1 <= bounds.max) yield position;
}

export function bucketRefusal(
  slice: Slice,
  bounds: Bounds,
  refusal: number,
  rule: 'wrongful-refusal-token-bucket' | 'wrongful-refusal-interval-refill',
): WrongfulRefusalDraft {
  const missing = missingAt(slice, bounds, refusal);
  // Everything before a whole window without traffic is irrelevant: the bucket is full by then.
  const since = fullBefore(slice, bounds, refusal);
  return {
    rule,
    because: 'wrongful-refusal',
    refusal,
    lookBackUs: (slice.from[refusal] as number) - since,
    observed: Math.ceil(missing - HAIR),
    needed: bounds.max,
    positions: countedSince(slice, since, refusal, false),
  };
}

/** Infinite if the refusal is not one that is judged. */
function missingAt(slice: Slice, bounds: Bounds, refusal: number): number {
  for (const { position, tokens } of missingTokens(slice, bounds)) if (position === refusal) return tokens;
  return Number.POSITIVE_INFINITY;
}

/** The end of the last pause in which even an empty bucket filled up; −∞ if there was none. */
function fullBefore(slice: Slice, bounds: Bounds, refusal: number): number {
  const { ends } = countedOf(slice, false);
  let later = slice.from[refusal] as number;
  for (let i = countBelow(ends, later) - 1; i >= 0; i--) {
    const end = ends[i] as number;
    if (later - end >= bounds.longUs) return later;
    later = end;
  }
  return Number.NEGATIVE_INFINITY;
}
