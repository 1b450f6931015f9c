import { inertText } from '../../base/index.ts';
import { addMeasured } from './measured-metrics.ts';
import { MetricFamilies, seconds } from './metric-families.ts';
import type { JudgedRun, Output } from './output.ts';

/** Gates that the labels do not distinguish share a line, which is 0 if any of them fails the run. */
function addGates(metrics: MetricFamilies, gates: JudgedRun['gates']['gates']): void {
  const gauge = metrics.gauge(
    'gate_passed',
    '1 if the gate does not fail the run, otherwise 0; window: length of its windows in seconds',
    ['metric', 'gate', 'window'],
  );
  const failing = gates.filter(({ failsRun }) => failsRun);
  for (const { metric, expression, windows, failsRun } of [...gates, ...failing]) {
    const window = windows && { window: String(windows.lengthMs / 1_000) };
    gauge.set({ metric: inertText(metric), gate: inertText(expression), ...window }, failsRun ? 0 : 1);
  }
}

function addVerdicts(metrics: MetricFamilies, { summary, verdicts, gates }: JudgedRun): void {
  const limit = metrics.gauge('limit_verdict', '1 for the verdict on a limit, 0 for the others', ['limit', 'verdict']);
  for (const one of verdicts.limits)
    for (const verdict of ['violated', 'consistent', 'undecided'] as const)
      limit.set({ limit: one.limit, verdict }, one.verdict === verdict ? 1 : 0);
  addGates(metrics, gates.gates);
  const { checked, unmet } = summary.expectations;
  const expectations = metrics.counter('expectations', 'Expectations by whether they were met', ['met']);
  expectations.inc({ met: 'true' }, checked - unmet);
  expectations.inc({ met: 'false' }, unmet);
  metrics.gauge('run_complete', '1 if the history is complete, otherwise 0').set(summary.run.complete ? 1 : 0);
  metrics.gauge('run_valid', '1 if the run is valid, otherwise 0').set(summary.run.invalid === undefined ? 1 : 0);
  metrics.gauge('run_duration_seconds', 'Length of the run').set(seconds(summary.run.durationUs));
}

/** The run as OpenMetrics text 1.0, for a push gateway or a textfile collector. */
export const openMetrics: Output = {
  file: 'metrics.prom',
  holds: 'the numbers and verdicts as OpenMetrics text 1.0; times are in seconds',
  async render(run) {
    const metrics = new MetricFamilies();
    addMeasured(metrics, run.summary);
    addVerdicts(metrics, run);
    return metrics.text();
  },
};
