import type { Micros } from '../../base/index.ts';

/**
 * Reference implementations of the limiters' decision rules: naive functions of the whole past, with big integers and without
 * state. Slow but obviously correct; the limiters are compared with them.
 */
export interface Attempt {
  readonly at: number;
  readonly admitted: boolean;
  /** When a held unit is released. */
  readonly until: number;
}

/** Whether a request at `now` is admitted, given all earlier attempts in chronological order. */
export type Rule = (past: readonly Attempt[], now: Micros, max: number) => boolean;

const admittedOf = (past: readonly Attempt[]) => past.filter(({ admitted }) => admitted);
const floorOf = (a: bigint, b: bigint) => (a - (((a % b) + b) % b)) / b;
const windowOf = (at: number, windowUs: number, phaseUs = 0) => floorOf(BigInt(at) - BigInt(phaseUs), BigInt(windowUs));

export const fixedWindowRule =
  (windowUs: number, phaseUs = 0): Rule =>
  (past, now, max) =>
    admittedOf(past).filter(({ at }) => windowOf(at, windowUs, phaseUs) === windowOf(now, windowUs, phaseUs)).length <
    max;

export const firstRequestRule =
  (windowUs: number): Rule =>
  (past, now, max) => {
    let [began, used] = [Number.NEGATIVE_INFINITY, 0];
    for (const { at } of admittedOf(past)) {
      if (at >= began + windowUs) [began, used] = [at, 0];
      used++;
    }
    return now >= began + windowUs || used < max;
  };

export const blockRule =
  (windowUs: number, blockUs: number): Rule =>
  (past, now, max) => {
    let [began, used, blockedUntil] = [Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY];
    const admits = (at: number) => {
      if (at < blockedUntil) return false;
      if (at >= began + windowUs || blockedUntil > began)
        [began, used, blockedUntil] = [at, 0, Number.NEGATIVE_INFINITY];
      if (used++ < max) return true;
      blockedUntil = Math.max(began + windowUs, at + blockUs);
      return false;
    };
    for (const { at } of past) admits(at);
    return admits(now);
  };

export const slidingLogRule =
  (windowUs: number): Rule =>
  (past, now, max) =>
    admittedOf(past).filter(({ at }) => at > now - windowUs).length < max;

export const attemptsRule =
  (windowUs: number): Rule =>
  (past, now, max) =>
    past.filter(({ at }) => at > now - windowUs).length < max;

/** The three comparisons as published. */
export const slidingCounterRule =
  (windowUs: number, variant: 'below' | 'at-most' | 'floored', phaseUs = 0): Rule =>
  (past, now, max) => {
    const w = BigInt(windowUs);
    const here = windowOf(now, windowUs, phaseUs);
    const countIn = (index: bigint) =>
      BigInt(admittedOf(past).filter(({ at }) => windowOf(at, windowUs, phaseUs) === index).length);
    const [previous, current, limit] = [countIn(here - 1n), countIn(here), BigInt(max)];
    const left = w - (BigInt(now) - BigInt(phaseUs) - here * w);
    if (variant === 'below') return previous * left + current * w < limit * w;
    if (variant === 'at-most') return previous * left + current * w + w <= limit * w;
    return floorOf(previous * left, w) + current < limit;
  };

export const tokenBucketRule =
  (windowUs: number, burst: (max: number) => number): Rule =>
  (past, now, max) => {
    const [token, capacity] = [BigInt(windowUs), BigInt(burst(max)) * BigInt(windowUs)];
    let [tokens, last] = [capacity, 0n];
    const refill = (at: number) => {
      const filled = tokens + (BigInt(at) - last) * BigInt(max);
      [tokens, last] = [filled < capacity ? filled : capacity, BigInt(at)];
    };
    for (const { at } of admittedOf(past)) {
      refill(at);
      tokens -= token;
    }
    refill(now);
    return tokens >= token;
  };

/** `amount` tokens at each tick. @param tickOf number of the last tick at or before an instant */
export const intervalRule =
  (
    tickOf: (at: number, max: number) => bigint,
    amount: (max: number) => number,
    burst: (max: number) => number,
  ): Rule =>
  (past, now, max) => {
    const capacity = BigInt(burst(max));
    let [tokens, last] = [capacity, 0n];
    const refill = (at: number) => {
      const tick = tickOf(at, max);
      const filled = tokens + (tick - last) * BigInt(amount(max));
      [tokens, last] = [filled < capacity ? filled : capacity, tick];
    };
    for (const { at } of admittedOf(past)) {
      refill(at);
      tokens -= 1n;
    }
    refill(now);
    return tokens >= 1n;
  };
export const tickOfSpacing =
  (windowUs: number, phaseUs = 0) =>
  (at: number, max: number) =>
    floorOf((BigInt(at) - BigInt(phaseUs)) * BigInt(max), BigInt(windowUs));
export const tickOfWindow =
  (windowUs: number, phaseUs = 0) =>
  (at: number) =>
    windowOf(at, windowUs, phaseUs);

/** t ≥ TAT − τ, with all times multiplied by N. */
export const gcraRule =
  (windowUs: number, burst: (max: number) => number): Rule =>
  (past, now, max) =>
    BigInt(now) * BigInt(max) >=
    arrivalTime(admittedOf(past), windowUs, max) - BigInt(burst(max) - 1) * BigInt(windowUs);

/** The theoretical arrival time after these admissions, multiplied by N. */
function arrivalTime(admitted: readonly { readonly at: number }[], windowUs: number, max: number): bigint {
  let tat = 0n;
  for (const { at } of admitted) {
    const scaled = BigInt(at) * BigInt(max);
    tat = (scaled > tat ? scaled : tat) + BigInt(windowUs);
  }
  return tat;
}

export const holdersRule =
  (ttlUs = Number.POSITIVE_INFINITY): Rule =>
  (past, now, max) =>
    admittedOf(past).filter(({ at, until }) => Math.min(until, at + ttlUs) > now).length < max;

/** Days according to the platform's date formatter. */
export const localDayRule =
  (zone: string): Rule =>
  (past, now, max) => {
    const dayOf = (at: number) => new Date(Math.floor(at / 1_000)).toLocaleDateString('sv-SE', { timeZone: zone });
    return admittedOf(past).filter(({ at }) => dayOf(at) === dayOf(now)).length < max;
  };
