import type uPlot from 'uplot';

/** Space between labels and width of a character, in pixels. */
const GAP = 26;
const LETTER = 7;

/** Tick distances in seconds: 1, 2 and 5 times powers of ten; from 10 s on, divisors of minutes, hours and days. */
const steps: readonly number[] = [
  ...[-5, -4, -3, -2, -1].flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`))),
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * 3_600),
  ...[2, 5, 10, 20, 50, 100].map((days) => days * 86_400),
];

/**
 * Formats a tick. All ticks of an axis have the same unit, and as many decimals as the tick distance.
 * @param seconds run time
 * @param step tick distance in seconds
 */
export function instantOnAxis(seconds: number, step: number): string {
  if (step >= 3_600) return `${Math.round(seconds / 3_600)} h`;
  if (step >= 60) return `${Math.round(seconds / 60)} min`;
  return `${seconds.toFixed(decimalsOf(step))} s`;
}

const decimalsOf = (step: number): number => Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));

/** Minimum distance of ticks in pixels, so that the longest label fits. @param width of the plot in pixels */
export function spaceBetween(from: number, to: number, width: number): number {
  const least = ((to - from) * GAP * 2) / Math.max(1, width);
  const step = steps.find((one) => one >= least) ?? least;
  return GAP + LETTER * instantOnAxis(to, step).length;
}

/** A time axis with ticks at round instants. */
export const timeAxis: uPlot.Axis = {
  incrs: [...steps],
  space: (_, __, from, to, width) => spaceBetween(from, to, width),
  values: (_, splits, __, ___, step) => splits.map((at) => instantOnAxis(at, step)),
  size: 30,
};
