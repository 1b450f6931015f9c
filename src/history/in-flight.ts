import type { Exchange, SentRecord } from './records.ts';

/** Requests in flight while a journal is read: sent, and their exchange not read yet. */
export class InFlight {
  readonly #sent = new Map<number | string, SentRecord>();
  /** Kept separately: at low rates its exchange is the next record, and the map is not needed. */
  #last: SentRecord | undefined;

  goesOut(sent: SentRecord): void {
    this.#settleLast();
    this.#last = sent;
  }

  isBack(exchange: Exchange): void {
    const last = this.#last;
    if (last && last.seq === exchange.seq && (last.worker ?? 0) === (exchange.worker ?? 0)) this.#last = undefined;
    if (this.#sent.size > 0) this.#sent.delete(keyOf(exchange));
  }

  /** In order of their lines. */
  list(): readonly SentRecord[] {
    this.#settleLast();
    return [...this.#sent.values()];
  }

  #settleLast(): void {
    if (this.#last) this.#sent.set(keyOf(this.#last), this.#last);
    this.#last = undefined;
  }
}

/** For the first worker the number itself: a text per request would cost as much as the look-up. */
const keyOf = ({ worker = 0, seq }: SentRecord | Exchange): number | string =>
  worker === 0 ? seq : `${worker}:${seq}`;
