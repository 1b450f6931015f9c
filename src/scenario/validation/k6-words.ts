const TIMEOUT =
  'how long an answer may take is client: { deadline: … } of the profile; followTurn has a deadline of its own';

/** Hints for keys of k6 that have another name here. */
const keys: Readonly<Record<string, string>> = {
  vus: 'write load: { model: closed-users, users: N, duration: … }',
  duration: 'loads with a rate or with users have it: load: { model: constant-rate, rate: 20/min, duration: 30s }',
  iterations: 'write load: { model: shared-iterations, users: N, iterations: N }',
  baseUrl: 'the service is named by --target, or by baseUrl in the profile',
  stages: 'write load: { model: ramping-rate, … } or { model: ramping-users, … }, which have stages',
  thresholds: "k6's thresholds are gates: { METRIC: EXPRESSION }",
  scenarios: "k6's scenarios are a list below load (side by side) or below phases (one after the other)",
  executor: "k6's executor is the model of a load",
  preAllocatedVUs: 'users are declared below users; to limit concurrent requests, write caps: { inFlight: N }',
  maxVUs: 'to limit concurrent requests, write caps: { inFlight: N }',
  timeUnit: 'a rate has its unit: rate: 20/min',
  startRate: "k6's startRate is from",
  startVUs: "k6's startVUs is from",
  gracefulStop: 'write it once, beside load or phases: it counts from the planned end of the last phase',
  maxDuration: "k6's maxDuration is deadline, of the scenario",
  target: "k6's target of a stage is to; the service is named by --target, or by baseUrl in the profile",
  sleep: "k6's sleep is the step pause: 1s",
  check: "k6's check is expect: { status: …, body: … } of a step",
  checks: "k6's checks are expect: { status: …, body: … } of a step",
  timeout: TIMEOUT,
  requestTimeout: TIMEOUT,
  tags: 'custom tags are not supported; metrics have the tags operation, journey and more',
};

const executors: Readonly<Record<string, string>> = {
  'constant-vus': 'closed-users',
  'ramping-vus': 'ramping-users',
  'per-vu-iterations': 'per-user-iterations',
  'constant-arrival-rate': 'constant-rate',
  'ramping-arrival-rate': 'ramping-rate',
};

/** The hint for an unknown key; undefined if it is not a key of k6. */
export const k6KeyHint = (key: string): string | undefined => (Object.hasOwn(keys, key) ? keys[key] : undefined);

/** The load model that corresponds to an executor of k6. */
export const modelOfExecutor = (name: string): string | undefined =>
  Object.hasOwn(executors, name) ? executors[name] : undefined;
