import type { MetricName } from './table.ts';

/** What metrics can be split by. */
export type TagName =
  | 'operation'
  | 'outcome'
  | 'status'
  | 'limit'
  | 'by'
  | 'bound'
  | 'application'
  | 'journey'
  | 'stage'
  | 'reason'
  | 'cap';

/** The declared limits, by the names that gates and tags use. */
export const limitTags = ['rate', 'concurrency', 'daily'] as const;

/** Values that never depend on a scenario; a tag that is missing here takes what the scenario has, or anything. */
const values: Readonly<Partial<Record<TagName, readonly string[]>>> = {
  outcome: ['success', 'error', 'refused', 'failed', 'censored'],
  limit: [...limitTags, 'unattributed'],
  by: ['poll', 'stream', 'message'],
  reason: ['max-in-flight', 'cap', 'late', 'no-token', 'stopped', 'deadline'],
  cap: ['pace', 'token', 'openTurns', 'requestsPerMinute', 'inFlight', 'connection'],
};

/** Where a metric's tag means something else than the same tag of others. */
const ofMetric: Readonly<Partial<Record<MetricName, Readonly<Partial<Record<TagName, readonly string[]>>>>>> = {
  iterations: { outcome: ['completed', 'stopped', 'interrupted'] },
  turn_completion: { bound: ['observed', 'shortest', 'longest'] },
  open_turns: { bound: ['certain', 'possible'] },
};

/** Values that a caller knows: operations of the API, journeys, applications and stages of a scenario. */
export type KnownTags = Readonly<Partial<Record<TagName, readonly string[]>>>;

/**
 * The values that a tag of a metric can have.
 * @returns `undefined` when nobody can tell beforehand
 */
export function tagValues(metric: MetricName, tag: TagName, known: KnownTags = {}): readonly string[] | undefined {
  return ofMetric[metric]?.[tag] ?? values[tag] ?? known[tag];
}
