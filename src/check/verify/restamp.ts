import { operationIds } from '../../api/index.ts';
import type { Exchange, Header, JournalRecord } from '../../history/index.ts';
import { bytes, floats, words } from '../columns.ts';
import { doubtAbout } from '../doubt.ts';
import type { Stamped } from './buckets.ts';
import type { Labels } from './raw.ts';
import { messageKey } from './raw-turns.ts';

/** The first attempt at a message to be sent, as far as the records went. */
interface First {
  readonly row: number;
  readonly sentAt: number;
  readonly seq: number;
  /** It says itself that there was an earlier one. */
  readonly isLater: boolean;
}

/**
 * Takes stamps and labels from the records once more, as plainly as can be: whatever accuses a service does not rest on how the
 * evidence numbered places and messages.
 */
export class Restamped {
  readonly #header: Pick<Header, 'profile'>;
  readonly #seq = floats();
  readonly #worker = words();
  readonly #sentAt = floats();
  readonly #operation = bytes();
  readonly #place = words();
  readonly #numbers = new Map<string, number>();
  readonly #labels: Labels[] = [];
  readonly #replays = new Set<number>();
  readonly #first = new Map<string, First>();

  constructor(header: Pick<Header, 'profile'>) {
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

  /** Every attempt but the first to be sent may be a replay; and that, too, where it is marked or doubtful. */
  #addAttempt(exchange: Exchange, row: number): void {
    const { sentAt, seq, resend, attempt } = exchange;
    const doubted = doubtAbout(exchange) !== undefined;
    const key = messageKey(this.#header, exchange);
    const first = this.#first.get(key);
    const one = { row, sentAt: doubted ? Number.NEGATIVE_INFINITY : sentAt, seq, isLater: attempt > 1 };
    const isFirst = !first || one.sentAt < first.sentAt || (one.sentAt === first.sentAt && seq < first.seq);
    if (isFirst) this.#first.set(key, one);
    if (first) this.#replays.add(isFirst ? first.row : row);
    if (resend !== undefined || doubted) this.#replays.add(row);
  }

  finish(): Stamped {
    for (const { row, isLater } of this.#first.values()) if (isLater) this.#replays.add(row);
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
