import type { Micros } from '../../base/index.ts';
import type { Exchange, JournalRecord } from '../records.ts';

type Sent = Pick<Exchange, 'application' | 'user' | 'conversation' | 'sentAt'>;

/**
 * Attempts at messages of which it is unknown whether they were accepted: without an answer, or with an inconclusive one (a
 * gateway's). Keeps the earliest of each message.
 */
export class UnansweredSends {
  readonly #sentAt = new Map<string, Micros>();

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || record.operation !== 'sendMessage' || !isOpen(record)) return;
    this.#keep(keyOf(record, record.message?.id), record.sentAt);
  }

  merge(other: UnansweredSends): void {
    for (const [key, sentAt] of other.#sentAt) this.#keep(key, sentAt);
  }

  /** When the earliest such attempt for the same message was sent, if that is before this one; otherwise `undefined`. */
  before(sent: (Sent & { readonly message?: string }) | undefined): Micros | undefined {
    if (sent?.message === undefined || this.#sentAt.size === 0) return undefined;
    const sentAt = this.#sentAt.get(keyOf(sent, sent.message));
    return sentAt !== undefined && sentAt < sent.sentAt ? sentAt : undefined;
  }

  #keep(key: string, sentAt: Micros): void {
    const known = this.#sentAt.get(key);
    if (known === undefined || sentAt < known) this.#sentAt.set(key, sentAt);
  }
}

/** An attempt that was never sent, was refused, or was found invalid was not accepted. */
function isOpen({ outcome, turn, status = 0, message, bytes }: Exchange): boolean {
  if (message === undefined || turn !== undefined || outcome === 'refused') return false;
  return outcome === 'answered' ? status < 400 || status >= 500 : bytes.sent > 0;
}

const keyOf = ({ application, user, conversation }: Sent, message = ''): string =>
  JSON.stringify([application, user, conversation ?? null, message]);
