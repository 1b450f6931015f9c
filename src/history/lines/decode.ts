import { operationIds } from '../../api/index.ts';
import type { JournalRecord } from '../records.ts';
import {
  boolean,
  type Check,
  count,
  counts,
  drift,
  has,
  instant,
  limit,
  number,
  oneOf,
  optional,
  serviceTime,
  speed,
  string,
  strings,
  time,
  window,
} from './checks.ts';
import { expectations, isExchange, isSent, worker } from './exchange-checks.ts';
import { readSentLine } from './sent-line.ts';

type Kind = JournalRecord['kind'];

/** Bounds memory: collectors keep data per stage. Plans have fewer. */
const MOST_STAGES_READ = 1_000;

const isChange = optional(has({ from: number, to: number }));
const isStage = has({ name: string, fromUs: count, toUs: count, arrivalsPerMinute: isChange, users: isChange });
/** Stages must be in the order of time: finding the stage of an instant relies on it. */
const isStages: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MOST_STAGES_READ &&
  value.every((stage, index) => isStage(stage) && (index === 0 || value[index - 1].toUs <= stage.fromUs)) &&
  value.every(({ fromUs, toUs }) => fromUs <= toUs) &&
  new Set(value.map(({ name }) => name)).size === value.length;

const headerFields: Readonly<Record<string, Check>> = {
  format: string,
  version: number,
  runId: string,
  startedAt: instant,
  scenario: string,
  seed: number,
  plan: optional(string),
  warmUpUs: count,
  limits: has({
    rate: has({ max: limit, windowUs: window }),
    concurrency: has({ max: limit }),
    daily: has({ max: limit }),
  }),
  clock: has({ driftPpm: drift, granularityUs: count, maxServerDelayUs: count, rate: optional(speed) }),
  exclusive: boolean,
  flushed: has({ rate: optional(boolean), concurrency: optional(boolean), daily: optional(boolean) }),
  expecting: optional(strings),
  timezones: optional(strings),
  journeys: optional(strings),
  applications: optional(strings),
  stages: optional(isStages),
  round: optional(has({ number: count, of: count, side: oneOf('base', 'candidate') })),
  generator: optional(
    has({ medianLagUs: time, p99LagUs: time, eventLoopUs: time, lateShare: number, enforced: boolean }),
  ),
  tool: string,
  node: string,
};

/** The members that readers of a history rely on. Other members are kept unchecked. */
const checks: { readonly [K in Kind]: Check } = {
  header: has(headerFields),
  clock: has({ at: time, serviceUs: serviceTime, plusMinusUs: count, rate: speed }),
  sent: isSent,
  exchange: isExchange,
  stream: has({
    turn: string,
    event: string,
    at: time,
    readLateUs: optional(time),
    sequence: optional(count),
    status: optional(string),
    reason: optional(string),
    expect: optional(expectations),
    handshake: optional(has({ seq: count, sentAt: time, intendedAt: time, journey: optional(string) })),
    worker,
  }),
  drop: has({
    intendedAt: time,
    arrival: count,
    journey: string,
    reason: string,
    count: optional(count),
    lastArrival: optional(count),
    worker,
  }),
  health: has({
    at: time,
    eventLoopP99Us: optional(time),
    eventLoopP50Us: optional(time),
    eventLoopMaxUs: optional(time),
    eventLoopWaitUs: optional(time),
    scheduleLagP99Us: optional(time),
    gcUs: time,
    gcMaxUs: optional(time),
    backlog: count,
    connectionQueue: optional(count),
    unasked: optional(count),
    unaskedOn: optional(counts),
    cpuUs: optional(time),
    worker,
  }),
  journey: has({
    arrival: count,
    journey: string,
    intendedAt: optional(time),
    startedAt: time,
    endedAt: time,
    outcome: oneOf('completed', 'stopped', 'interrupted'),
    stoppedAt: optional(has({ operation: oneOf(...operationIds), because: string })),
    worker,
  }),
  end: has({
    at: time,
    arrivals: count,
    exchanges: count,
    streams: count,
    drops: count,
    complete: boolean,
    reason: optional(string),
    gate: optional(string),
  }),
};
const checkOf: ReadonlyMap<string, Check> = new Map(Object.entries(checks));

/** Names of the header's members without which it is no record: those that it lacks, and those of another form. */
export function headerFaults(value: Readonly<Record<string, unknown>>): Record<'missing' | 'wrong', readonly string[]> {
  const faulty = Object.keys(headerFields)
    .filter((name) => headerFields[name]?.(value[name]) === false)
    .sort();
  const isMissing = (name: string) => value[name] === undefined;
  return { missing: faulty.filter(isMissing), wrong: faulty.filter((name) => !isMissing(name)) };
}

/** Why a line is no record; `unknown-kind`: a kind that a later version added. */
export type NoRecord = 'blank' | 'bad' | 'unknown-kind';

/** Reads one line. Unknown members are kept; a record is bad if a required member is missing or has another type. */
export const decodeLine = (text: string): JournalRecord | NoRecord => readSentLine(text) ?? decodeJson(text);

function decodeJson(text: string): JournalRecord | NoRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.trim() === '' ? 'blank' : 'bad';
  }
  if (typeof value !== 'object' || value === null) return 'bad';
  const { kind } = value as { readonly kind?: unknown };
  // Nearly all records that reach this point are exchanges.
  if (kind === 'exchange') return isExchange(value) ? (value as JournalRecord) : 'bad';
  if (typeof kind !== 'string') return 'bad';
  const check = checkOf.get(kind);
  if (!check) return 'unknown-kind';
  return check(value) ? (value as JournalRecord) : 'bad';
}
