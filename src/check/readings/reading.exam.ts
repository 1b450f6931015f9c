import { type Random, seededRandom } from '../../base/index.ts';
import type { Draft } from '../certificates/draft.ts';
import { type Bounds, FLUSHED, unflushed } from '../evidence/bounds.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import type { Honest, MakeHonest } from './honest-limiters.exam.ts';
import { type Attempt, boundsFor, sliceOf } from './sample-attempts.exam.ts';

/**
 * Every reading of the rate limit must pass this exam: it never accuses an honest service, however late, early, lost or misdated
 * its answers are, and it agrees with an exhaustive search on small histories.
 */

/** Any refutation of the reading; `undefined` if it survives. */
export function refute(reading: Reading<Slice>, slice: Slice, bounds: Bounds): Draft | undefined {
  const over = reading.overAdmission(slice, bounds);
  if (over) return over;
  for (const position of reading.unexplained(slice, bounds))
    if (slice.part[position] === Part.refused) return reading.wrongfulRefusal(slice, bounds, position);
  return reading.inconsistent?.(slice, bounds);
}

/** Traffic against an honest service: what the client saw, and what a judge may assume. */
export interface HonestHistory {
  readonly slice: Slice;
  readonly bounds: Bounds;
}

/**
 * A random history: bursts and pauses around the limit, delays in both directions, a service clock that drifts and ticks
 * coarsely, lost answers, refusals by other limits, and possibly a window that is not empty at the start.
 */
export function honestHistory(make: MakeHonest, seed: number, name: string): HonestHistory {
  const random = seededRandom(seed, 'honest', name);
  const pick = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
  const max = pick([1, 2, 3, 5, 8, 20]);
  const windowUs = pick([1_000, 7_000, 60_000]);
  const driftPpm = pick([0, 0, 500, 20_000]);
  const tick = pick([1, 1, 1, windowUs / 50, windowUs / 10]);
  const speed = 1 + ((random.next() * 2 - 1) * driftPpm) / 1e6;
  const phase = random.integer(windowUs);
  // The service's clock: another zero, another speed, coarser ticks.
  const origin = pick([0, 1_000_000 + random.integer(windowUs)]);
  const clock = (t: number) => Math.floor((origin + t * speed) / tick) * tick;
  const limiter = make(max, windowUs, phase);
  const flushed = random.next() < 0.7;
  const start = flushed ? 0 : -3 * windowUs;
  const decisions = traffic(random, max, windowUs, start);
  let sinceUs = 0;
  const attempts = decisions.flatMap(({ at, early, late }) => {
    const attempt = attemptOf(limiter, clock(at), { from: at - early, to: at + late }, random);
    if (flushed || at - early >= 0) return attempt ? [{ ...attempt, from: Math.max(0, attempt.from) }] : [];
    // Requests sent before the run, which may be decided within it.
    sinceUs = Math.max(sinceUs, at);
    return [];
  });
  const drift = driftPpm / 1e6;
  const slackUs = tick > 1 ? tick : 0;
  const longUs = windowUs * (1 + 2 * drift) + slackUs;
  const bounds = boundsFor(max, windowUs, {
    shortUs: Math.max(0, windowUs * (1 - 2 * drift) - slackUs),
    longUs,
    drift: 2 * drift,
    slackUs,
    originUs: origin,
    phaseUncertaintyUs: 0,
    refusals: flushed ? FLUSHED : unflushed(sinceUs, longUs),
  });
  return { slice: sliceOf(attempts), bounds };
}

interface Decision {
  readonly at: number;
  readonly early: number;
  readonly late: number;
}

/** Instants of decision, rising, with the delays of request and answer. */
function traffic(random: Random, max: number, windowUs: number, start: number): Decision[] {
  const among = (values: readonly number[]): number => values[random.integer(values.length)] as number;
  const count = 5 + random.integer(6 * max + 20);
  const meanGap = (windowUs / max) * among([0.2, 0.5, 0.9, 1.1, 2]);
  const delay = windowUs * among([0, 0.001, 0.05, 0.4, 1.5]);
  const bursty = random.next() < 0.5;
  let at = start;
  return Array.from({ length: start < 0 ? count * 2 : count }, () => {
    const pause = bursty && random.next() < 0.8 ? 0 : -Math.log(1 - random.next()) * meanGap * (bursty ? 5 : 1);
    at += Math.round(random.next() < 0.03 ? windowUs * (0.9 + random.next() * 1.3) : pause);
    const stretch = () => Math.round(delay * random.next() * (random.next() < 0.1 ? 3 : 1));
    return { at, early: stretch(), late: stretch() };
  });
}

/** What the client sees of one attempt. */
function attemptOf(
  limiter: Honest,
  now: number,
  seen: { readonly from: number; readonly to: number },
  random: Random,
): Attempt | undefined {
  const fate = random.next();
  // The request was refused elsewhere before the limiter saw it, or never arrived: the client cannot distinguish this from having
  // counted.
  if (fate < 0.03) return { ...seen, part: Part.maybe };
  const admit = limiter.decide(now);
  if (fate < 0.06) return { ...seen, part: Part.maybe };
  if (fate < 0.08) return { ...seen, to: seen.to + 1e6, part: Part.maybe };
  // Admitted here, then refused by another limit whose code is not specific.
  if (fate < 0.1) return { ...seen, part: Part.ambiguous };
  if (!admit) return { ...seen, part: fate < 0.14 ? Part.ambiguous : Part.refused };
  return { ...seen, part: Part.admitted };
}

/**
 * Whether an honest limiter can have produced the observations; tries every order and every instant of a grid. Times in
 * `attempts` are whole units. If only admissions are seen, whole units suffice to find a schedule if there is one; with refusals,
 * comparisons are strict, and n attempts need n + 1 parts of a unit.
 * @param grid parts of a unit
 * @param phases in these parts
 */
export function feasible(
  make: MakeHonest,
  attempts: readonly Attempt[],
  max: number,
  windowUs: number,
  grid: number,
  phases: readonly number[] = [0],
): boolean {
  const scaled = attempts.map(({ from, to, part }) => ({ from: from * grid, to: to * grid, part }));
  return phases.some((phase) => {
    const limiter = make(max, windowUs * grid, phase);
    return place(limiter, scaled, (1 << scaled.length) - 1, Number.NEGATIVE_INFINITY);
  });
}

function place(limiter: Honest, attempts: readonly Attempt[], left: number, now: number): boolean {
  if (left === 0) return true;
  let deadline = Number.POSITIVE_INFINITY;
  attempts.forEach(({ to, part }, i) => {
    if ((left >> i) & 1 && part !== Part.maybe) deadline = Math.min(deadline, to);
  });
  return attempts.some((attempt, i) => {
    if (!((left >> i) & 1)) return false;
    const rest = left & ~(1 << i);
    // A `maybe` attempt may never have counted.
    if (attempt.part === Part.maybe && place(limiter, attempts, rest, now)) return true;
    const last = Math.min(attempt.to, deadline);
    for (let at = Math.max(now, attempt.from); at <= last; at++) {
      const next = limiter.copy();
      const admit = next.decide(at);
      const fits = attempt.part === Part.maybe || admit === (attempt.part === Part.admitted);
      if (fits && place(next, attempts, rest, at)) return true;
    }
    return false;
  });
}
