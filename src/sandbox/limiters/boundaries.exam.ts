import { expect, it } from 'vitest';
import { type Micros, microsFromSeconds } from '../../base/index.ts';
import type { Limiter } from './index.ts';
import { decide } from './limiter.exam.ts';

/** Noon, which is also the start of a minute. */
export const noon = Date.UTC(2026, 10, 21, 12) * 1_000;
/** One microsecond, in seconds. */
export const us = 0.000_001;
const at = (seconds: number) => (noon + Math.round(seconds * 1_000_000)) as Micros;
const secondsOf = (instant: number) => (instant - noon) / 1_000_000;

/** `2 left` (after this one), `1 left after 20 s` of delay, or `until 60 s` (refused, and when to retry). */
export function told(limiter: Limiter, seconds: number, heldUntil = seconds): string {
  const decision = decide(limiter, { key: 'a', now: at(seconds), heldUntil: at(heldUntil) });
  if (!decision.admitted) return `until ${secondsOf(decision.retryAtUs)} s`;
  const delay = decision.delayUs === undefined ? '' : ` after ${decision.delayUs / 1_000_000} s`;
  return `${decision.remaining} left${delay}`;
}

export const three = { max: 3, windowUs: microsFromSeconds(60) };
export const phaseUs = microsFromSeconds(17);

export type Row = readonly [seconds: number, expected: string];

/** Each row is one request, in seconds after noon. */
export type Tables = Readonly<Record<string, { readonly limiter: () => Limiter; readonly rows: readonly Row[] }>>;

export function examTables(tables: Tables): void {
  for (const [name, { limiter, rows }] of Object.entries(tables)) {
    it(`${name}: as worked out by hand`, () => {
      const tried = limiter();
      expect(rows.map(([seconds]) => [seconds, told(tried, seconds)])).toEqual(rows);
    });
  }
}
