/** Tags by which metrics can be split. */
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

/** Counter: a sum. Gauge: the highest value. Rate: a share from 0 to 1. Trend: a distribution. */
export type MetricType = 'counter' | 'gauge' | 'rate' | 'trend';

/** A row of the table. */
export interface Metric {
  readonly type: MetricType;
  /** `us` are microseconds; `share` is 0 to 1; `count` and `bytes` are whole numbers. */
  readonly unit: 'us' | 'count' | 'bytes' | 'share';
  /** Names of its tags, in the order in which they are written. A tag that a selector omits means all its values together. */
  readonly tags: readonly TagName[];
  /** Values of omitted tags whose values measure different things and cannot be combined. */
  readonly defaults?: Readonly<Partial<Record<TagName, string>>>;
  /**
   * Further tags that a gate or a comparison may select by. Output files are not split by them, because every stage would need a
   * series for each combination of the other tags. No application: records of journeys, drops and streams do not name one.
   */
  readonly choices?: readonly TagName[];
  readonly description: string;
}

/**
 * All metrics. A name of k6 has k6's meaning, apart from the unit (k6: milliseconds) and from `http_req_failed`, which does not
 * count refusals as failures: in a test of limits a 429 is an expected answer.
 */
export const metrics = {
  http_reqs: {
    type: 'counter',
    unit: 'count',
    tags: ['operation', 'outcome', 'status'],
    choices: ['application', 'journey', 'stage'],
    description: 'Exchanges: every attempt of an operation, including stream handshakes.',
  },
  http_req_duration: {
    type: 'trend',
    unit: 'us',
    tags: ['operation', 'outcome'],
    choices: ['application', 'journey', 'stage'],
    description:
      'Service time: from sending to the last byte received, or until the client gave up (outcome censored, which counts here, too); failures are counted only under their own outcome. Covers all answers, as in k6, so quick refusals lower it; outcome:success leaves refusals out.',
  },
  response_time: {
    type: 'trend',
    unit: 'us',
    tags: ['operation', 'outcome'],
    choices: ['application', 'journey', 'stage'],
    description:
      'Response time: from the intended instant to the last byte received, or until the client gave up (outcome censored, which counts here, too); what a user waits, including queues in the client. Failures are counted only under their own outcome. Covers all answers, including refusals.',
  },
  http_req_failed: {
    type: 'rate',
    unit: 'share',
    tags: ['operation'],
    choices: ['application', 'journey', 'stage'],
    description:
      'Exchanges without an answer, with a status other than success (unless the step expects that status and all its expectations are met), or with an unusable body; refusals are in the denominator only.',
  },
  rate_limited: {
    type: 'rate',
    unit: 'share',
    tags: ['operation', 'limit'],
    choices: ['application', 'journey', 'stage'],
    description: 'Exchanges that were refused (429, or as the profile says), by the limit that the error code names.',
  },
  turn_completion: {
    type: 'trend',
    unit: 'us',
    tags: ['by', 'bound'],
    choices: ['application', 'journey', 'stage'],
    defaults: { bound: 'observed' },
    description:
      'From the acceptance of a message to the first observation that its turn is complete. Tag bound: observed; or, if a poll observed it, the shortest and the longest time that it can have taken.',
  },
  turn_first_event: {
    type: 'trend',
    unit: 'us',
    tags: [],
    choices: ['application', 'journey', 'stage'],
    description: 'From the acceptance of a message to the first event of its stream.',
  },
  turn_first_delta: {
    type: 'trend',
    unit: 'us',
    tags: [],
    choices: ['application', 'journey', 'stage'],
    description: 'From the acceptance of a message to the first part of the answer on its stream.',
  },
  turn_poll_lag: {
    type: 'trend',
    unit: 'us',
    tags: [],
    choices: ['application', 'journey', 'stage'],
    description:
      'How much later a poll showed the completion than the stream, for turns followed by both; 0 if the poll was first.',
  },
  turn_server_latency: {
    type: 'trend',
    unit: 'us',
    tags: [],
    choices: ['application', 'journey', 'stage'],
    description: "The service's own metadata.latency_ms, as it reports it: on its own clock.",
  },
  turn_failed: {
    type: 'rate',
    unit: 'share',
    tags: [],
    choices: ['application', 'journey', 'stage'],
    description: 'Finished turns that the service declared failed.',
  },
  turn_not_completed: {
    type: 'rate',
    unit: 'share',
    tags: [],
    choices: ['application', 'journey', 'stage'],
    description:
      'Turns that the service declared failed, or that a journey followed and did not see finish before it ended; of these and the completed ones. Turns that the end of the run cut off, and turns that nothing followed, are left out.',
  },
  open_turns: {
    type: 'gauge',
    unit: 'count',
    tags: ['bound'],
    defaults: { bound: 'certain' },
    description:
      'Turns in process at once, for the application (or other scope of the limit) with the most: certain (at least) and possible (at most).',
  },
  daily_quota_used: {
    type: 'gauge',
    unit: 'count',
    tags: ['application'],
    description:
      "Distinct new messages accepted (answered with a status of success, or with another 2xx that names a turn) in one UTC day of the service's clock; the highest day of the application (or other scope of the quota) with the most. Includes the warm-up, because the service counted it.",
  },
  admitted_per_minute: {
    type: 'gauge',
    unit: 'count',
    tags: [],
    description:
      "Requests admitted in one minute of the service's clock, without those answered with 5xx, which a gateway may have answered; the highest minute of the application (or other scope of the limit) with the most. Includes the warm-up, because the service counted it.",
  },
  iterations: {
    type: 'counter',
    unit: 'count',
    tags: ['journey', 'outcome'],
    choices: ['stage'],
    description:
      'Journeys that ended in any way; outcome:completed counts only those that reached their end, not those that a refusal stopped.',
  },
  iteration_duration: {
    type: 'trend',
    unit: 'us',
    tags: ['journey'],
    choices: ['stage'],
    description: 'From the start of a journey to its end; only completed journeys.',
  },
  dropped_iterations: {
    type: 'counter',
    unit: 'count',
    tags: ['reason'],
    choices: ['journey', 'stage'],
    description: 'Arrivals whose journey was never started.',
  },
  checks: {
    type: 'rate',
    unit: 'share',
    tags: [],
    choices: ['journey', 'stage'],
    description: 'Share of checked expectations that were met.',
  },
  retries: {
    type: 'counter',
    unit: 'count',
    tags: ['operation'],
    choices: ['application', 'journey', 'stage'],
    description: 'Attempts after the first.',
  },
  cap_wait: {
    type: 'trend',
    unit: 'us',
    tags: ['cap'],
    choices: ['application', 'journey', 'stage'],
    description: 'Time that an exchange waited for a cap of the client; only exchanges that waited.',
  },
  schedule_lag: {
    type: 'trend',
    unit: 'us',
    tags: [],
    description:
      'How late the generator sent: after the intended instant plus all waits for caps except pace; of a request for which a token was issued meanwhile, after that. Without polls and resends, which may wait for an answer.',
  },
  event_loop_delay: {
    type: 'gauge',
    unit: 'us',
    tags: [],
    description: "99th percentile of the generator's event-loop delay; the highest interval.",
  },
  data_sent: {
    type: 'counter',
    unit: 'bytes',
    tags: ['operation'],
    choices: ['application', 'journey', 'stage'],
    description: 'Bytes sent.',
  },
  data_received: {
    type: 'counter',
    unit: 'bytes',
    tags: ['operation'],
    choices: ['application', 'journey', 'stage'],
    description: 'Bytes received, compressed ones as they came; of streams their handshakes only.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as readonly MetricName[];

/** All tags that a selector of the metric may have, in the order in which they are written. */
export const tagsOf = (name: MetricName): readonly TagName[] => {
  const { tags, choices = [] } = metricOf(name);
  return [...tags, ...choices];
};

/** A row with the general type `Metric` instead of its literal type. */
export const metricOf = (name: MetricName): Metric => metrics[name];
