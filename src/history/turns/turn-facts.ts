import type { Micros } from '../../base/index.ts';
import type { Exchange, JournalRecord, StreamRecord } from '../records.ts';
import type { ProfileWords } from './profile-words.ts';

/** The answer that opened a turn; if several name it (resends), the one sent first. */
export interface Acceptance {
  readonly seq: number;
  readonly worker?: number;
  readonly intendedAt: Micros;
  readonly sentAt: Micros;
  readonly headersAt: Micros;
  readonly receivedAt: Micros;
  readonly application: string;
  readonly user: string;
  readonly conversation?: string;
  readonly arrival: number;
  readonly journey: string;
  /** client_message_id */
  readonly message?: string;
}

/** An observation that a turn has ended. */
export interface FinishSeen {
  readonly by: 'poll' | 'stream' | 'message';
  readonly at: Micros;
  readonly state: 'completed' | 'failed';
}

/**
 * What is known of one turn. Every member is a minimum, a maximum or a sum, so facts can be added in any order and from several
 * parts of a history.
 */
export interface TurnFacts {
  acceptance?: Acceptance;
  /** Latest sentAt of a poll that showed the turn open. */
  lastOpenSentAt?: Micros;
  /** Earliest observation of each kind. */
  finishedByPoll?: FinishSeen;
  finishedByStream?: FinishSeen;
  finishedByMessage?: FinishSeen;
  /** Earliest observation of each end: a turn that failed may be tried again. */
  completedAt?: Micros;
  failedAt?: Micros;
  firstEventAt?: Micros;
  firstDeltaAt?: Micros;
  /** The service's latency_ms, from the earliest poll that had it. */
  latency?: { readonly at: Micros; readonly ms: number };
  polls: number;
  streamEvents: number;
}

export const emptyFacts = (): TurnFacts => ({ polls: 0, streamEvents: 0 });

/** Adds facts about a turn to what is known of it. */
export function addFacts(known: TurnFacts, more: Partial<TurnFacts>): void {
  known.polls += more.polls ?? 0;
  known.streamEvents += more.streamEvents ?? 0;
  least(known, more, 'acceptance', (a, b) => a.sentAt - b.sentAt || (a.worker ?? 0) - (b.worker ?? 0) || a.seq - b.seq);
  least(known, more, 'lastOpenSentAt', (a, b) => b - a);
  const earlier = (a: FinishSeen, b: FinishSeen) => a.at - b.at || (a.state < b.state ? -1 : a.state > b.state ? 1 : 0);
  least(known, more, 'finishedByPoll', earlier);
  least(known, more, 'finishedByStream', earlier);
  least(known, more, 'finishedByMessage', earlier);
  least(known, more, 'completedAt', (a, b) => a - b);
  least(known, more, 'failedAt', (a, b) => a - b);
  least(known, more, 'firstEventAt', (a, b) => a - b);
  least(known, more, 'firstDeltaAt', (a, b) => a - b);
  least(known, more, 'latency', (a, b) => a.at - b.at || a.ms - b.ms);
}

/** Keeps the smaller of two values of a member by `order`. */
function least<K extends keyof TurnFacts>(
  known: TurnFacts,
  more: Partial<TurnFacts>,
  member: K,
  order: (a: NonNullable<TurnFacts[K]>, b: NonNullable<TurnFacts[K]>) => number,
): void {
  const theirs = more[member];
  const ours = known[member];
  if (theirs === undefined || theirs === null) return;
  if (ours === undefined || ours === null || order(theirs, ours) < 0) (known as Partial<TurnFacts>)[member] = theirs;
}

/** What one record shows of a turn; `undefined` if it concerns none. */
export function factsOf(
  record: JournalRecord,
  words: ProfileWords['turns'],
): { turn: string; facts: Partial<TurnFacts> } | undefined {
  if (record.kind === 'stream') return { turn: record.turn, facts: factsOfStream(record) };
  if (record.kind !== 'exchange' || record.turn === undefined) return undefined;
  if (record.operation === 'sendMessage') return { turn: record.turn.id, facts: factsOfMessage(record, words) };
  if (record.operation === 'readTurn') return { turn: record.turn.id, facts: factsOfPoll(record, words) };
  return undefined;
}

function factsOfMessage(exchange: Exchange, words: ProfileWords['turns']): Partial<TurnFacts> {
  const { headersAt } = exchange;
  if (exchange.outcome !== 'answered' || headersAt === undefined) return {};
  const state = finishedState(exchange.turn?.status, words);
  return {
    acceptance: {
      seq: exchange.seq,
      intendedAt: exchange.intendedAt,
      sentAt: exchange.sentAt,
      headersAt,
      receivedAt: exchange.receivedAt,
      application: exchange.application,
      user: exchange.user,
      arrival: exchange.arrival,
      journey: exchange.journey,
      ...(exchange.worker !== undefined && { worker: exchange.worker }),
      ...(exchange.conversation !== undefined && { conversation: exchange.conversation }),
      ...(exchange.message && { message: exchange.message.id }),
    },
    // A 202 that says "queued" does not prove that a turn is open: a resend may be answered with a copy of the first answer.
    ...(state && { finishedByMessage: { by: 'message' as const, at: headersAt, state }, ...endedAt(state, headersAt) }),
  };
}

function factsOfPoll(exchange: Exchange, words: ProfileWords['turns']): Partial<TurnFacts> {
  const { headersAt, turn } = exchange;
  const facts: Partial<TurnFacts> = { polls: 1 };
  if (exchange.outcome !== 'answered' || headersAt === undefined || turn?.status === undefined) return facts;
  const state = finishedState(turn.status, words);
  if (state) {
    facts.finishedByPoll = { by: 'poll', at: headersAt, state };
    facts[`${state}At`] = headersAt;
  }
  if (words.open.includes(turn.status)) facts.lastOpenSentAt = exchange.sentAt;
  if (isPlausible(turn.latencyMs)) facts.latency = { at: headersAt, ms: turn.latencyMs };
  return facts;
}

/** Ignores values that are not durations from 0 to about thirty years (10^12 ms). */
const isPlausible = (ms: number | undefined): ms is number => ms !== undefined && ms >= 0 && ms <= 1e12;

function factsOfStream(record: StreamRecord): Partial<TurnFacts> {
  if (record.event === 'opened' || record.event === 'closed') return {};
  const finished = record.event === 'completed' || record.event === 'failed' ? record.event : undefined;
  return {
    streamEvents: 1,
    firstEventAt: record.at,
    ...(record.event === 'delta' && { firstDeltaAt: record.at }),
    ...(finished && {
      finishedByStream: { by: 'stream' as const, at: record.at, state: finished },
      ...endedAt(finished, record.at),
    }),
  };
}

const endedAt = (state: FinishSeen['state'], at: Micros): Partial<TurnFacts> =>
  state === 'completed' ? { completedAt: at } : { failedAt: at };

function finishedState(status: string | undefined, words: ProfileWords['turns']): FinishSeen['state'] | undefined {
  if (status === undefined) return undefined;
  if (words.completed.includes(status)) return 'completed';
  return words.failed.includes(status) ? 'failed' : undefined;
}
