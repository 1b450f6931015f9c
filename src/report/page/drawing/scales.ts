import { durationText } from '../words.ts';
import type { ValueScale } from './time-picture.ts';

/** A logarithmic scale of durations, from a round value below the minimum to a little above the maximum. @param extent in µs */
export function decades(extent: () => readonly [number, number]): ValueScale {
  const bounds = (): [number, number] => {
    const [least, most] = extent();
    const decade = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    const low = [5, 2, 1, 0.5].map((step) => step * decade).find((step) => step <= least / 1.15) ?? decade / 2;
    return [low, Math.max(low * 10, most) * 1.5];
  };
  const ticks = () => {
    const [low, high] = bounds();
    const all = Array.from({ length: 12 }, (_, i) => 10 ** i).filter((tick) => tick >= low / 10 && tick <= high);
    const within = (ticks: readonly number[]) => ticks.filter((tick) => tick >= low && tick <= high);
    return within(all).length > 2 ? within(all) : within(all.flatMap((tick) => [tick, 2 * tick, 5 * tick]));
  };
  return {
    bounds,
    logarithmic: true,
    axis: { splits: ticks, filter: (_, splits) => splits, values: (_, splits) => splits.map(durationText) },
  };
}

/** A linear scale from 0 to a little above the maximum. */
export function fromZero(most: () => number, text: (value: number) => string): ValueScale {
  return {
    bounds: () => [0, Math.max(1e-9, most()) * 1.12],
    logarithmic: false,
    axis: { values: (_, splits) => splits.map(text) },
  };
}

/** Minimum and maximum of durations in µs; without values, a millisecond and a second. */
export function extent(values: readonly number[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most === 0 && least !== 0 ? [1_000, 1_000_000] : [least, most];
}
