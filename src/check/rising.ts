/** So many moves per value, and another way of sorting is quicker. */
const MOVES = 16;

/**
 * A copy, rising. For values that nearly rise already, as ends of attempts do in the order of their records or beginnings: a
 * tenth of the time that sorting takes.
 */
export function risingCopy(values: Float64Array): Float64Array {
  const rising = values.slice();
  let moves = rising.length * MOVES;
  for (let i = 1; i < rising.length; i++) {
    const value = rising[i] as number;
    let at = i;
    for (; at > 0 && (rising[at - 1] as number) > value; at--) rising[at] = rising[at - 1] as number;
    rising[at] = value;
    moves -= i - at;
    if (moves < 0) return rising.sort();
  }
  return rising;
}
