import { createRequire } from 'node:module';
import type * as Library from 'prom-client';
import { limitNames, operationIds } from '../../api/index.ts';
import { inertText } from '../../base/index.ts';
import { type Distribution, outcomeClasses, type PercentileName, percentileNames } from '../../collect/index.ts';
import { percentileOf } from '../percentiles.ts';
import type { JudgedRun, Output } from './output.ts';

const quantiles: Readonly<Record<PercentileName, string>> = {
  p50: '0.5',
  p90: '0.9',
  p95: '0.95',
  p99: '0.99',
  p999: '0.999',
};
const seconds = (us: number): number => us / 1_000_000;

/** Loads a part of prom-client on demand. The whole library includes process metrics and takes ten times as long to load. */
const part = <Name extends 'Counter' | 'Gauge' | 'Registry'>(name: Name): (typeof Library)[Name] =>
  createRequire(import.meta.url)(`prom-client/lib/${name.toLowerCase()}`);

/** Metrics of one run, in their own registry. */
class Metrics {
  readonly registry: Library.Registry<Library.OpenMetricsContentType>;
  readonly #Gauge = part('Gauge');
  readonly #Counter = part('Counter');

  constructor() {
    const Registry = part('Registry');
    this.registry = new Registry();
    this.registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  }

  gauge(name: string, help: string, labels: readonly string[] = []) {
    return new this.#Gauge({ name: `spillway_${name}`, help, labelNames: [...labels], registers: [this.registry] });
  }

  counter(name: string, help: string, labels: readonly string[] = []) {
    return new this.#Counter({ name: `spillway_${name}`, help, labelNames: [...labels], registers: [this.registry] });
  }

  /** A distribution as gauges. A summary of the library would need the samples, which are not kept. */
  distribution(name: string, help: string, labels: readonly string[]) {
    const quantile = this.gauge(`${name}_seconds`, `${help}; quantiles with too few samples are left out`, [
      ...labels,
      'quantile',
    ]);
    const bound = this.gauge(`${name}_bound_seconds`, `${help}: 95 % bounds of the quantile`, [
      ...labels,
      'quantile',
      'bound',
    ]);
    const samples = this.gauge(`${name}_samples`, `${help}: samples`, labels);
    return (distribution: Distribution | undefined, values: Readonly<Record<string, string>>) => {
      if (!distribution) return;
      samples.set(values, distribution.count);
      for (const name of percentileNames) {
        const value = percentileOf(distribution, name);
        if (!value) continue;
        const labelled = { ...values, quantile: quantiles[name] };
        const { lowUs, highUs } = value.bounds;
        quantile.set(labelled, seconds(value.us));
        if (lowUs !== undefined) bound.set({ ...labelled, bound: 'low' }, seconds(lowUs));
        if (highUs !== undefined) bound.set({ ...labelled, bound: 'high' }, seconds(highUs));
      }
    };
  }
}

function addOperations(metrics: Metrics, { summary }: JudgedRun): void {
  const requests = metrics.counter('http_reqs', 'Exchanges by operation and outcome', ['operation', 'outcome']);
  const refused = metrics.counter('rate_limited', 'Refusals by the limit that the error code names', [
    'operation',
    'limit',
  ]);
  const retries = metrics.counter('retries', 'Attempts after the first', ['operation']);
  const service = metrics.distribution('http_req_duration', 'Service time of successes', ['operation']);
  const response = metrics.distribution('response_time', 'Response time of successes', ['operation']);
  for (const operation of operationIds) {
    const measured = summary.operations[operation];
    if (!measured) continue;
    for (const outcome of outcomeClasses) requests.inc({ operation, outcome }, measured.byOutcome[outcome]);
    for (const limit of [...limitNames, 'unattributed'] as const)
      refused.inc({ operation, limit }, measured.refusedBy[limit]);
    retries.inc({ operation }, measured.retries);
    service(measured.latency.success?.service, { operation });
    response(measured.latency.success?.response, { operation });
  }
}

function addJourneys(metrics: Metrics, { summary: { journeys, drops } }: JudgedRun): void {
  const ended = metrics.counter('iterations', 'Journeys by how they ended', ['journey', 'outcome']);
  for (const [name, { byOutcome }] of Object.entries(journeys))
    for (const outcome of ['completed', 'stopped', 'interrupted'] as const)
      ended.inc({ journey: inertText(name), outcome }, byOutcome[outcome]);
  const dropped = metrics.counter('dropped_iterations', 'Arrivals that were never started', ['reason']);
  for (const [reason, count] of Object.entries(drops.byReason)) dropped.inc({ reason: inertText(reason) }, count);
}

function addTurns(metrics: Metrics, { summary: { turns, messages } }: JudgedRun): void {
  const ended = metrics.counter('turns', 'Turns by how they ended', ['state']);
  for (const state of ['completed', 'failed', 'unfinished'] as const) ended.inc({ state }, turns[state]);
  metrics.counter('new_messages', 'Distinct accepted messages').inc(messages.newMessages);
  metrics.distribution('turn_completion', 'Turn completion', [])(turns.completion, {});
  metrics.distribution(
    'turn_server_latency',
    "The service's own metadata.latency_ms, on its own clock",
    [],
  )(turns.serverLatency, {});
}

/** Gates that the labels do not distinguish share a line, which is 0 if any of them fails the run. */
function addGates(metrics: Metrics, gates: JudgedRun['gates']['gates']): void {
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

function addVerdicts(metrics: Metrics, { summary, verdicts, gates }: JudgedRun): void {
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
  metrics.gauge('run_info', 'What ran', ['scenario', 'target', 'run']).set(
    {
      scenario: inertText(summary.run.scenario),
      target: inertText(summary.run.target ?? ''),
      run: inertText(summary.run.runId),
    },
    1,
  );
}

/** The run as OpenMetrics text 1.0, for a push gateway or a textfile collector. */
export const openMetrics: Output = {
  file: 'metrics.prom',
  holds: 'the numbers and verdicts as OpenMetrics text 1.0; times are in seconds',
  async render(run) {
    const metrics = new Metrics();
    addOperations(metrics, run);
    addJourneys(metrics, run);
    addTurns(metrics, run);
    addVerdicts(metrics, run);
    return metrics.registry.metrics();
  },
};
