import { nearest } from '../../base/index.ts';

const inScenario = (load: string) => `the scenario says it: load: { ${load} }`;
const users = inScenario('model: closed-users, users: N, duration: …');
const rate = inScenario('model: constant-rate, rate: …, duration: …');
const headers = 'name it in client.headers of the profile';
const inFolder = 'a run writes all results into the folder that --out names: summary.json, requests.csv and more';
const byAuthority =
  'name the PEM file of the authority that vouches for the certificate as client.caFile in the profile';

const clientCertificate =
  'name the PEM files of a client certificate as client.certFile and client.keyFile in the profile';

/** What to write instead of the switches of other load generators, for `run` and `plan`. */
const switches: Readonly<Record<string, string>> = {
  vus: users,
  users,
  c: users,
  connections: users,
  iterations: inScenario('model: shared-iterations, users: N, iterations: N'),
  stage: inScenario('model: ramping-rate, from: …, stages: […]'),
  rate,
  rps: rate,
  R: rate,
  'request-rate': rate,
  burstiness: inScenario('model: gamma, rate: …, burstiness: …, duration: …'),
  'max-concurrency': 'the scenario says it: caps: { inFlight: N }',
  warmup: 'the scenario says it: warmUp: 10s',
  d: 'write --duration',
  threads: 'spillway run --workers sends from several threads',
  timeout: 'name it as client.deadline in the profile',
  header: headers,
  H: headers,
  threshold: 'spillway run --gate judges a run by a threshold',
  'dry-run': 'spillway plan sends nothing and shows what a run would cost',
  'summary-export': inFolder,
  output: inFolder,
  o: `${inFolder}; --dashboard serves its numbers for Prometheus during the run`,
  insecure: byAuthority,
  'insecure-skip-tls-verify': byAuthority,
  cacert: byAuthority,
  'root-certs': byAuthority,
  cert: clientCertificate,
  key: clientCertificate,
  proxy: 'name it as client.proxy in the profile',
  verbose: 'spillway run --debug prints every exchange',
  color: 'set the environment variable NO_COLOR=1 for output without colours',
};

const checks = 'spillway plan reports every mistake in a scenario and sends nothing';
const runs = 'spillway run sends the load of a scenario';
const dashboard = 'spillway run --dashboard serves the charts of a run while it lasts';

/** What to write instead of the commands of other load generators. */
const commands: Readonly<Record<string, string>> = {
  validate: checks,
  inspect: checks,
  lint: checks,
  attack: runs,
  dashboard,
};

/** The hint for a command of another load generator, or what looks like one; undefined if it is none. */
export const otherCommandHint = (name: string): string | undefined =>
  commands[nearest(name, Object.keys(commands)) ?? ''];

/** The hint for a switch of another load generator; undefined if it is none. */
export const otherWordHint = (name: string): string | undefined =>
  Object.hasOwn(switches, name) ? switches[name] : undefined;
