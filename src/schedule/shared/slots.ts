import { WaitQueue } from '../../base/index.ts';
import type { Release, Slots } from '../slots.ts';

/** Int32 cells of the slots of one cap: tickets drawn, tickets given back. */
export const SLOT_CELLS = 2;
const DRAWN = 0;
const RETURNED = 1;

/** Slots that several threads share. */
export interface SharedSlots extends Slots {
  /** Resolves when this thread holds no unused ticket, which would block other threads; at once if the signal is aborted. */
  settled(signal: AbortSignal): Promise<void>;
}

/**
 * `count` slots over all threads, implemented as tickets: ticket t is valid as soon as fewer than `count` earlier tickets are
 * outstanding (t − returned < count). The order in which tickets come back does not matter, so two cells suffice. Only the first
 * waiter of each thread draws a ticket: within a thread it is first come, first served, and threads take turns. A free slot costs
 * one atomic addition; a thread that manages all slots would be a bottleneck.
 * @param cells `SLOT_CELLS` of them, the same memory in every thread, initially zero
 */
export function sharedSlots(cells: Int32Array, count: number): SharedSlots {
  const waiting = new WaitQueue();
  const leaving = new WaitQueue();
  /** The ticket drawn for the first waiter. */
  let pending: number | undefined;
  let isListening = false;

  // Differences are taken modulo 2^32, because the counters may overflow.
  const mayGo = (ticket: number) => ((ticket - Atomics.load(cells, RETURNED)) | 0) < count;
  const draw = () => Atomics.add(cells, DRAWN, 1);
  const handBack = () => {
    Atomics.add(cells, RETURNED, 1);
    Atomics.notify(cells, RETURNED);
  };
  const release = (): Release => {
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      handBack();
      admit();
    };
  };
  const admit = () => {
    while (pending !== undefined || waiting.size > 0) {
      const seen = Atomics.load(cells, RETURNED);
      pending ??= draw();
      if (!mayGo(pending)) return listen(seen);
      pending = undefined;
      // The waiter that it was drawn for gave up, and no other waits: the ticket is given back.
      if (!waiting.grant()) handBack();
    }
    leaving.dismiss();
  };
  const listen = (seen: number) => {
    if (isListening) return;
    isListening = true;
    void Promise.resolve(Atomics.waitAsync(cells, RETURNED, seen).value).then(() => {
      isListening = false;
      admit();
    });
  };

  return {
    isUnlimited: false,
    full: (others = 0) => !mayGo((Atomics.load(cells, DRAWN) + others) | 0),
    async take(signal) {
      if (signal.aborted) return undefined;
      if (pending === undefined && waiting.size === 0) {
        const ticket = draw();
        if (mayGo(ticket)) return release();
        pending = ticket;
      }
      const turn = waiting.wait(signal);
      admit();
      return (await turn) ? release() : undefined;
    },
    async settled(signal) {
      if (pending !== undefined) await leaving.wait(signal);
    },
  };
}
