/**
 * metrics/ knows the names, types, units and tags of everything this project measures: one typed table.
 * A leaf: it must not know any record, collector or exporter, so that a scenario's gates can be checked against it, with
 * line numbers, before anything runs.
 */
export { type Metric, type MetricName, type MetricType, metricNames, metrics } from './table.ts';
