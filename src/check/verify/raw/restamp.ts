import { operationIds } from '../../../api/index.ts';
import { type Exchange, type Header, type JournalRecord, profileWords } from '../../../history/index.ts';
import { bytes, floats, words } from '../../evidence/columns.ts';
import { doubtAbout } from '../../evidence/doubt.ts';
import type { Stamped } from './buckets.ts';
import { endsTheMatter, type Labels, wasAdmitted } from './raw.ts';
import { messageKey } from './raw-profile.ts';

/** An attempt at a message, with what the verifier needs to compare it with others. */
interface Attempt {
  readonly row: number;
  /** −∞ if the record is doubtful. */
  readonly sentAt: number;
  /** Run time by which the service had certainly decided. */
  readonly until: number;
  readonly seq: number;
  readonly place: number;
  readonly digest: string | undefined;
  /** According to the profile, attempts with the same key are attempts at one message. */
  readonly key: string;
  readonly isAccepted: boolean;
  /** Whether the record says that there was an earlier attempt. */
  readonly isLater: boolean;
}

/**
 * Takes stamps and labels from the records again, as simply as possible: accusations must not depend on how the evidence numbered
 * places and messages.
 */
export class Restamped {
  readonly #header: Pick<Header, 'profile' | 'clock'>;
  readonly #seq = floats();
  readonly #worker = words();
  readonly #sentAt = floats();
  readonly #operation = bytes();
  readonly #place = words();
  readonly #numbers = new Map<string, number>();
  readonly #labels: Labels[] = [];
  readonly #replays = new Set<number>();
  /** By client_message_id: if it is unknown within what scope ids are unique, a service may treat any two as one message. */
  readonly #attempts = new Map<string, Attempt | Attempt[]>();

  constructor(header: Pick<Header, 'profile' | 'clock'>) {
    this.#header = header;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange') return;
    this.#seq.push(record.seq);
    this.#worker.push(record.worker ?? 0);
    this.#sentAt.push(record.sentAt);
    this.#operation.push(operationIds.indexOf(record.operation));
    this.#place.push(this.#placeOf(record));
    if (record.message !== undefined) this.#addAttempt(record, this.#seq.size - 1);
  }

  #placeOf({ application, user, token, conversation }: Exchange): number {
    const key = JSON.stringify([application, user, token, conversation]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#labels.push({ application, user, token, conversation });
    this.#numbers.set(key, this.#labels.length);
    return this.#labels.length;
  }

  #addAttempt(exchange: Exchange, row: number): void {
    const { sentAt, seq, resend, attempt, message, headersAt, receivedAt } = exchange;
    const profile = profileWords(this.#header.profile);
    const doubted = doubtAbout(exchange, profile) !== undefined;
    if (resend !== undefined || doubted) this.#replays.add(row);
    const seen = headersAt === undefined ? receivedAt : headersAt + 1;
    const one: Attempt = {
      row,
      sentAt: doubted ? Number.NEGATIVE_INFINITY : sentAt,
      until: endsTheMatter(exchange) ? seen : Math.max(seen, sentAt + this.#header.clock.maxServerDelayUs),
      seq,
      place: this.#place.values()[row] as number,
      digest: message?.digest,
      key: messageKey(this.#header, exchange),
      isAccepted: wasAdmitted(exchange, profile),
      isLater: attempt > 1,
    };
    const key = message?.id ?? '';
    const known = this.#attempts.get(key);
    if (Array.isArray(known)) known.push(one);
    else this.#attempts.set(key, known ? [known, one] : one);
  }

  /**
   * Every attempt but the first to be sent may be a replay; so may the first, if an earlier one may be missing, if another may
   * have counted, or if it was not accepted and another message has its identifier.
   */
  #markReplays(): void {
    for (const known of this.#attempts.values()) {
      const all = Array.isArray(known) ? known : [known];
      const first = all.reduce((a, b) => (b.sentAt < a.sentAt || (b.sentAt === a.sentAt && b.seq < a.seq) ? b : a));
      for (const one of all) if (one !== first) this.#replays.add(one.row);
      const isOther = ({ place, digest }: Attempt) => place !== first.place || digest !== first.digest;
      const isRivalled = all.some((one) => one !== first && isOther(one) && one.sentAt <= first.until);
      const isShared = !first.isAccepted && all.some(({ key }) => key !== first.key);
      if (first.isLater || isRivalled || isShared) this.#replays.add(first.row);
    }
  }

  finish(): Stamped {
    this.#markReplays();
    return {
      size: this.#seq.size,
      seq: this.#seq.values(),
      worker: this.#worker.values(),
      sentAt: this.#sentAt.values(),
      operation: this.#operation.values(),
      place: this.#place.values(),
      places: this.#labels.length,
      labelsOf: (place) => this.#labels[place - 1] ?? {},
      mayBeReplay: (row) => this.#replays.has(row),
    };
  }
}
