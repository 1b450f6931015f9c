import { setMaxListeners } from 'node:events';

/**
 * A node of a doubly linked ring. Not a Set: frequent changes make a Set reallocate its tables, and the old tables, which are
 * chained, keep their former elements from being garbage-collected.
 */
interface Waiter {
  aborted: () => void;
  before: Waiter;
  after: Waiter;
}

interface Listening {
  /** Sentinel of the ring of callbacks, which are in order of registration. */
  readonly ring: Waiter;
  readonly listener: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `aborted` once when the signal is aborted. The signal must not be aborted yet.
 * A signal gets one listener for any number of callbacks: adding or removing a listener searches all listeners of the signal,
 * which would take minutes with a hundred thousand waiting requests.
 * @returns a function that unregisters the callback
 */
export function onAbort(signal: AbortSignal | undefined, aborted: () => void): () => void {
  if (!signal) return nothing;
  const { ring, listener } = listening.get(signal) ?? listenTo(signal);
  const waiter: Waiter = { aborted, before: ring.before, after: ring };
  ring.before.after = waiter;
  ring.before = waiter;
  return () => {
    if (!unlink(waiter) || ring.after !== ring) return;
    signal.removeEventListener('abort', listener);
    listening.delete(signal);
  };
}

/** Like `onAbort`, but the signal may be aborted already: then `aborted` is called at once. */
export function whenAborted(signal: AbortSignal | undefined, aborted: () => void): () => void {
  if (!signal?.aborted) return onAbort(signal, aborted);
  aborted();
  return nothing;
}

const nothing = (): void => undefined;

/** Unlinks a node. @returns false if it was already unlinked */
function unlink(waiter: Waiter): boolean {
  const { before, after } = waiter;
  if (after === waiter) return false;
  before.after = after;
  after.before = before;
  waiter.before = waiter;
  waiter.after = waiter;
  return true;
}

function emptyRing(): Waiter {
  const ring = { aborted: nothing } as Waiter;
  ring.before = ring;
  ring.after = ring;
  return ring;
}

function listenTo(signal: AbortSignal): Listening {
  const ring = emptyRing();
  const listener = () => {
    listening.delete(signal);
    // A callback may unregister others.
    for (let first = ring.after; first !== ring; first = ring.after) {
      unlink(first);
      first.aborted();
    }
  };
  // Other code listens to a run's signals as well; Node warns of a leak from the eleventh listener on.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  const entry = { ring, listener };
  listening.set(signal, entry);
  return entry;
}
