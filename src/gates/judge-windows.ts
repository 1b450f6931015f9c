import { formatDuration, type Micros } from '../base/index.ts';
import type { WindowReading } from '../collect/index.ts';
import type { MetricGate } from '../metrics/index.ts';
import { judgeReading } from './judge-reading.ts';
import type { Judged, WindowsJudged } from './result.ts';

/** The result of a gate with windows, and counts of its windows. */
export interface WindowsVerdict {
  readonly judged: Judged;
  readonly windows: WindowsJudged;
}

const span = (us: number): string => formatDuration(us);

/**
 * Judges a gate in every window. It fails if any window fails. It passes if no window fails and the windows that can be judged have
 * at least half of the samples. Otherwise it is undetermined, so that one
 * busy window at the start does not pass a whole run.
 * @param windowUs length of a window
 */
export function judgeWindows(gate: MetricGate, windowUs: Micros, readings: Iterable<WindowReading>): WindowsVerdict {
  const { selector, expression } = gate;
  let judged = 0;
  let failed = 0;
  let tooFew = 0;
  let samplesJudged = 0;
  let samplesNotJudged = 0;
  let undecided: Judged | undefined;
  let passing: Judged | undefined;
  let first: { readonly at: WindowReading; readonly judged: Judged } | undefined;
  for (const at of readings) {
    const one = judgeReading(selector.metric, expression, at.reading);
    if (one.state === 'undetermined') {
      // The undetermined window with the most samples shows best how many are missing.
      if ((one.samples ?? 0) >= (undecided?.samples ?? 0)) undecided = one;
      samplesNotJudged += one.samples ?? 0;
      if ((one.samples ?? 0) > 0) tooFew++;
      continue;
    }
    judged++;
    samplesJudged += one.samples ?? 0;
    if (one.state === 'pass') passing = one;
    else {
      failed++;
      first ??= { at, judged: one };
    }
  }
  const windows = { lengthMs: windowUs / 1_000, judged, failed, tooFew };
  const length = `windows of ${span(windowUs)}`;
  if (first) {
    const { fromUs, toUs } = first.at;
    const because = `in ${failed} of ${judged} ${length}, first from ${span(fromUs)} to ${span(toUs)}: ${first.judged.because}`;
    return { judged: { ...first.judged, because }, windows: { ...windows, firstFailed: { fromUs, toUs } } };
  }
  const others = tooFew > 0 ? ` (${tooFew} more have too few samples)` : '';
  if (passing && samplesJudged >= samplesNotJudged) {
    const because =
      judged === 1
        ? `in 1 window of ${span(windowUs)}${others}, ${passing.because}`
        : `in all ${judged} ${length}${others}; in the last, ${passing.because}`;
    return { judged: { ...passing, because }, windows };
  }
  const which = passing ? `only ${judged} of the ${judged + tooFew}` : 'none of the';
  const because = undecided
    ? `${which} ${length} can be judged; the fullest${passing ? ' of the others' : ''}: ${undecided.because}`
    : `${selector.tags.stage === undefined ? 'the run' : `the stage ${selector.tags.stage}`} was measured for less than a window of ${span(windowUs)}`;
  return { judged: { ...(undecided ?? { samples: 0 }), state: 'undetermined', because }, windows };
}
