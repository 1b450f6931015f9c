import { type Micros, microsFromMillis } from '../base/index.ts';
import type { MetricSeries } from '../collect/index.ts';
import type { MetricGate } from '../metrics/index.ts';
import { judgeReading } from './judge-reading.ts';

/**
 * The first gate that fails now and therefore ends the run; `undefined` if there is none. Undetermined gates do not end a run.
 * @param gates those with `abortOnFail`, in the order of the queries of `series`
 * @param now run time
 */
export function failingGate(gates: readonly MetricGate[], series: MetricSeries, now: Micros): MetricGate | undefined {
  return gates.find((gate, index) => {
    const { delayAbortEval, window } = gate.options;
    if (delayAbortEval !== undefined && now < microsFromMillis(delayAbortEval)) return false;
    const readings =
      window === undefined ? [series.reading(index)] : [...series.windows(index, now)].map(({ reading }) => reading);
    return readings.some((reading) => judgeReading(gate, reading).state === 'fail');
  });
}
