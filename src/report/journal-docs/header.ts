import type { GeneratorLimits, Header, RoundOf, StageRecord } from '../../history/index.ts';
import { docsOf, type MembersOf } from './docs.ts';

const own: MembersOf<Header> = {
  kind: '`header`',
  format: 'Always `spillway-history`',
  version: 'Version of this format, now 1',
  runId: 'Identifier of the run',
  startedAt: 'The wall clock at run time 0: UTC, ISO 8601',
  scenario: 'Name of the scenario',
  seed: 'Seed of the plan',
  profile:
    'Target profile as judged, durations in ms. `success` names statuses of success where they differ from 201 (createConversation), 202 (sendMessage), 101 (openStream), 200 or 201 (issueToken, rateAnswer) and 200 (the rest); `errorCodes` says which limit a 429 names; `turns` which statuses are open, completed or failed',
  gates: 'Gates by metric; windows in ms',
  plan: 'Digest of the plan: equal for runs of the same journeys, load, caps, users and data',
  warmUpUs: 'Everything intended before this is warm-up: judged, but in no metric (µs)',
  limits:
    "Declared limits; `rate.windowUs` is time of the service's clock, `rate.reading` the declared algorithm or `unknown`",
  clock:
    "What is assumed of the service's clock: `driftPpm`, `granularityUs`, `maxServerDelayUs`, and its `rate` if it is known exactly",
  exclusive: 'Whether nobody else used the credentials',
  flushed: 'By limit, whether its window was empty at the start',
  expecting: 'Journeys with expectations; absent: none',
  timezones: 'Time zones requested for tokens; absent if they are not all known',
  journeys: 'Journeys of the scenario',
  applications: 'Labels of the applications',
  stages: 'Stages of the plan; absent if there is only one',
  generator: 'From where on the generator counts as the bottleneck',
  tool: 'Name and version of the tool',
  node: 'Version of Node',
  workers: 'Number of workers; absent for one',
  round: 'Which of several rounds it is; absent for a single run',
};

const stage: MembersOf<StageRecord> = {
  name: 'Unique name',
  fromUs: 'Start (µs)',
  toUs: 'Start of the next stage; for the last one, the planned end (µs)',
  arrivalsPerMinute:
    'Rate of the open load models at its start (`from`) and end (`to`); absent without such models, and if one of them has no rate',
  users: 'Users of closed load models, likewise',
};

const generator: MembersOf<GeneratorLimits> = {
  medianLagUs: 'Allowed median of the schedule lag (µs)',
  p99LagUs: 'Allowed 99th percentile of the schedule lag (µs)',
  eventLoopUs:
    'Allowed typical delay of the event loop, and allowed mean time for which it leaves an answer unread (µs)',
  lateShare: 'Allowed share of arrivals dropped as late, 0 to 1',
  enforced: 'Whether exceeding them makes the run invalid',
};

const round: MembersOf<RoundOf> = {
  number: 'From 1',
  of: 'Number of planned rounds',
  side: '`base` or `candidate`',
};

export const headerDocs = [
  ...docsOf(own),
  ...docsOf(stage, 'stages[]'),
  ...docsOf(generator, 'generator'),
  ...docsOf(round, 'round'),
];
