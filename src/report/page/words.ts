import type { MarkClass } from '../html/page-data.ts';

const count = new Intl.NumberFormat('en-US');
export const countText = (value: number): string => count.format(value);

/** Formats a duration: `812 µs`, `12.3 ms`, `3.40 s`, `2 min 5 s`. */
export function durationText(us: number): string {
  if (us < 1_000) return `${Math.round(us)} µs`;
  if (us < 1_000_000) return `${Number((us / 1_000).toPrecision(3))} ms`;
  if (us < 100_000_000) return `${(us / 1_000_000).toPrecision(3)} s`;
  const seconds = Math.round(us / 1_000_000);
  const parts = [`${Math.floor(seconds / 3_600)} h`, `${Math.floor(seconds / 60) % 60} min`, `${seconds % 60} s`];
  return parts.filter((part) => !part.startsWith('0 ')).join(' ');
}

/** Formats run time to the millisecond: `12.345 s`. */
export const instantText = (us: number): string => `${(us / 1_000_000).toFixed(3)} s`;

export const classWords: Readonly<Record<MarkClass, string>> = {
  success: 'succeeded',
  rate: 'refused: rate limit',
  concurrency: 'refused: concurrency limit',
  daily: 'refused: daily quota',
  unattributed: 'refused: names no limit',
  expected: 'expected error',
  error: 'other answer',
  failed: 'no answer',
  censored: 'client gave up waiting',
};
