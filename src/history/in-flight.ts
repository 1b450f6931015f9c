import type { Exchange, SentRecord } from './records.ts';

/** Requests in flight at the current position of a reader: their `sent` record was read, their exchange was not. */
export class InFlight {
  readonly #sent = new Map<number | string, SentRecord>();
  /** The latest one, kept out of the map: at low rates its exchange is the next record, so most never enter the map. */
  #last: SentRecord | undefined;

  add(sent: SentRecord): void {
    this.#storeLast();
    this.#last = sent;
  }

  settle(exchange: Exchange): void {
    const last = this.#last;
    if (last && last.seq === exchange.seq && (last.worker ?? 0) === (exchange.worker ?? 0)) this.#last = undefined;
    if (this.#sent.size > 0) this.#sent.delete(keyOf(exchange));
  }

  /** In order of their lines. */
  list(): readonly SentRecord[] {
    this.#storeLast();
    return [...this.#sent.values()];
  }

  #storeLast(): void {
    if (this.#last) this.#sent.set(keyOf(this.#last), this.#last);
    this.#last = undefined;
  }
}

/** For the first worker the number itself, because building a string per request costs as much as the look-up. */
const keyOf = ({ worker = 0, seq }: SentRecord | Exchange): number | string =>
  worker === 0 ? seq : `${worker}:${seq}`;
