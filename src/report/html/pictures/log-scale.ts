/** A logarithmic scale of durations with ticks. */
export interface LogScale {
  /** Position of a duration in percent of the width, 0 to 100. */
  at(us: number): number;
  readonly ticks: readonly number[];
}

const MOST_TICKS = 7;

/**
 * A scale from a round duration at or below the minimum to one at or above the maximum.
 * @param durations microseconds; values below 1 count as 1
 */
export function logScale(durations: readonly number[]): LogScale {
  const least = durations.reduce((a, b) => Math.min(a, Math.max(1, b)), Number.POSITIVE_INFINITY);
  const greatest = durations.reduce((a, b) => Math.max(a, b), 1);
  const steps = stepsAround(Number.isFinite(least) ? least : 1, greatest);
  const [low, high] = [Math.log(steps[0] ?? 1), Math.log(steps.at(-1) ?? 10)];
  return {
    at: (us) => Number(((100 * (Math.log(Math.max(1, us)) - low)) / (high - low)).toFixed(2)),
    ticks: steps.length <= MOST_TICKS ? steps : decadesOf(steps),
  };
}

/** Values 1, 2, 5, 10, 20, 50, … from the last at or below `least` to the first at or above `greatest`; at least two. */
function stepsAround(least: number, greatest: number): number[] {
  const all = Array.from({ length: 39 }, (_, i) => ([1, 2, 5][i % 3] ?? 1) * 10 ** Math.floor(i / 3));
  const from = Math.max(
    0,
    all.findLastIndex((step) => step <= least),
  );
  const to = all.findIndex((step) => step >= greatest);
  return all.slice(from, Math.max(to < 0 ? all.length : to + 1, from + 2));
}

function decadesOf(steps: readonly number[]): number[] {
  const decades = steps.filter((step) => Number.isInteger(Math.log10(step)) || Math.abs(Math.log10(step) % 1) < 1e-9);
  const every = Math.ceil(decades.length / MOST_TICKS);
  return decades.filter((_, i) => i % every === 0);
}
