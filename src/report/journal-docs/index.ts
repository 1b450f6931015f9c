import {
  type ClockRecord,
  type DropRecord,
  dropReasons,
  type EndRecord,
  type HealthRecord,
  type JournalRecord,
  type JourneyRecord,
  type SentRecord,
  type StreamRecord,
} from '../../history/index.ts';
import type { ColumnDoc } from '../column-doc.ts';
import { docsOf, type MembersOf } from './docs.ts';
import { exchangeDocs } from './exchange.ts';
import { headerDocs } from './header.ts';

const worker = 'Generator worker, from 1; absent in a run with one';

const clock: MembersOf<ClockRecord> = {
  kind: '`clock`',
  at: 'Instant (µs)',
  serviceUs:
    "The service's time at this instant, since 1970; later: serviceUs + (t − at) × rate, until the next such record (µs)",
  plusMinusUs: 'How far serviceUs may be wrong (µs)',
  rate: 'Service seconds per run second',
};

const sent: MembersOf<SentRecord> = {
  kind: '`sent`',
  seq: 'As in the exchange that follows; without one, the request was in flight when the history ends',
  operation: 'API operation',
  at: 'When it was about to be sent (µs)',
  worker,
};

const stream: MembersOf<StreamRecord> = {
  kind: '`stream`',
  turn: 'Id of the turn',
  event: '`opened`, `status`, `delta`, `completed`, `failed`, `closed`, or `unknown` for an event of another name',
  at: 'When it was received (µs)',
  readLateUs: 'Of an event of the service: how long before that it may have arrived, as in an exchange (µs)',
  sequence: 'sequence of the event',
  status: 'Status in the event',
  reason: 'Of `closed`: `completed`, `failed`, `dropped`, `deadline`, `stopped`',
  expect: 'Of `closed`: expectations of the step, compared with the event that ended the turn, as in an exchange',
  handshake: 'Beside `expect`: the exchange that opened the stream: `seq`, `sentAt`, `intendedAt`, `journey`',
  worker,
};

const drop: MembersOf<DropRecord> = {
  kind: '`drop`',
  intendedAt: 'When it was to start (µs)',
  arrival: 'Index of the arrival',
  journey: 'Name of the journey',
  reason: `${dropReasons.map((reason) => `\`${reason}\``).join(', ')}, as in \`drops\` of \`summary.json\``,
  count: 'Number of arrivals of this journey, second and reason that this line stands for; absent: 1',
  lastArrival: 'Index of the last of them; present with `count`',
  worker,
};

const health: MembersOf<HealthRecord> = {
  kind: '`health`',
  at: 'End of the interval; it began with the previous record of the worker, or with the run (µs)',
  eventLoopP99Us: "99th percentile of the event loop's delay (µs)",
  eventLoopP50Us: "Median of the event loop's delay (µs)",
  eventLoopMaxUs: 'Longest delay of the event loop: how long it stood still (µs)',
  eventLoopWaitUs: 'How long an answer that arrives at any instant waits on average until the event loop reads it (µs)',
  scheduleLagP99Us: '99th percentile of the schedule lag; absent if nothing was sent (µs)',
  gcUs: 'Garbage collection, in all (µs)',
  gcMaxUs: 'Longest pause of garbage collection (µs)',
  backlog: 'Records not yet on the disk',
  connectionQueue: 'Maximum number of requests that waited for a connection; absent: none',
  unasked: 'Connections closed because bytes arrived that no request had asked for; absent: none',
  unaskedOn: 'Their numbers; all answers on them but the first prove nothing, as they may be of earlier requests',
  cpuUs: 'CPU time (µs)',
  worker,
};

const journey: MembersOf<JourneyRecord> = {
  kind: '`journey`',
  arrival: 'Index of the arrival',
  journey: 'Name of the journey',
  intendedAt: 'When it was to start; decides to which stage it belongs, and whether to the warm-up (µs)',
  startedAt: 'When it started (µs)',
  endedAt: 'When it ended (µs)',
  outcome: "`completed`, `stopped` (by a refusal or an error) or `interrupted` (by the run's end)",
  stoppedAt: 'The `operation` at which it stopped, and `because` of what',
  worker,
};

const end: MembersOf<EndRecord> = {
  kind: '`end`',
  at: 'The end (µs)',
  arrivals: 'Arrivals, dropped ones included',
  exchanges: 'Number of `exchange` lines',
  streams: 'Number of streams opened: of `stream` lines with the event `opened`',
  drops: 'Arrivals dropped: the sum of `count` of the `drop` lines',
  complete: 'Whether the run reached its end',
  reason: 'Why not: `interrupted`, `deadline`, `disk`, `target`, `sandbox`, `gate`, `budget`',
  gate: 'The gate that ended the run, with its window if it has one; absent if none did',
};

/** The members of every kind of line of the journal, for results/README.md. */
export const journalDocs: Readonly<Record<JournalRecord['kind'], readonly ColumnDoc[]>> = {
  header: headerDocs,
  clock: docsOf(clock),
  sent: docsOf(sent),
  exchange: exchangeDocs,
  stream: docsOf(stream),
  drop: docsOf(drop),
  health: docsOf(health),
  journey: docsOf(journey),
  end: docsOf(end),
};
