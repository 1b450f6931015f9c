import { WaitQueue } from '../../base/index.ts';
import type { Release, Slots } from '../caps/slots.ts';

/** Int32 cells of the slots of one cap: tickets drawn, tickets given back. */
export const SLOT_CELLS = 2;
const DRAWN = 0;
const RETURNED = 1;

/**
 * `count` slots over all threads, implemented as tickets: ticket t is valid as soon as fewer than `count` earlier tickets are
 * outstanding (t − returned < count). The order in which tickets come back does not matter, so two cells suffice. Only the first
 * waiter of each thread draws a ticket: within a thread it is first come, first served, and threads take turns. A free slot costs
 * one atomic addition; a thread that manages all slots would be a bottleneck.
 */
export class SharedSlots implements Slots {
  readonly isUnlimited = false;
  readonly #cells: Int32Array;
  readonly #count: number;
  readonly #waiting = new WaitQueue();
  readonly #leaving = new WaitQueue();
  /** The ticket drawn for the first waiter. */
  #pending: number | undefined;
  #isListening = false;

  /** @param cells `SLOT_CELLS` of them, the same memory in every thread, initially zero */
  constructor(cells: Int32Array, count: number) {
    this.#cells = cells;
    this.#count = count;
  }

  full(others = 0): boolean {
    return !this.#mayGo((Atomics.load(this.#cells, DRAWN) + others) | 0);
  }

  async take(signal: AbortSignal): Promise<Release | undefined> {
    if (signal.aborted) return undefined;
    if (this.#pending === undefined && this.#waiting.size === 0) {
      const ticket = this.#draw();
      if (this.#mayGo(ticket)) return this.#release();
      this.#pending = ticket;
    }
    const turn = this.#waiting.wait(signal);
    this.#admit();
    return (await turn) ? this.#release() : undefined;
  }

  /** Resolves when this thread holds no unused ticket, which would block other threads; at once if the signal is aborted. */
  async settled(signal: AbortSignal): Promise<void> {
    if (this.#pending !== undefined) await this.#leaving.wait(signal);
  }

  /** The difference is taken modulo 2^32, because the counters may overflow. */
  #mayGo(ticket: number): boolean {
    return ((ticket - Atomics.load(this.#cells, RETURNED)) | 0) < this.#count;
  }

  #draw(): number {
    return Atomics.add(this.#cells, DRAWN, 1);
  }

  #handBack(): void {
    Atomics.add(this.#cells, RETURNED, 1);
    Atomics.notify(this.#cells, RETURNED);
  }

  #release(): Release {
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      this.#handBack();
      this.#admit();
    };
  }

  #admit(): void {
    while (this.#pending !== undefined || this.#waiting.size > 0) {
      const seen = Atomics.load(this.#cells, RETURNED);
      this.#pending ??= this.#draw();
      if (!this.#mayGo(this.#pending)) return this.#listen(seen);
      this.#pending = undefined;
      // The waiter that it was drawn for gave up, and no other waits: the ticket is given back.
      if (!this.#waiting.grant()) this.#handBack();
    }
    this.#leaving.dismiss();
  }

  #listen(seen: number): void {
    if (this.#isListening) return;
    this.#isListening = true;
    void Promise.resolve(Atomics.waitAsync(this.#cells, RETURNED, seen).value).then(() => {
      this.#isListening = false;
      this.#admit();
    });
  }
}
