import { microsFromMillis } from '../base/index.ts';
import type { LimitVerdict } from '../check/index.ts';
import { type MetricSeries, pooled } from '../collect/index.ts';
import {
  type Gate,
  gateDemand,
  gateName,
  type MetricGate,
  printGate,
  printWindowedGate,
  type ReadGates,
} from '../metrics/index.ts';
import { judgeLimit } from './judge-limit.ts';
import { judgeReading } from './judge-reading.ts';
import { judgeWindows } from './judge-windows.ts';
import {
  GATES_FORMAT,
  GATES_VERSION,
  type GateResult,
  type GatesDocument,
  type Judged,
  type WindowsJudged,
} from './result.ts';

/** One of the runs that are judged together. */
export interface RunToJudge {
  /** Has the queries of `gateQueries`, in the order of the metric gates, and was fed the whole run. */
  readonly series: MetricSeries;
  readonly limits: readonly LimitVerdict[];
  /** The gate that ended this run, as the journal's end names it; absent if none did. */
  readonly stoppedBy?: string;
}

type WithWindows = Judged & { readonly windows?: WindowsJudged };

/**
 * Judges gates over one or more runs. Samples of all runs are pooled, gauges are the maximum over the runs, and a limit that is
 * violated in any run is violated.
 * @param runs at least one
 */
export function judgeGates({ gates, unreadable }: ReadGates, runs: readonly RunToJudge[]): GatesDocument {
  const metricGates = gates.filter((gate) => gate.kind === 'metric');
  const stopping = new Set(runs.flatMap(({ stoppedBy }) => gatesThatStopped(gates, stoppedBy)));
  const results = gates.map((gate): GateResult => {
    const judged =
      gate.kind === 'limit'
        ? judgeLimit(
            gate,
            runs.map(({ limits }) => limits),
          )
        : judgeMetric(
            gate,
            metricGates.indexOf(gate),
            runs.map(({ series }) => series),
          );
    return resultOf(gate, judged, stopping.has(gate));
  });
  const unread = unreadable.map(
    ({ name, demand }): GateResult => ({
      metric: name,
      expression: demand,
      state: 'undetermined',
      because: 'this version cannot read this gate',
      failsRun: true,
    }),
  );
  const all = [...results, ...unread];
  const facts = runs.map(({ series }) => series.facts());
  return {
    format: GATES_FORMAT,
    version: GATES_VERSION,
    runs: facts.map(({ runId }) => runId),
    complete: facts.every(({ complete }) => complete),
    passed: all.every(({ failsRun }) => !failsRun),
    gates: all,
  };
}

/** Gates may have one requirement and differ in their windows and in abortOnFail. */
function gatesThatStopped(gates: readonly Gate[], stoppedBy: string | undefined): readonly Gate[] {
  const able = gates.filter(({ options }) => options.abortOnFail);
  const exact = able.filter((gate) => printWindowedGate(gate) === stoppedBy);
  // Earlier journals name no window.
  return exact.length > 0 ? exact : able.filter((gate) => printGate(gate) === stoppedBy);
}

function judgeMetric(gate: MetricGate, index: number, series: readonly MetricSeries[]): WithWindows {
  const { window } = gate.options;
  if (window === undefined) return judgeReading(gate, pooled(series.map((one) => one.reading(index))));
  const runs = series.map((one) => ({ runId: one.facts().runId, windows: one.windows(index) }));
  const verdict = judgeWindows(gate, microsFromMillis(window), runs);
  return { ...verdict.judged, windows: verdict.windows };
}

function resultOf(gate: Gate, judged: WithWindows, stopped: boolean): GateResult {
  const state = stopped ? 'fail' : judged.state;
  const atTheEnd = judged.state === 'fail' ? '' : 'at the end: ';
  return {
    metric: gateName(gate),
    expression: gateDemand(gate),
    ...judged,
    state,
    ...(stopped && {
      because: `failed during the run and ended it; ${atTheEnd}${judged.because}`,
      stoppedRun: true,
    }),
    failsRun: state === 'fail' || (state === 'undetermined' && !gate.options.allowNoData),
  };
}
