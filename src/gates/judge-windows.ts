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

/** The windows of one of the runs that are judged together. */
interface RunWindows {
  readonly runId: string;
  readonly windows: Iterable<WindowReading>;
}

/** A window, and which of the runs it is of. */
interface WindowOfRun extends WindowReading {
  readonly run: number;
}

interface FailedWindow {
  readonly at: WindowOfRun;
  readonly judged: Judged;
}

const span = (us: number): string => formatDuration(us);

/**
 * Judges a gate in every window. It fails if any window fails. It passes if no window fails and the windows that can be judged have
 * at least half of the samples. Otherwise it is undetermined, so that one
 * busy window at the start does not pass a whole run.
 * @param windowUs length of a window
 * @param runs the run itself, then those that are judged with it
 */
export function judgeWindows(gate: MetricGate, windowUs: Micros, runs: readonly RunWindows[]): WindowsVerdict {
  const { selector, expression } = gate;
  let judged = 0;
  let failed = 0;
  let tooFew = 0;
  let samplesJudged = 0;
  let samplesNotJudged = 0;
  let undecided: Judged | undefined;
  let passing: Judged | undefined;
  let first: FailedWindow | undefined;
  for (const at of runs.flatMap(windowsOf)) {
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
  if (first) return failedFirst(first, windows, runs);
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

const windowsOf = ({ windows }: RunWindows, run: number): WindowOfRun[] =>
  [...windows].map((window) => ({ ...window, run }));

/** @param windows counts of all windows */
function failedFirst(
  { at, judged }: FailedWindow,
  windows: WindowsJudged,
  runs: readonly RunWindows[],
): WindowsVerdict {
  const { fromUs, toUs, run } = at;
  const runId = runs.length > 1 ? runs[run]?.runId : undefined;
  const length = span(windows.lengthMs * 1_000);
  const many =
    windows.judged === 1
      ? `in the only window of ${length}${windows.tooFew > 0 ? ' with enough samples' : ''}, `
      : `in ${windows.failed} of ${windows.judged} windows of ${length}, first `;
  const which = runId === undefined ? '' : `in run ${run + 1} of ${runs.length}, `;
  return {
    judged: { ...judged, because: `${many}${which}from ${span(fromUs)} to ${span(toUs)}: ${judged.because}` },
    windows: { ...windows, firstFailed: { fromUs, toUs, ...(runId !== undefined && { runId }) } },
  };
}
