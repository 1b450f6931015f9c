// Made from the schema by `npm run schemas`.

type Profile = string | {
  /** Name of the service in reports.
   * Default: "sandbox". */
  name?: string | undefined;
  /** Base address; `--target` overrides it. Absent: the embedded sandbox. */
  baseUrl?: string | undefined;
  /** Environment variables that hold the application credentials. Absent: SPILLWAY_CLIENT_ID and SPILLWAY_CLIENT_SECRET. */
  credentials?: Credentials | undefined;
  /** What the service promises or is said to enforce; what is left out is unknown. */
  limits?: Limits | undefined;
  /** Order in which the limits are checked. Absent: unknown. */
  limitOrder?: readonly ('rate' | 'daily' | 'concurrency')[] | undefined;
  /** Error codes of a refusal by the limit that they name. Empty lists: the service does not say. */
  errorCodes?: ErrorCodes | undefined;
  /** How the messages of a conversation are read. */
  history?: History | undefined;
  /** Of a turn, as polls show it. */
  turns?: Turns | undefined;
  /** The WebSocket stream of a turn; null where the service has none. */
  stream?: Stream | undefined;
  /** Statuses of success per operation, where they differ from 201 (createConversation), 202 (sendMessage), 101 (openStream; must be among them), 200 (readTurn, readHistory), and 200 or 201 (issueToken, rateAnswer). */
  success?: { [Name in 'issueToken' | 'createConversation' | 'sendMessage' | 'readTurn' | 'openStream' | 'readHistory' | 'rateAnswer']?: readonly (number)[] } | undefined;
  /** What sending a message again under its client_message_id does. */
  idempotency?: Idempotency | undefined;
  /** Users' tokens. */
  tokens?: Tokens | undefined;
  /** Of the embedded sandbox: a larger body is answered 413.
   * Default: 65536.
   * Range: at least 1. */
  maxBodyBytes?: number | undefined;
  /** True: nobody else uses these credentials during a run, and no proxy sends a request twice, which may count twice.
   * Default: false. */
  exclusive?: boolean | undefined;
  /** True, per limit: its window is empty when a run starts. */
  flushed?: Flushed | undefined;
  /** The service's clock. */
  clock?: Clock | undefined;
  /** How requests are sent. */
  client?: Client | undefined;
  /** Most requests of any kind, and most attempts to send a message. A plan that would send more is refused, and a run ends before it does. */
  budget?: Budget | undefined;
  /** Known violations (rate, concurrency, daily, or the kind of a finding) that do not fail a run, each with its reason. */
  accepted?: readonly ({
    violation: string;
    reason: string;
  })[] | undefined;
};

type Credentials = {
  /** An environment variable: ${env.NAME}. Never the value. */
  clientId: string;
  /** An environment variable: ${env.NAME}. Never the value. */
  clientSecret: string;
};

type Limits = {
  /** Requests per window. */
  rate?: Rate | undefined;
  /** Turns in process at the same time. */
  concurrency?: Concurrency | undefined;
  /** New messages per day. */
  daily?: Daily | undefined;
};

type Rate = {
  /** Requests admitted per window.
   * Default: 20.
   * Range: at least 1. */
  max?: number | undefined;
  /** Length of the window.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "60s". */
  window?: Duration | undefined;
  /** The exact meaning, for example sliding-log; "unknown" where the service does not say.
   * Default: "unknown". */
  reading?: string | undefined;
  /** Whose requests are counted together. Certain if a reading or a day is named as well; otherwise see scopeKnown. Absent: unknown, and every scope is tried; what is shown or forecast per scope takes application. */
  scope?: 'application' | 'user' | 'token' | 'conversation' | 'address' | undefined;
  /** True: the scope of this limit is certain (application if none is named). False: every scope is tried. Absent: certain if the profile names the scope, and a reading or a day. */
  scopeKnown?: boolean | undefined;
  /** Operations that count. Certain if a reading is named as well; otherwise see countsKnown. Absent: everything but token requests, and that is not certain. */
  counts?: readonly ('issueToken' | 'createConversation' | 'sendMessage' | 'readTurn' | 'openStream' | 'readHistory' | 'rateAnswer')[] | undefined;
  /** True: what counts is certain (everything but token requests if nothing is named). False: token requests and the stream's handshake may count or not. Absent: certain if the profile names what counts, and a reading. */
  countsKnown?: boolean | undefined;
  /** Whether refused requests count too.
   * Default: false. */
  countsRefused?: boolean | undefined;
  /** Whether resending a message counts as a request; absent: unknown. */
  countsReplays?: boolean | undefined;
  /** Whether a request that is answered 404 or 422 counts; absent: unknown. */
  countsInvalid?: boolean | undefined;
  /** Whether a request counts that this limit admits and a later one (limitOrder) refuses; absent: unknown. */
  countsRefusedLater?: boolean | undefined;
};

type Duration = string | 0;

type Concurrency = {
  /** Turns in process at once.
   * Default: 2.
   * Range: at least 1. */
  max?: number | undefined;
  /** When a turn takes a slot.
   * Default: "accepted-to-finished". */
  slot?: 'accepted-to-finished' | 'processing-only' | undefined;
  /** Whose requests are counted together. Certain if a reading or a day is named as well; otherwise see scopeKnown. Absent: unknown, and every scope is tried; what is shown or forecast per scope takes application. */
  scope?: 'application' | 'user' | 'token' | 'conversation' | undefined;
  /** True: the scope of this limit is certain (application if none is named). False: every scope is tried. Absent: certain if the profile names the scope, and a reading or a day. */
  scopeKnown?: boolean | undefined;
  /** How long after a turn finished its slot may stay taken.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  releaseGrace?: Duration | undefined;
  /** The exact meaning; "unknown" where the service does not say.
   * Default: "unknown". */
  reading?: string | undefined;
};

type Daily = {
  /** New messages per day.
   * Default: 50.
   * Range: at least 1. */
  max?: number | undefined;
  /** When the day turns.
   * Default: "unknown". */
  day?: 'utc' | 'token-timezone' | 'first-use' | 'rolling' | 'unknown' | undefined;
  /** Whose requests are counted together. Certain if a reading or a day is named as well; otherwise see scopeKnown. Absent: unknown, and every scope is tried; what is shown or forecast per scope takes application. */
  scope?: 'application' | 'user' | 'token' | undefined;
  /** True: the scope of this limit is certain (application if none is named). False: every scope is tried. Absent: certain if the profile names the scope, and a reading or a day. */
  scopeKnown?: boolean | undefined;
  /** The exact meaning; "unknown" where the service does not say.
   * Default: "unknown". */
  reading?: string | undefined;
};

type ErrorCodes = {
  /** Default: ["rate_limited"]. */
  rate?: readonly (string)[] | undefined;
  /** Default: ["concurrency_limited"]. */
  concurrency?: readonly (string)[] | undefined;
  /** Default: ["daily_quota_exceeded"]. */
  daily?: readonly (string)[] | undefined;
  /** True: a code of these lists is used for its limit alone. False: it may be used for others as well, until the history shows codes of those. Absent: true of codes that differ from the defaults, false of these. */
  known?: boolean | undefined;
  /** `rate`: a 429 whose body has no error code in JSON, as gateways and middlewares send it, is by the rate limit; one with a code of these lists is by that limit, whatever else its body lacks. Absent: both may be from an intermediary, are counted, and prove nothing. */
  otherBodies?: 'rate' | undefined;
  /** Statuses of refusals besides 429, such as 503 of nginx. An answer with one of them is treated as a 429 if its error code is in these lists, or if its body has none and `otherBodies` names the limit (then every such answer, also that of an outage, is a refusal by it). With any other code, or without both, it stays an error of the service. */
  otherStatuses?: readonly (number)[] | undefined;
};

type History = {
  /** Name of the query parameter for the number of messages on a page, which the specification does not tell. Absent: unknown; `limit` is tried, and what is told of pages proves nothing. */
  limitParameter?: string | undefined;
  /** Name of the query parameter for the number of messages to skip. Absent: unknown; `offset` is tried, and what is told of later pages proves nothing. */
  offsetParameter?: string | undefined;
  /** Messages on a page where a request names no limit.
   * Default: 20.
   * Range: at least 1, at most 100. */
  defaultLimit?: number | undefined;
  /** From which end the offset skips messages.
   * Default: "oldest". */
  offsetFrom?: 'oldest' | 'newest' | undefined;
  /** How long after a message's acceptance the history shows it and its answer, once a poll has shown its turn completed; a page that is not full is the last one. Absent: not promised, as the specification says nothing of it; what is missing is told and proves nothing.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  keptFor?: Duration | undefined;
};

type Turns = {
  /** Statuses of a turn that is not finished.
   * Default: ["queued","processing"]. */
  open?: readonly (string)[] | undefined;
  /** Those of open with which a turn certainly waits. Absent: queued, where open has it and processing does not. */
  queued?: readonly (string)[] | undefined;
  /** Those of open with which a turn is certainly in process and waits for nothing. Absent: processing, in_progress and running, where open has them and queued does not. With a status in neither list it may be either: then polls do not prove that it holds a slot of a service that may count only turns in process (limits.concurrency). */
  processing?: readonly (string)[] | undefined;
  /** Default: ["completed"]. */
  completed?: readonly (string)[] | undefined;
  /** Statuses of a turn that has ended otherwise. One that the service may try again holds its slot meanwhile: put its status into open.
   * Default: ["failed"]. */
  failed?: readonly (string)[] | undefined;
  /** How long a poll may still show a status that a turn has left, of a service that answers from copies. A poll then only proves the status of that much earlier; a turn that a poll shows open after its end was seen proves nothing.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  staleFor?: Duration | undefined;
  /** Assumed duration of a turn, for cost forecasts and pacing only.
   * Default: {"distribution":"lognormal","median":"2s","p95":"8s"}. */
  assumed?: Assumed | undefined;
};

type Assumed = Constant | Uniform | Lognormal | Exponential;

type Constant = {
  distribution: 'constant';
  /** A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  value: Duration;
};

type Uniform = {
  distribution: 'uniform';
  /** A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  min: Duration;
  /** A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  max: Duration;
};

type Lognormal = {
  distribution: 'lognormal';
  /** A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  median: Duration;
  /** A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  p95: Duration;
};

type Exponential = {
  distribution: 'exponential';
  /** A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  mean: Duration;
};

type Stream = {
  /** Default: "/api/partners/v1/turns/{turn_id}/stream". */
  path?: string | undefined;
  /** Types of its events, by what they tell. */
  events?: Events | undefined;
} | null;

type Events = {
  /** Default: ["turn.status"]. */
  status?: readonly (string)[] | undefined;
  /** Default: ["answer.delta"]. */
  delta?: readonly (string)[] | undefined;
  /** Default: ["turn.completed"]. */
  completed?: readonly (string)[] | undefined;
  /** Default: ["turn.failed"]. */
  failed?: readonly (string)[] | undefined;
};

type Idempotency = {
  /** Within what a client_message_id stands for one message. Absent: unknown; what is only wrong within one scope or beyond it is not proven. */
  scope?: 'conversation' | 'user' | 'application' | undefined;
  /** Whether a resend must return the same turn. Absent: not promised. */
  sameTurn?: boolean | undefined;
  /** How the service answers other content under a used id.
   * Default: "unknown". */
  otherContent?: 'refused' | 'ignored' | 'unknown' | undefined;
};

type Tokens = {
  /** How long a token lives where the service does not say, or says it otherwise than as a positive number of seconds (expires_in).
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "15min". */
  defaultLifetime?: Duration | undefined;
};

type Flushed = {
  /** Default: false. */
  rate?: boolean | undefined;
  /** Default: false. */
  concurrency?: boolean | undefined;
  /** Default: false. */
  daily?: boolean | undefined;
};

type Clock = {
  /** How far the service's clock may run fast or slow, in parts per million.
   * Default: 500.
   * Range: at least 0, at most 100000. */
  driftPpm?: number | undefined;
  /** Resolution of the service's timers; also how far apart the clocks of its nodes may be.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "1s". */
  granularity?: Duration | undefined;
  /** Longest time after sending at which the service may still act on a request without an answer.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "30s". */
  maxServerDelay?: Duration | undefined;
};

type Client = {
  /** Number of sockets, opened before the first arrival; further requests wait, and the wait is recorded.
   * Default: 16.
   * Range: at least 1, at most 10000. */
  connections?: number | undefined;
  /** How long to wait for an answer.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "30s". */
  deadline?: Duration | undefined;
  /** The HTTP client. wire: HTTP/1.1, made for load. undici: HTTP/1.1, several times the CPU time. http2: HTTP/2, one request at a time per connection. auto: undici if there is a proxy, else wire.
   * Default: "auto". */
  transport?: 'auto' | 'wire' | 'undici' | 'http2' | undefined;
  /** Ask for compressed answers (gzip, deflate, br). Compressed answers are always decoded, after the receive time was recorded.
   * Default: false. */
  compression?: boolean | undefined;
  /** Additional headers of every request, such as the key of a gateway: x-api-key: "${env.GATEWAY_KEY}". Values from the environment are written to no file. Not sent to the embedded sandbox. */
  headers?: { [name: string]: string } | undefined;
  /** PEM file of a certificate authority to trust besides the system's; relative to the working directory. */
  caFile?: string | undefined;
  /** PEM file of the certificate that is shown to a service that asks for one (mutual TLS); beside keyFile. */
  certFile?: string | undefined;
  /** PEM file of its private key, without a passphrase. */
  keyFile?: string | undefined;
  /** HTTP proxy, for example http://proxy.example:3128; its credentials from the environment alone: http://${env.PROXY_USER}:${env.PROXY_PASSWORD}@proxy.example:3128. */
  proxy?: string | undefined;
  /** Renew a token this long before it expires (at most half of its life).
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "30s". */
  renewBefore?: Duration | undefined;
};

type Budget = {
  /** Range: at least 1. */
  requests?: number | undefined;
  /** Range: at least 1. */
  messages?: number | undefined;
};

type Sandbox = {
  /** Speed of the service's clock: with 60, a minute passes in one second.
   * Default: 1.
   * Range: at least 0.001, at most 100000. */
  clockRate?: number | undefined;
  /** Time of the service's clock when the run starts, from 1970 to 2199; default now. */
  startTime?: string | undefined;
  /** How long turns take. */
  latency?: Latency | undefined;
  /** Share of turns that fail; default 0.
   * Range: at least 0, at most 1. */
  failureShare?: number | undefined;
  /** On the service's clock; at least 1ms. Default 15min.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  tokenLifetime?: Duration | undefined;
  /** What the sandbox enforces; default: what the profile declares. */
  limits?: Limits2 | undefined;
  /** Defects of the sandbox, by id; `spillway sandbox --list-defects` describes them. */
  defects?: readonly ('O1' | 'O2' | 'O3' | 'O4' | 'O5' | 'O6' | 'O7' | 'O8' | 'O12' | 'O13' | 'O14' | 'O16' | 'O17' | 'O19' | 'O21' | 'O22' | 'O24' | 'W1' | 'W2' | 'W3' | 'W4' | 'W5' | 'W6' | 'W7' | 'W9' | 'W10' | 'W11' | 'W13' | 'W15' | 'W16' | 'W18' | 'W19' | 'W20' | 'W21' | 'W22' | 'S1' | 'S3' | 'S4' | 'S5' | 'S6' | 'S7' | 'H1' | 'H2' | 'H3' | 'H4' | 'H5' | 'H6' | 'H7' | 'H8' | 'H9' | 'H10' | 'H11' | 'H12' | 'C1' | 'C2' | 'C4' | 'C5' | 'C7' | 'C8' | 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I7' | 'I9' | 'I11' | 'D2' | 'D3' | 'D4' | 'D5' | 'D6')[] | undefined;
  /** Ways in which answers and streams of the sandbox fail, each OPERATION:FAULT[:PARAMETER][:WHEN]; `spillway sandbox --help` describes them. */
  faults?: readonly (string)[] | undefined;
  /** For defects that are race conditions: how long after a write reads still see the old state, on the service's clock. Default: 50 ms of the run's, at most an hour.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  defectLag?: Duration | undefined;
};

type Latency = {
  /** Time from accepted to processing, on the service's clock. Default: lognormal, median 200ms, p95 500ms. */
  queued?: Assumed | undefined;
  /** Time from processing to finished, on the service's clock. Default: lognormal, median 2s, p95 5s. */
  processing?: Assumed | undefined;
};

type Limits2 = {
  /** Requests per window. */
  rate?: Rate2 | undefined;
  /** Turns in process at the same time. */
  concurrency?: Concurrency2 | undefined;
  /** New messages per day. */
  daily?: Daily2 | undefined;
  /** Order in which the limits are checked; a refusal names the first that refuses. Default rate, daily, concurrency. */
  order?: readonly ('rate' | 'concurrency' | 'daily')[] | undefined;
};

type Rate2 = number | Rate3 | readonly (Rate3)[];

type Rate3 = {
  /** Name in the fields RateLimit and RateLimit-Policy; the default is made of window and scope. */
  name?: string | undefined;
  /** Requests admitted per window; default 20.
   * Range: at least 1, at most 1000000000. */
  max?: number | undefined;
  /** Length of the window; default 60s.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  window?: Duration | undefined;
  /** How requests are counted; default fixed-window. */
  algorithm?: 'fixed-window' | 'fixed-window-first-request' | 'fixed-window-block' | 'sliding-log' | 'sliding-log-attempts' | 'sliding-counter' | 'token-bucket' | 'token-bucket-per-tick' | 'token-bucket-per-window' | 'gcra' | 'leaky-queue' | undefined;
  /** Offset of aligned windows from multiples of the window length; default 0.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  phase?: Duration | undefined;
  /** Capacity of a full bucket, or of the queue; default max.
   * Range: at least 1, at most 1000000000. */
  burst?: number | undefined;
  /** Penalty from the first refusal on, at least to the end of its window; default the window.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  block?: Duration | undefined;
  /** How a sliding counter compares; default below. */
  variant?: 'below' | 'at-most' | 'floored' | undefined;
  /** Whose requests are counted together; default application. A user is one of an application. */
  scope?: 'application' | 'user' | 'token' | 'conversation' | 'address' | undefined;
  /** Operations that count; default all with a user token. */
  operations?: readonly ('issueToken' | 'createConversation' | 'sendMessage' | 'readTurn' | 'openStream' | 'readHistory' | 'rateAnswer')[] | undefined;
  /** Whether a request answered 422 or 404 counts; default: for the rate. */
  countsInvalid?: boolean | undefined;
  /** Whether a message sent again counts; default: for the rate. */
  countsReplays?: boolean | undefined;
  /** Whether a request counts that this limit admits and a later one refuses; default: for the rate. */
  countsRefusedLater?: boolean | undefined;
};

type Concurrency2 = number | Concurrency3 | readonly (Concurrency3)[];

type Concurrency3 = {
  /** Name in the fields RateLimit and RateLimit-Policy; the default is made of window and scope. */
  name?: string | undefined;
  /** Turns in process at once; default 2.
   * Range: at least 1, at most 1000000000. */
  max?: number | undefined;
  /** Default semaphore. */
  algorithm?: 'semaphore' | 'lease' | undefined;
  /** When a turn takes a slot. With processing-only a message is refused while all slots are taken, and one accepted before waits, queued, until one is free; default accepted-to-finished. */
  slot?: 'accepted-to-finished' | 'processing-only' | undefined;
  /** Duration of a lease, which ends even if its turn still runs; needed with lease.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  ttl?: Duration | undefined;
  /** Whether a refusal says when the first turn will have finished, which few services know; default exact. */
  retryAfter?: 'exact' | 'absent' | undefined;
  /** Whose requests are counted together; default application. A user is one of an application. */
  scope?: 'application' | 'user' | 'token' | 'conversation' | 'address' | undefined;
};

type Daily2 = number | Daily3 | readonly (Daily3)[];

type Daily3 = {
  /** Name in the fields RateLimit and RateLimit-Policy; the default is made of window and scope. */
  name?: string | undefined;
  /** New messages per day; default 50.
   * Range: at least 1, at most 1000000000. */
  max?: number | undefined;
  /** When a new day begins; default utc. */
  day?: 'utc' | 'token-timezone' | 'first-use' | 'rolling' | undefined;
  /** Whose requests are counted together; default application. A user is one of an application. */
  scope?: 'application' | 'user' | 'token' | 'conversation' | 'address' | undefined;
  /** Operations that count; default sendMessage. */
  operations?: readonly ('issueToken' | 'createConversation' | 'sendMessage' | 'readTurn' | 'openStream' | 'readHistory' | 'rateAnswer')[] | undefined;
  /** Whether a request answered 422 or 404 counts; default: for the rate. */
  countsInvalid?: boolean | undefined;
  /** Whether a message sent again counts; default: for the rate. */
  countsReplays?: boolean | undefined;
  /** Whether a request counts that this limit admits and a later one refuses; default: for the rate. */
  countsRefusedLater?: boolean | undefined;
};

type Users = number | readonly (Users2)[];

type Users2 = {
  /** external_user_id */
  id: string;
  /** Language and region of a token, for example fr-CH. */
  locale?: string | undefined;
  /** Time zone of a token, for example Europe/Zurich. */
  timezone?: string | undefined;
  /** Name of an entry in applications; default the first. */
  application?: string | undefined;
};

type Tokens2 = {
  /** Language and region of a token, for example fr-CH. */
  locale?: string | undefined;
  /** Time zone of a token, for example Europe/Zurich. */
  timezone?: string | undefined;
};

type Journeys = {
  /** Share of the arrivals, relative to the other journeys.
   * Default: 1.
   * Range: above 0. */
  weight?: number | undefined;
  description?: string | undefined;
  /** After a 429, unless the step says otherwise; default: the scenario's.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** What a user does, in this order. */
  steps: readonly (Steps)[];
};

type OnRefused = 'stop' | 'continue' | OnRefused2;

type OnRefused2 = {
  retry: {
    /** Retries after the first attempt; those after refusals and those after errors count together.
     * Default: 3.
     * Range: at least 1, at most 100. */
    max?: number | undefined;
    /** Send nothing again whose error says retryable: false. A 401 is retried all the same, because that is done with a new token, unless the token request was answered so.
     * Default: true. */
    obeyRetryable?: boolean | undefined;
    /** Wait as long as Retry-After says, if the answer has it.
     * Default: true. */
    obeyRetryAfter?: boolean | undefined;
    /** If Retry-After is longer than this, retrying ends.
     * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
     * Default: "5min". */
    retryAfterCeiling?: Duration | undefined;
    backoff?: {
      /** Wait before the first retry.
       * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
       * Default: "500ms". */
      first?: Duration | undefined;
      /** Factor by which the wait grows with each retry.
       * Default: 2.
       * Range: at least 1, at most 10. */
      factor?: number | undefined;
      /** Maximum wait. Default: 30s, or `first` if that is longer.
       * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
      ceiling?: Duration | undefined;
      /** Share of the wait that is drawn at random (seeded): 0.25 waits 75 to 100 %.
       * Default: 0.
       * Range: at least 0, at most 1. */
      jitter?: number | undefined;
    } | undefined;
    /** What to do when the retries are used up, Retry-After is longer than retryAfterCeiling, or the error is not retryable.
     * Default: "stop". */
    afterwards?: 'stop' | 'continue' | undefined;
  };
};

type Steps = {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** A new token for the user. Without this step the first request issues one. */
  issueToken: {
    /** Language and region. Absent: the user's own.
     * Text in which ${name} is replaced when it is sent. */
    locale?: string | undefined;
    /** Time zone. Absent: the user's own.
     * Text in which ${name} is replaced when it is sent. */
    timezone?: string | undefined;
  };
} | {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** Creates a conversation, or takes one up again; it is the current one of the steps after it. */
  createConversation: {
    /** new: the service chooses the id. chosen: the client does. resume: the journey's current conversation again. Or a ${name}.
     * Default: "new". */
    conversation?: Conversation | undefined;
    /** Absent: none is sent.
     * Text in which ${name} is replaced when it is sent. */
    title?: string | undefined;
  };
} | {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** Sends a message, which begins a turn. */
  sendMessage: {
    /** Text of the message.
     * Text in which ${name} is replaced when it is sent. */
    message: string;
    /** Where the user is: city, commune or both. Absent: not sent. */
    location?: Location | undefined;
    /** Append a nonce, so that no two messages have the same text.
     * Default: true. */
    nonce?: boolean | undefined;
    /** Default: the journey's current conversation.
     * Text in which ${name} is replaced when it is sent. */
    conversation?: string | undefined;
    /** All messages of a run with the same name here are sent with the same client_message_id. Default: an id of its own.
     * Text in which ${name} is replaced when it is sent. */
    as?: string | undefined;
  };
} | {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** Many requests at once, or `gap` apart. */
  burst: {
    /** Operation of the requests. message, location, nonce and follow are of sendMessage only.
     * Default: "sendMessage". */
    of?: 'sendMessage' | 'readHistory' | 'createConversation' | undefined;
    /** Number of requests.
     * Range: at least 1, at most 100000. */
    count: number;
    /** Time between two requests; 0 sends all at once.
     * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
     * Default: "0". */
    gap?: Duration | undefined;
    /** Spread over this many conversations; those missing are created first.
     * Default: 1.
     * Range: at least 1, at most 1000. */
    conversations?: number | undefined;
    /** Text of the message.
     * Text in which ${name} is replaced when it is sent.
     * Default: "Message ${index} of a burst". */
    message?: string | undefined;
    /** Where the user is: city, commune or both. Absent: not sent. */
    location?: Location | undefined;
    /** Append a nonce, so that no two messages have the same text.
     * Default: true. */
    nonce?: boolean | undefined;
    /** Follow each turn from its acceptance on. Absent: turns are not followed by this step. */
    follow?: Follow | undefined;
  };
} | {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** Sends the last accepted message again, under its client_message_id. */
  resend: {
    /** same: the message as it was first sent. other: another text under its client_message_id.
     * Default: "same". */
    content?: 'same' | 'other' | undefined;
    /** The other text; default: the first text with a remark.
     * Text in which ${name} is replaced when it is sent. */
    message?: string | undefined;
    /** How often.
     * Default: 1.
     * Range: at least 1, at most 1000. */
    count?: number | undefined;
    /** Time between two requests; 0 sends all at once.
     * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
     * Default: "0". */
    gap?: Duration | undefined;
  };
} | {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** Follows a turn until it has finished. */
  followTurn: {
    /** poll: read the turn again and again. stream: open its event stream. both: side by side.
     * Default: "poll". */
    by?: 'poll' | 'stream' | 'both' | undefined;
    /** Planned time between two polls.
     * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
     * Default: "1s". */
    interval?: Duration | undefined;
    /** Factor by which the interval grows after each poll.
     * Default: 1.
     * Range: at least 1, at most 10. */
    backoff?: number | undefined;
    /** The interval grows up to this. Default: 30s, or `interval` if that is longer.
     * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
    maxInterval?: Duration | undefined;
    /** Stop following a turn this long after the step began, in a burst after the acceptance of its message; it then counts as unfinished, and onError applies. Default: 60s, or twice `interval` if that is longer. No poll is due later, but one that waits for a cap is still sent.
     * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
    deadline?: Duration | undefined;
    /** last: the newest accepted turn. all: every accepted turn not yet followed, in parallel.
     * Default: "last". */
    turns?: 'last' | 'all' | undefined;
  };
} | {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** Reads the messages of a conversation. */
  readHistory: {
    /** Default: not sent, the service's own default applies.
     * Range: at least 1, at most 100. */
    limit?: number | undefined;
    /** Messages to skip. Absent: 0, which is not sent.
     * Range: at least 0. */
    offset?: number | undefined;
    /** Number of pages, at most 1000; all: until one is not full.
     * Default: 1. */
    pages?: Pages | undefined;
    /** Default: the journey's current conversation.
     * Text in which ${name} is replaced when it is sent. */
    conversation?: string | undefined;
  };
} | {
  /** Told after each of its expectations that was not met. */
  name?: string | undefined;
  /** Name → dotted path in the answer; used later as ${name}. */
  capture?: { [name: string]: string } | undefined;
  /** What the answer must be. What is not met is recorded, and fails the run at its end. */
  expect?: Expect | undefined;
  /** After a 429; default: the journey's, else the scenario's, else stop.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status; same default as onRefused.
   * stop ends the journey, continue goes on with the next step, retry sends the request again. */
  onError?: OnRefused | undefined;
  /** none sends no Authorization header, invalid sends a made-up one; default valid. */
  credentials?: 'valid' | 'none' | 'invalid' | undefined;
  /** Rates an answer. */
  rateAnswer: {
    rating: 'up' | 'down';
    /** Default: the assistant message of the last completed turn.
     * Text in which ${name} is replaced when it is sent. */
    message?: string | undefined;
  };
} | {
  /** Waits: a duration, or one drawn from a distribution.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  pause: Duration | Assumed;
} | {
  /** Repeats steps; ${iteration} counts from 0. */
  repeat: {
    /** Range: at least 1, at most 1000000. */
    times: number;
    steps: readonly (Steps)[];
  };
};

type Expect = {
  /** The status, or a list of those allowed. */
  status?: Status | undefined;
  /** Dotted paths in the answer, for example messages.0.role. */
  body?: { [name: string]: string | number | boolean | null | {
    /** Whether the answer has the member. */
    exists: boolean;
  } | {
    type: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';
  } | {
    /** A regular expression of JavaScript, with the flag u. */
    matches: string;
  } | {
    oneOf: readonly (string | number | boolean)[];
  } | {
    min?: number | undefined;
    max?: number | undefined;
  } | {
    /** Range: at least 0. */
    minLength?: number | undefined;
    /** Range: at least 0. */
    maxLength?: number | undefined;
  } } | undefined;
};

type Status = number | readonly (number)[];

type Conversation = 'new' | 'chosen' | 'resume' | string;

type Location = {
  /** Text in which ${name} is replaced when it is sent. */
  city?: string | undefined;
  /** Text in which ${name} is replaced when it is sent. */
  commune?: string | undefined;
};

type Follow = {
  /** poll: read the turn again and again. stream: open its event stream. both: side by side.
   * Default: "poll". */
  by?: 'poll' | 'stream' | 'both' | undefined;
  /** Planned time between two polls.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "1s". */
  interval?: Duration | undefined;
  /** Factor by which the interval grows after each poll.
   * Default: 1.
   * Range: at least 1, at most 10. */
  backoff?: number | undefined;
  /** The interval grows up to this. Default: 30s, or `interval` if that is longer.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  maxInterval?: Duration | undefined;
  /** Stop following a turn this long after the step began, in a burst after the acceptance of its message; it then counts as unfinished, and onError applies. Default: 60s, or twice `interval` if that is longer. No poll is due later, but one that waits for a cap is still sent.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  deadline?: Duration | undefined;
};

type Pages = 'all' | number;

type Load = Load2 | readonly (Load2)[];

type Load2 = ConstantRate | RampingRate | Steps2 | Spike | Poisson | Gamma | Burst | Replay | PacedToLimits | ClosedUsers | RampingUsers | SharedIterations | PerUserIterations;

type ConstantRate = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** Arrivals at equal distances. */
  model: 'constant-rate';
  /** A rate with its unit: 20/min, 0.5/s, 50/day, 120/h. */
  rate: string;
  /** A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration: Duration;
};

type RampingRate = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** A rate that changes linearly, stage by stage. */
  model: 'ramping-rate';
  /** The rate at the start.
   * A rate with its unit, which may be 0/s: 20/min, 0.5/s, 50/day.
   * Default: "0/s". */
  from?: string | undefined;
  /** Stages in sequence; within each the rate changes linearly. */
  stages: readonly (Stages)[];
};

type Stages = {
  /** The rate at its end.
   * A rate with its unit, which may be 0/s: 20/min, 0.5/s, 50/day. */
  to: string;
  /** How long the change takes; 0 changes at once. To hold a rate, repeat it as the next stage.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  duration: Duration;
};

type Steps2 = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** A staircase of rates. */
  model: 'steps';
  /** The rate of the first step.
   * A rate with its unit: 20/min, 0.5/s, 50/day, 120/h. */
  from: string;
  /** What each step adds.
   * A rate with its unit: 20/min, 0.5/s, 50/day, 120/h. */
  by: string;
  /** Number of steps, the first one included. Summaries and gates call them stair-1, stair-2, …
   * Range: at least 1, at most 10000. */
  steps: number;
  /** Length of each step.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  each: Duration;
};

type Spike = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** A base rate, a peak, and the base rate again. */
  model: 'spike';
  /** The rate before and after.
   * A rate with its unit, which may be 0/s: 20/min, 0.5/s, 50/day.
   * Default: "0/s". */
  base?: string | undefined;
  /** The rate at the top.
   * A rate with its unit: 20/min, 0.5/s, 50/day, 120/h. */
  peak: string;
  /** Time at the base rate before the spike.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  before?: Duration | undefined;
  /** Time from the base to the peak, and down again; 0 changes at once.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  ramp?: Duration | undefined;
  /** Time at the peak.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  hold: Duration;
  /** Time at the base rate after the spike, to see the service recover.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  after?: Duration | undefined;
};

type Poisson = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** Arrivals as from independent users. */
  model: 'poisson';
  /** The mean rate; the gaps are exponentially distributed, as with independent users.
   * A rate with its unit: 20/min, 0.5/s, 50/day, 120/h. */
  rate: string;
  /** A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration: Duration;
};

type Gamma = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** Arrivals that cluster, or are more even than independent ones. */
  model: 'gamma';
  /** The mean rate.
   * A rate with its unit: 20/min, 0.5/s, 50/day, 120/h. */
  rate: string;
  /** A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration: Duration;
  /** Shape of the gaps, which are gamma distributed: 1 is poisson, below 1 arrivals cluster, above 1 they are more even (the gaps' standard deviation is the mean gap ÷ √burstiness).
   * Range: at least 0.01, at most 1000. */
  burstiness: number;
};

type Burst = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** All at once, or `gap` apart. */
  model: 'burst';
  /** Arrivals.
   * Range: at least 1, at most 1000000. */
  count: number;
  /** Time between two arrivals; 0 starts all at once.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  gap?: Duration | undefined;
};

type Replay = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** The times of a file. */
  model: 'replay';
  /** Beside this file: a CSV with a header line, or the history.ndjson of an earlier run. Its first time is the start. */
  file: string;
  /** Of a CSV, the column of times: 1.5s, 2026-01-15T09:00:00.250Z, or bare numbers. Instants without a zone are taken as UTC.
   * Default: "at". */
  column?: string | undefined;
  /** Unit of bare numbers. Absent: ms or us if the name of the column ends in _ms or _us; otherwise s. */
  unit?: 's' | 'ms' | 'us' | undefined;
  /** Replay speed: 2 takes half the time.
   * Default: 1.
   * Range: above 0, at most 1000000. */
  speed?: number | undefined;
};

type PacedToLimits = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once. */
  noCatchUp?: boolean | undefined;
  /** As many journeys as the declared limits allow, polls and processing time included. */
  model: 'paced-to-limits';
  /** A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration: Duration;
  /** Share of each declared limit to use.
   * Default: 1.
   * Range: above 0, at most 1. */
  share?: number | undefined;
  /** Pacing assumes turns as long as this quantile of their assumed durations.
   * Default: 0.99.
   * Range: above 0, below 1. */
  turnsWithin?: number | undefined;
};

type ClosedUsers = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** Pause between two journeys of a user.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  think?: Think | undefined;
  /** Users who each start the next journey when the previous one has ended. */
  model: 'closed-users';
  /** Users who each start the next journey when the previous one has ended.
   * Range: at least 1, at most 100000. */
  users: number;
  /** No journey starts after this.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration?: Duration | undefined;
  /** Journeys per user; give it, or duration, or both.
   * Range: at least 1. */
  iterations?: number | undefined;
};

type Think = Duration | Assumed;

type RampingUsers = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** Pause between two journeys of a user.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  think?: Think | undefined;
  /** The same as closed-users with a number of users that changes, stage by stage. */
  model: 'ramping-users';
  /** Users at the start.
   * Default: 0.
   * Range: at least 0, at most 100000. */
  from?: number | undefined;
  /** Stages in sequence; within each the number changes linearly. A user who leaves finishes the current journey first. */
  stages: readonly (Stages2)[];
};

type Stages2 = {
  /** Users at its end.
   * Range: at least 0, at most 100000. */
  to: number;
  /** How long the change takes; 0 changes at once. To hold a number, repeat it as the next stage.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  duration: Duration;
};

type SharedIterations = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** Pause between two journeys of a user.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  think?: Think | undefined;
  /** Users who share a number of journeys. */
  model: 'shared-iterations';
  /** Users who share the journeys: the next free user takes the next one.
   * Range: at least 1, at most 100000. */
  users: number;
  /** Total number of journeys.
   * Range: at least 1, at most 100000000. */
  iterations: number;
  /** No journey starts after this; absent: until all are done.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration?: Duration | undefined;
};

type PerUserIterations = {
  /** Only these journeys; default all, by weight. */
  journeys?: readonly (string)[] | undefined;
  /** Only these users, in turn: ids of listed users, or labels (u1 is the first); default all. */
  onlyUsers?: readonly (string)[] | undefined;
  /** When the load begins, after the start of the phase.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  start?: Duration | undefined;
  /** Pause between two journeys of a user.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  think?: Think | undefined;
  /** Users who each run a number of journeys. */
  model: 'per-user-iterations';
  /** Users who each start the next journey when the previous one has ended.
   * Range: at least 1, at most 100000. */
  users: number;
  /** Journeys of each user.
   * Range: at least 1, at most 100000000. */
  iterations: number;
  /** No journey starts after this; absent: until all are done.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration?: Duration | undefined;
};

type Phases = {
  /** Name in stages.csv and in gates. */
  name: string;
  /** One load model, or several that run in parallel. */
  load: Load;
  /** Length of the phase; the next one begins after it. Default: the longest of its load models. Required before another phase if none of its load models has a planned length.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  duration?: Duration | undefined;
};

type Caps = {
  /** Maximum of requests that wait for an answer at the same time.
   * Range: at least 1. */
  inFlight?: number | undefined;
  /** Maximum of turns that are accepted and not known to be finished. A turn that its journey does not follow to the end counts until the journey ends.
   * Range: at least 1. */
  openTurns?: number | undefined;
  /** Maximum of requests per minute of the service's clock; only requests that count towards the rate limit.
   * Range: at least 1, at most 10000000. */
  requestsPerMinute?: number | undefined;
  /** What happens to an arrival when a cap is full: it waits, or it is dropped and counted.
   * Default: "queue". */
  whenFull?: 'queue' | 'drop' | undefined;
};

type Gates = string | readonly (Gates2)[];

type Gates2 = string | {
  /** k6's grammar: p(95)<300, rate<0.01, count>=50; times in milliseconds, shares from 0 to 1. bound(p(90))<8000 judges the 95 % bound instead of the estimate. Of limit.rate, limit.concurrency and limit.daily: held, or not violated. */
  threshold: string;
  /** A failure ends the run at once (exit code 108); one of bound(…) only if the bound at the other end fails, too.
   * Default: false. */
  abortOnFail?: boolean | undefined;
  /** Run time before which a failure does not end the run.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  delayAbortEval?: Duration | undefined;
  /** Judge every window of this length, ending at each whole second, instead of the whole run; whole seconds.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  window?: Duration | undefined;
  /** True: a gate with too few samples does not fail the run.
   * Default: false. */
  allowNoData?: boolean | undefined;
};

type Generator = {
  /** Allowed median of the schedule lag: how late requests leave because of the generator itself. If the service takes longer at the same percentile, its time without the event loop's delay applies instead.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "50ms". */
  medianLag?: Duration | undefined;
  /** Allowed 99th percentile of the schedule lag. If the service takes longer at the same percentile, its time without the event loop's delay applies instead.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "500ms". */
  p99Lag?: Duration | undefined;
  /** Allowed typical delay of the event loop, during which an answer is not read, and allowed mean time for which standstills leave answers unread. If the service takes longer at the same percentile, its time without the event loop's delay applies instead.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.
   * Default: "50ms". */
  eventLoop?: Duration | undefined;
  /** Allowed share of arrivals that are dropped as late if a rate is a ceiling (noCatchUp).
   * Default: 0.01.
   * Range: at least 0, at most 1. */
  lateDrops?: number | undefined;
  /** Whether a run in which the generator is the bottleneck is invalid (exit code 11); false: only a warning.
   * Default: true. */
  enforce?: boolean | undefined;
};

type Record = {
  /** Write message texts into the journal, without values from the environment.
   * Default: false. */
  messages?: boolean | undefined;
};

/** A scenario as written in a file or passed to `scenario()`. */
export interface ScenarioInput {
  $schema?: string | undefined;
  /** Names the results folder. */
  name: string;
  description?: string | undefined;
  /** Target profile: a file beside this one, or its content. Default: the embedded sandbox's. */
  profile?: Profile | undefined;
  /** Settings of the embedded sandbox; unused with another target. */
  sandbox?: Sandbox | undefined;
  /** The same seed gives the same plan; `--seed` overrides it.
   * Default: 1.
   * Range: at least 0, at most 4294967295. */
  seed?: number | undefined;
  /** Used as ${vars.NAME}; `-e NAME=VALUE` overrides them. */
  variables?: { [name: string]: string | number } | undefined;
  /** Partner applications by label. Default: one, a1, with the profile's credentials. null: the embedded sandbox creates credentials. */
  applications?: { [name: string]: {
    /** An environment variable: ${env.NAME}. Never the value. */
    clientId: string;
    /** An environment variable: ${env.NAME}. Never the value. */
    clientSecret: string;
  } | null } | undefined;
  /** Number of users, or a list of them; arrivals use them in turn.
   * Default: 1. */
  users?: Users | undefined;
  /** Locale and time zone of token requests, unless the user or the step sets them. Default: neither is sent. */
  tokens?: Tokens2 | undefined;
  /** Rows of data; one row per arrival, used as ${data.NAME.COLUMN}. */
  data?: { [name: string]: {
    /** CSV with a header line, or a JSON array of objects; path relative to this file. */
    file: string;
    /** sequential: arrival 0 has the first row, and so on, over and over. random: a row drawn by the seed.
     * Default: "sequential". */
    order?: 'sequential' | 'random' | undefined;
  } } | undefined;
  /** What users do, by name; each arrival goes through one of them. */
  journeys: { [name: string]: Journeys };
  /** One load model, or several that run in parallel. */
  load?: Load | undefined;
  /** Phases one after the other; instead of load. */
  phases?: readonly (Phases)[] | undefined;
  /** Client-side limits; waiting for them is measured. */
  caps?: Caps | undefined;
  /** After a 429, unless the journey or the step says otherwise.
   * stop ends the journey, continue goes on with the next step, retry sends the request again.
   * Default: "stop". */
  onRefused?: OnRefused | undefined;
  /** After a missing answer or an error status, unless the journey or the step says otherwise.
   * stop ends the journey, continue goes on with the next step, retry sends the request again.
   * Default: "stop". */
  onError?: OnRefused | undefined;
  /** Conditions that the run must meet, otherwise exit code 99; by metric, with tags in braces. Metrics: http_reqs{operation, outcome, status, application, journey, stage} (count, rate); http_req_duration{operation, outcome, application, journey, stage} (avg, min, max, med, p(N)); response_time{operation, outcome, application, journey, stage} (avg, min, max, med, p(N)); http_req_failed{operation, application, journey, stage} (rate); rate_limited{operation, limit, application, journey, stage} (rate); turn_completion{by, bound, application, journey, stage} (avg, min, max, med, p(N)); turn_first_event{application, journey, stage} (avg, min, max, med, p(N)); turn_first_delta{application, journey, stage} (avg, min, max, med, p(N)); turn_poll_lag{application, journey, stage} (avg, min, max, med, p(N)); turn_server_latency{application, journey, stage} (avg, min, max, med, p(N)); turn_failed{application, journey, stage} (rate); turn_not_completed{application, journey, stage} (rate); open_turns{bound} (value); daily_quota_used{application} (value); admitted_per_minute (value); iterations{journey, outcome, stage} (count, rate); iteration_duration{journey, stage} (avg, min, max, med, p(N)); dropped_iterations{reason, journey, stage} (count, rate); checks{journey, stage} (rate); retries{operation, application, journey, stage} (count, rate); cap_wait{cap, application, journey, stage} (avg, min, max, med, p(N)); schedule_lag (avg, min, max, med, p(N)); event_loop_delay (value); data_sent{operation, application, journey, stage} (count, rate); data_received{operation, application, journey, stage} (count, rate); limit.rate, limit.concurrency, limit.daily. */
  gates?: { [name: string]: Gates } | undefined;
  /** Exchanges intended before this time are excluded from all metrics.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.
   * Default: "0". */
  warmUp?: Duration | undefined;
  /** The run stops after this time, even if requests are open.
   * A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d. */
  deadline?: Duration | undefined;
  /** How long after the planned end the run stops as it does at its deadline. Default: it goes on until everything planned is done.
   * A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0. */
  gracefulStop?: Duration | undefined;
  /** Thresholds from which the generator itself counts as the bottleneck. */
  generator?: Generator | undefined;
  /** What the journal has besides. */
  record?: Record | undefined;
}
