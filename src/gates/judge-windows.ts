import { formatCount, formatDuration, type Micros } from '../base/index.ts';
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
  readonly runId: string;
}

/**
 * Judges a gate in every window. It fails if any window fails. It is undetermined if one may fail, or pass, by the generator's own
 * delays. It passes if no window fails and the windows that can be judged have at least half of the samples. Otherwise it is undetermined, so that one busy window at the start does not pass a whole run.
 * @param windowUs length of a window
 * @param runs the run itself, then those that are judged with it
 */
export function judgeWindows(gate: MetricGate, windowUs: Micros, runs: readonly RunWindows[]): WindowsVerdict {
  const tally = tallyOf(gate, runs.flatMap(windowsOf));
  const { judged, failed, tooFew, firstFailed, firstDelayed, lastPassed, fullestUndecided } = tally;
  const windows = { lengthMs: windowUs / 1_000, judged, failed, tooFew };
  if (firstFailed) return failedFirst(firstFailed, windows, runs.length);
  if (firstDelayed) return { judged: { ...firstDelayed.judged, because: placed(firstDelayed, runs.length) }, windows };
  if (lastPassed && tally.samplesJudged >= tally.samplesNotJudged)
    return { judged: { ...lastPassed, because: whyPassed(tally, lastPassed, windowUs) }, windows };
  const because = whyUndetermined(gate, tally, windowUs);
  return { judged: { ...(fullestUndecided ?? { samples: 0 }), state: 'undetermined', because }, windows };
}

const windowsOf = ({ runId, windows }: RunWindows, run: number): WindowOfRun[] =>
  [...windows].map((window) => ({ ...window, run, runId }));

interface JudgedWindow {
  readonly at: WindowOfRun;
  readonly judged: Judged;
}

/** What the windows of a gate came to. */
interface Tally {
  judged: number;
  failed: number;
  tooFew: number;
  samplesJudged: number;
  samplesNotJudged: number;
  /** The undetermined window with the most samples shows best how many are missing. */
  fullestUndecided?: Judged;
  lastPassed?: Judged;
  firstFailed?: JudgedWindow;
  /** The first window whose result the generator's own delays may have made. */
  firstDelayed?: JudgedWindow;
}

function tallyOf(gate: MetricGate, windows: readonly WindowOfRun[]): Tally {
  const tally: Tally = { judged: 0, failed: 0, tooFew: 0, samplesJudged: 0, samplesNotJudged: 0 };
  for (const at of windows) {
    const one = judgeReading(gate, at.reading);
    const samples = one.samples ?? 0;
    if (isDelayed(one)) tally.firstDelayed ??= { at, judged: one };
    if (one.state === 'undetermined') {
      if (samples >= (tally.fullestUndecided?.samples ?? 0)) tally.fullestUndecided = one;
      tally.samplesNotJudged += samples;
      if (samples > 0) tally.tooFew++;
      continue;
    }
    tally.judged++;
    tally.samplesJudged += samples;
    if (one.state === 'pass') tally.lastPassed = one;
    else {
      tally.failed++;
      tally.firstFailed ??= { at, judged: one };
    }
  }
  return tally;
}

/** A number without a result although it has enough samples: `judgeReading` found that the generator may have made it. */
const isDelayed = ({ state, observed, needed }: Judged): boolean =>
  state === 'undetermined' && observed !== undefined && needed === undefined;

/**
 * @param windows counts of all windows
 * @param runs number of runs
 */
function failedFirst(failed: JudgedWindow, windows: WindowsJudged, runs: number): WindowsVerdict {
  const { at, judged } = failed;
  const { fromUs, toUs, runId } = at;
  const length = formatDuration(windows.lengthMs * 1_000);
  const many =
    windows.judged === 1
      ? `in the only window of ${length}${windows.tooFew > 0 ? ' with enough samples' : ''}, `
      : `in ${formatCount(windows.failed)} of ${formatCount(windows.judged)} windows of ${length}, first `;
  const because = `${many}${placed(failed, runs)}`;
  return {
    judged: { ...judged, because },
    windows: { ...windows, firstFailed: { fromUs, toUs, ...(runs > 1 && { runId }) } },
  };
}

function placed({ at: { fromUs, toUs, run }, judged }: JudgedWindow, runs: number): string {
  const which = runs === 1 ? '' : `in run ${run + 1} of ${runs}, `;
  return `${which}from ${formatDuration(fromUs)} to ${formatDuration(toUs)}: ${judged.because}`;
}

function whyPassed({ judged, tooFew }: Tally, last: Judged, windowUs: Micros): string {
  const length = formatDuration(windowUs);
  const others = tooFew > 0 ? ` (${formatCount(tooFew)} more have too few samples)` : '';
  return judged === 1
    ? `in 1 window of ${length}${others}, ${last.because}`
    : `in all ${formatCount(judged)} windows of ${length}${others}; in the last, ${last.because}`;
}

function whyUndetermined({ selector: { tags } }: MetricGate, tally: Tally, windowUs: Micros): string {
  const { judged, tooFew, lastPassed, fullestUndecided } = tally;
  const length = formatDuration(windowUs);
  if (!fullestUndecided) {
    const what = tags.stage === undefined ? 'the run' : `the stage ${tags.stage}`;
    return `no window of ${length} that ends at a whole second lies within what was measured of ${what}`;
  }
  const which = lastPassed ? `only ${formatCount(judged)} of the ${formatCount(judged + tooFew)}` : 'none of the';
  const fullest = lastPassed ? 'the fullest of the others' : 'the fullest';
  return `${which} windows of ${length} can be judged; ${fullest}: ${fullestUndecided.because}`;
}
