import { limitNames, operationIds } from '../../api/index.ts';
import { inertText } from '../../base/index.ts';
import { outcomeClasses, type Summary } from '../../collect/index.ts';
import type { MetricFamilies } from './metric-families.ts';

type Measured = Pick<Summary, 'operations' | 'journeys' | 'drops' | 'turns' | 'messages' | 'health' | 'run'>;

/** Adds what a run measured, which is known during the run, too. */
export function addMeasured(metrics: MetricFamilies, summary: Measured): void {
  addOperations(metrics, summary);
  addJourneys(metrics, summary);
  addTurns(metrics, summary);
  metrics.distribution(
    'schedule_lag',
    'How late the generator itself sent requests',
    [],
  )(summary.health.scheduleLag, {});
  metrics.gauge('run_info', 'What ran', ['scenario', 'target', 'run']).set(
    {
      scenario: inertText(summary.run.scenario),
      target: inertText(summary.run.target ?? ''),
      run: inertText(summary.run.runId),
    },
    1,
  );
}

function addOperations(metrics: MetricFamilies, { operations }: Measured): void {
  const requests = metrics.counter('http_reqs', 'Exchanges by operation and outcome', ['operation', 'outcome']);
  const refused = metrics.counter('rate_limited', 'Refusals by the limit that the error code names', [
    'operation',
    'limit',
  ]);
  const retries = metrics.counter('retries', 'Attempts after the first', ['operation']);
  const service = metrics.distribution('http_req_duration', 'Service time of successes', ['operation']);
  const response = metrics.distribution('response_time', 'Response time of successes', ['operation']);
  for (const operation of operationIds) {
    const measured = operations[operation];
    if (!measured) continue;
    for (const outcome of outcomeClasses) requests.inc({ operation, outcome }, measured.byOutcome[outcome]);
    for (const limit of [...limitNames, 'unattributed'] as const)
      refused.inc({ operation, limit }, measured.refusedBy[limit]);
    retries.inc({ operation }, measured.retries);
    service(measured.latency.success?.service, { operation });
    response(measured.latency.success?.response, { operation });
  }
}

function addJourneys(metrics: MetricFamilies, { journeys, drops }: Measured): void {
  const ended = metrics.counter('iterations', 'Journeys by how they ended', ['journey', 'outcome']);
  for (const [name, { byOutcome }] of Object.entries(journeys))
    for (const outcome of ['completed', 'stopped', 'interrupted'] as const)
      ended.inc({ journey: inertText(name), outcome }, byOutcome[outcome]);
  const dropped = metrics.counter('dropped_iterations', 'Arrivals that were never started', ['reason']);
  for (const [reason, count] of Object.entries(drops.byReason)) dropped.inc({ reason: inertText(reason) }, count);
}

function addTurns(metrics: MetricFamilies, { turns, messages }: Measured): void {
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
