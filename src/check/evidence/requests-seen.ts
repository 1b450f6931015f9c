import { SeenSequences } from './columns.ts';

/** Which requests have an exchange, which have several, and which have only the line that they were sent. */
export class RequestsSeen {
  readonly #recorded = new SeenSequences();
  readonly #twice = new Set<number>();
  readonly #sent = new SeenSequences();
  #pending = 0;

  /** How many requests were sent and have no exchange so far. */
  get pending(): number {
    return this.#pending;
  }

  /** Whether any request has several exchanges. */
  get hasTwice(): boolean {
    return this.#twice.size > 0;
  }

  sent(worker: number, seq: number): void {
    if (!this.#recorded.has(worker, seq) && this.#sent.add(worker, seq)) this.#pending += 1;
  }

  recorded(worker: number, seq: number): void {
    if (!this.#recorded.add(worker, seq)) this.#twice.add(sequenceKey(worker, seq));
    else if (this.#pending > 0 && this.#sent.has(worker, seq)) this.#pending -= 1;
  }

  /** Whether it has an exchange. */
  has(worker: number, seq: number): boolean {
    return this.#recorded.has(worker, seq);
  }

  isTwice(worker: number, seq: number): boolean {
    return this.#twice.has(sequenceKey(worker, seq));
  }
}

const sequenceKey = (worker: number, seq: number) => worker * 2 ** 40 + seq;
