import { type Micros, microsFromMillis } from '../base/index.ts';
import type { MetricSeries, Reading } from '../collect/index.ts';
import type { MetricGate } from '../metrics/index.ts';
import { holds, wantsLow } from './compare-number.ts';
import { judgeReading } from './judge-reading.ts';

/**
 * The first gate that fails now and therefore ends the run; `undefined` if there is none. Undetermined gates do not end a run.
 * @param gates those with `abortOnFail`, in the order of the queries of `series`
 * @param now run time up to which records were added to `series`
 */
export function failingGate(gates: readonly MetricGate[], series: MetricSeries, now: Micros): MetricGate | undefined {
  return gates.find((gate, index) => {
    const { delayAbortEval, window } = gate.options;
    if (delayAbortEval !== undefined && now < microsFromMillis(delayAbortEval)) return false;
    const readings =
      window === undefined ? [series.reading(index)] : [...series.windows(index, now)].map(({ reading }) => reading);
    return readings.some((reading) => endsRun(gate, reading) && endsRun(gate, earliestOf(reading)));
  });
}

/** What the generator itself may have added to times ends no run. */
const earliestOf = (reading: Reading): Reading =>
  reading.type === 'trend' && reading.earliest ? { type: 'trend', samples: reading.earliest.samples } : reading;

/**
 * Whether a gate fails so that more samples need not be awaited. A bound is wide at first, also of a service that will pass: it ends
 * the run only if the bound at the other end fails, too. A failed window fails the gate, whatever follows.
 */
function endsRun(gate: MetricGate, reading: Reading): boolean {
  const { state, bounds } = judgeReading(gate, reading);
  const { bound, operator, threshold } = gate.expression;
  if (state !== 'fail') return false;
  if (!bound || gate.options.window !== undefined) return true;
  const best = wantsLow(operator) ? bounds?.low : bounds?.high;
  return best !== undefined && !holds(best, operator, threshold);
}
