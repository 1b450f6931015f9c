import type { MetricName, TagName } from './table.ts';

/** The names of the declared limits in gates and tags. */
export const limitTags = ['rate', 'concurrency', 'daily'] as const;

/** Values of tags that do not depend on the scenario. The values of other tags come from the caller (`KnownTags`). */
const values: Readonly<Partial<Record<TagName, readonly string[]>>> = {
  outcome: ['success', 'error', 'refused', 'failed', 'censored'],
  limit: [...limitTags, 'unattributed'],
  by: ['poll', 'stream', 'message'],
  reason: ['max-in-flight', 'cap', 'late', 'no-token', 'stopped'],
  cap: ['pace', 'token', 'openTurns', 'requestsPerMinute', 'inFlight', 'connection'],
};

/** Metrics for which a tag has other values than for the rest. */
const ofMetric: Readonly<Partial<Record<MetricName, Readonly<Partial<Record<TagName, readonly string[]>>>>>> = {
  iterations: { outcome: ['completed', 'stopped', 'interrupted'] },
  turn_completion: { bound: ['observed', 'shortest', 'longest'] },
  open_turns: { bound: ['certain', 'possible'] },
};

/** Tag values that depend on the caller: operations of the API; journeys, applications and stages of a scenario. */
export type KnownTags = Readonly<Partial<Record<TagName, readonly string[]>>>;

/**
 * The values that a tag of a metric can have.
 * @returns `undefined` if they are not known in advance
 */
export function tagValues(metric: MetricName, tag: TagName, known: KnownTags = {}): readonly string[] | undefined {
  return ofMetric[metric]?.[tag] ?? values[tag] ?? known[tag];
}
