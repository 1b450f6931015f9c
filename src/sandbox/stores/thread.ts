import type { Micros } from '../../base/index.ts';
import type { ConversationRecord, HistoryEntry, HistoryPage, TurnRecord } from '../store.ts';

/** A conversation with its turns. */
export class Thread {
  readonly conversation: ConversationRecord;
  /** Ordered by `at`; equal instants in the order of insertion. */
  #entries: HistoryEntry[] = [];
  /** The latest turn of each id. Only a defective service creates several turns with one id; `#turns` holds them all. */
  readonly #byClientMessage = new Map<string, TurnRecord>();
  readonly #turns = new Set<TurnRecord>();
  #idleFrom: Micros;

  constructor(conversation: ConversationRecord) {
    this.conversation = conversation;
    this.#idleFrom = conversation.createdAt;
  }

  /** When it was created or its last turn finishes: in the future while a turn is open. */
  get idleFrom(): Micros {
    return this.#idleFrom;
  }

  add(turn: TurnRecord): void {
    const { acceptedAt, finishedAt, outcome } = turn.schedule;
    this.#byClientMessage.set(turn.clientMessageId, turn);
    this.#turns.add(turn);
    this.#idleFrom = Math.max(this.#idleFrom, finishedAt) as Micros;
    this.#insert({ role: 'user', at: acceptedAt, turn });
    if (outcome === 'completed') this.#insert({ role: 'assistant', at: finishedAt, turn });
  }

  turnOf(clientMessageId: string): TurnRecord | undefined {
    return this.#byClientMessage.get(clientMessageId);
  }

  turns(): Iterable<TurnRecord> {
    return this.#turns;
  }

  visible(now: Micros, page: HistoryPage): readonly HistoryEntry[] {
    return this.#entries.slice(page.offset, Math.min(upperBound(this.#entries, now), page.offset + page.limit));
  }

  /** Forgets some of its turns. */
  drop(turns: ReadonlySet<TurnRecord>): void {
    for (const turn of turns) {
      this.#turns.delete(turn);
      if (this.turnOf(turn.clientMessageId) === turn) this.#byClientMessage.delete(turn.clientMessageId);
    }
    this.#entries = this.#entries.filter(({ turn }) => !turns.has(turn));
  }

  #insert(entry: HistoryEntry): void {
    this.#entries.splice(upperBound(this.#entries, entry.at), 0, entry);
  }
}

/** The index of the first entry after `at`: near the end, because only open turns have later ones. */
const upperBound = (entries: readonly HistoryEntry[], at: Micros): number =>
  entries.findLastIndex((entry) => entry.at <= at) + 1;
