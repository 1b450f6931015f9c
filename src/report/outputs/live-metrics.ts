import { type LimitName, limitNames } from '../../api/index.ts';
import type { Summary } from '../../collect/index.ts';
import type { LimitUse, LiveState } from '../terminal/live-state.ts';
import { addMeasured } from './measured-metrics.ts';
import { MetricFamilies, seconds } from './metric-families.ts';

/** What a server of this text says that it is (OpenMetrics 1.0, section "Protocol Negotiation"). */
export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * A run as OpenMetrics text 1.0 while it goes on: what `metrics.prom` has of its measurements, so far, and its state.
 * @param summary absent before the run's first record
 * @param state absent before the run begins
 */
export function liveMetrics(summary: Summary | undefined, state: LiveState | undefined): Promise<string> {
  const metrics = new MetricFamilies();
  metrics
    .gauge('run_elapsed_seconds', 'Time since the run began; 0 before')
    .set(state === undefined ? 0 : seconds(state.elapsedUs));
  if (summary) addMeasured(metrics, summary);
  if (state) addState(metrics, state);
  return metrics.text();
}

function addState(metrics: MetricFamilies, state: LiveState): void {
  const { service, connectionQueue = 0, warnings } = state;
  addLimits(metrics, { rate: state.minute, concurrency: state.openTurns, daily: state.today });
  const recent = metrics.gauge(
    'recent_http_req_duration_seconds',
    'Service time of the last 200 successes; quantiles with too few samples are left out',
    ['quantile'],
  );
  if (service.p50Us !== undefined) recent.set({ quantile: '0.5' }, seconds(service.p50Us));
  if (service.p95Us !== undefined) recent.set({ quantile: '0.95' }, seconds(service.p95Us));
  metrics.gauge('connection_queue', 'Most requests that lately waited for a connection').set(connectionQueue);
  metrics
    .gauge('generator_warnings', 'Present warnings that the generator, not the service, determines the result')
    .set(warnings.length);
}

function addLimits(metrics: MetricFamilies, uses: Readonly<Record<LimitName, LimitUse>>): void {
  const used = metrics.gauge(
    'limit_used',
    "Admitted in the present window (rate), at most in process (concurrency), accepted this UTC day (daily), on the service's clock; of the fullest bucket",
    ['limit'],
  );
  const declared = metrics.gauge('limit_max', 'The declared limits', ['limit']);
  for (const limit of limitNames) {
    used.set({ limit }, uses[limit].used);
    declared.set({ limit }, uses[limit].max);
  }
}
