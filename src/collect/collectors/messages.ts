import type { Micros } from '../../base/index.ts';
import { type Exchange, type JournalRecord, UnansweredSends } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Counts, type Key, keyOf, partsOf } from '../counts.ts';
import { bucketOf } from '../service/scope.ts';
import type { DailyUse, FullestDay, Summary } from '../summary.ts';

type Part = Pick<Summary, 'messages' | 'dailyQuota' | 'fullestDay'> & { readonly warmUpMessages: number };

/** The accepted attempt at a distinct message that was sent first. */
interface FirstAcceptance {
  readonly application: string;
  readonly user: string;
  readonly token?: string;
  readonly conversation?: string;
  /** client_message_id */
  readonly message?: string;
  readonly seq: number;
  readonly worker?: number;
  readonly sentAt: Micros;
  readonly warmUp: boolean;
}

/** A distinct accepted message, with its accepted exchange that was sent first. */
export interface AcceptedMessage extends FirstAcceptance {
  /** UTC day of the service's clock: `2026-11-21`. */
  readonly day: string;
}

/**
 * Messages sent, accepted and replayed, and what they used of the daily quota. Keeps a small entry per distinct accepted message,
 * because a resend cannot be recognized otherwise.
 */
export class MessagesCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #distinct = new Map<string, FirstAcceptance>();
  #attempts = 0;
  #accepted = 0;
  /** Messages of which an attempt had no answer. */
  readonly #unanswered = new Set<string>();
  /** The same including the warm-up, with the times of sending. */
  readonly #lost = new UnansweredSends();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || record.operation !== 'sendMessage') return;
    this.#lost.add(record);
    const warmUp = this.#context.isWarmUp(record.intendedAt);
    // An answer that names a turn has accepted the message, even if its status is not the expected one.
    const accepted = this.#context.isSuccess(record) || (record.outcome === 'answered' && record.turn !== undefined);
    if (accepted) this.#keepFirst(messageKey(record), acceptanceOf(record, warmUp));
    if (warmUp) return;
    this.#attempts += 1;
    if (accepted) this.#accepted += 1;
    if (isWithoutAnswer(record)) this.#unanswered.add(messageKey(record));
  }

  merge(other: MessagesCollector): void {
    for (const [key, first] of other.#distinct) this.#keepFirst(key, first);
    this.#attempts += other.#attempts;
    this.#accepted += other.#accepted;
    for (const key of other.#unanswered) this.#unanswered.add(key);
    this.#lost.merge(other.#lost);
  }

  part(): Part {
    const warmUpMessages = [...this.#distinct.values()].filter((first) => first.warmUp).length;
    // A later accepted attempt settles what became of the message.
    const unknown = [...this.#unanswered].filter((key) => !this.#distinct.has(key)).length;
    const newMessages = this.#distinct.size - warmUpMessages;
    const fullestDay = this.#fullestDay();
    return {
      messages: {
        attempts: this.#attempts,
        accepted: this.#accepted,
        newMessages,
        replays: this.#accepted - newMessages,
        unknown,
      },
      dailyQuota: this.#dailyQuota(),
      ...(fullestDay && { fullestDay }),
      warmUpMessages,
    };
  }

  /** In order of sending; without messages whose day is unknown. */
  accepted(): AcceptedMessage[] {
    return [...this.#ofOneDay()].map((first) => ({ ...first, day: this.#dayOf(first.sentAt) })).sort(bySending);
  }

  /**
   * The most new messages in a day in one bucket of the quota's scope; of one application, if it is named. `undefined` if no message
   * was sent.
   */
  mostUsedOfOne(application?: string): number | undefined {
    if (this.#attempts === 0 && !this.#fullestDay()) return undefined;
    return this.#fullestDay(application)?.used ?? 0;
  }

  #dayOf(sentAt: Micros): string {
    return new Date(this.#context.serviceTime(sentAt) / 1_000).toISOString().slice(0, 10);
  }

  /** Without messages that may have been charged the day before by an unanswered attempt: their day is uncertain. */
  *#ofOneDay(): Generator<FirstAcceptance> {
    for (const first of this.#distinct.values()) {
      const earlier = this.#lost.before(first);
      if (earlier === undefined || this.#dayOf(earlier) === this.#dayOf(first.sentAt)) yield first;
    }
  }

  #dailyQuota(): DailyUse[] {
    const days = new Counts<Key<[day: string, application: string]>>();
    for (const first of this.#ofOneDay()) days.add(keyOf(this.#dayOf(first.sentAt), first.application));
    return days.entries().map(([key, used]) => {
      const [day, application] = partsOf(key);
      return { day, application, used };
    });
  }

  #fullestDay(application?: string): FullestDay | undefined {
    const scope = this.#context.words.scopes.daily;
    const days = new Counts<Key<[of: string, day: string]>>();
    const counters = new Set<string>();
    for (const first of this.#ofOneDay()) {
      if (first.application !== (application ?? first.application)) continue;
      const of = bucketOf(scope, first);
      counters.add(of);
      days.add(keyOf(of, this.#dayOf(first.sentAt)));
    }
    // The entries are in the order of their keys, which equal counts keep.
    const [fullest] = days.entries().sort(([, a], [, b]) => b - a);
    if (!fullest) return undefined;
    const [key, used] = fullest;
    const [of, day] = partsOf(key);
    return { of, among: counters.size, day, used };
  }

  #keepFirst(key: string, acceptance: FirstAcceptance): void {
    const known = this.#distinct.get(key);
    if (!known || bySending(acceptance, known) < 0) this.#distinct.set(key, acceptance);
  }
}

/** A request that never left, for want of a connection, was not accepted. */
const isWithoutAnswer = ({ outcome, bytes }: Exchange): boolean =>
  (outcome === 'failed' || outcome === 'censored') && bytes.sent > 0;

const acceptanceOf = (
  { application, user, token, conversation, message, seq, worker, sentAt }: Exchange,
  warmUp: boolean,
): FirstAcceptance => ({
  application,
  user,
  seq,
  sentAt,
  warmUp,
  ...(token !== undefined && { token }),
  ...(conversation !== undefined && { conversation }),
  ...(message !== undefined && { message: message.id }),
  ...(worker !== undefined && { worker }),
});

/** No two are equal, so the order of adding does not matter. */
const bySending = (a: FirstAcceptance, b: FirstAcceptance) =>
  a.sentAt - b.sentAt || (a.worker ?? 0) - (b.worker ?? 0) || a.seq - b.seq;

/**
 * Distinct by conversation, client_message_id and content; a message recorded without them counts separately. Clients choose names of
 * conversations and ids of messages, so those of two users may be the same.
 */
function messageKey(exchange: Exchange): string {
  const { application, user, conversation = '', message } = exchange;
  if (!message) return keyOf('seq', String(exchange.worker ?? 0), String(exchange.seq));
  return keyOf('message', application, user, conversation, message.id, message.digest);
}
