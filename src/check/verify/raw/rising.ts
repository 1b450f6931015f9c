/** Searches in rising lists. The engines have similar ones; the verifier shares no code with them. */

type Rising = Float64Array | Uint32Array;

export const countUpTo = (rising: Rising, value: number): number => countWhile(rising, (one) => one <= value);
export const countBelow = (rising: Rising, value: number): number => countWhile(rising, (one) => one < value);

/** How many of the first values satisfy a condition that no later one satisfies again. */
function countWhile(rising: Rising, holds: (value: number) => boolean): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(rising[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
