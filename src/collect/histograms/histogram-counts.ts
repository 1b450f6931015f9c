import type { JsHistogram } from 'hdr-histogram-js';

/**
 * Adds a histogram to one of the same range, bucket by bucket between its extremes. The library's own `add` visits all of the 31,744,
 * which took a tenth of a short run's CPU.
 * @param least a value that is not above any in it
 */
export function addCounts(from: JsHistogram, least: number, to: JsHistogram): void {
  const last = from.countsArrayIndex(from.maxValue);
  for (let index = from.countsArrayIndex(least); index < last; index++) {
    const count = from.getCountAtIndex(index);
    if (count > 0) to.recordValueWithCount(from.valueFromIndex(index), count);
  }
  to.recordValueWithCount(from.maxValue, from.getCountAtIndex(last));
}
