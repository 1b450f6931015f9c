import { setMaxListeners } from 'node:events';

/** Who waits, one after the other. Not a Set: its tables, which churn makes anew, lead from one to the next and keep what they held from the collector. */
interface Waiting {
  aborted: () => void;
  before: Waiting;
  after: Waiting;
}

interface Listening {
  /** Of a ring, in the order in which they came; of itself it is none of them. */
  readonly ring: Waiting;
  readonly listener: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `aborted` once when the signal is aborted, which it must not be already. @returns a function that calls it off.
 * A signal gets one listener however many ask: it looks through all its listeners whenever one is added or removed, and a
 * hundred thousand requests that wait would ask it for minutes.
 */
export function onAbort(signal: AbortSignal | undefined, aborted: () => void): () => void {
  if (!signal) return nothing;
  const { ring, listener } = listening.get(signal) ?? listenTo(signal);
  const waiting: Waiting = { aborted, before: ring.before, after: ring };
  ring.before.after = waiting;
  ring.before = waiting;
  return () => {
    if (!leave(waiting) || ring.after !== ring) return;
    signal.removeEventListener('abort', listener);
    listening.delete(signal);
  };
}

const nothing = (): void => undefined;

/** @returns false where it had left before */
function leave(waiting: Waiting): boolean {
  const { before, after } = waiting;
  if (after === waiting) return false;
  before.after = after;
  after.before = before;
  waiting.before = waiting;
  waiting.after = waiting;
  return true;
}

function ringOfNone(): Waiting {
  const ring = { aborted: nothing } as Waiting;
  ring.before = ring;
  ring.after = ring;
  return ring;
}

function listenTo(signal: AbortSignal): Listening {
  const ring = ringOfNone();
  const listener = () => {
    listening.delete(signal);
    // One that is called may call others off.
    for (let first = ring.after; first !== ring; first = ring.after) {
      leave(first);
      first.aborted();
    }
  };
  // Others listen to the signals of a run too, which Node would take for a leak from the eleventh on.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  const entry = { ring, listener };
  listening.set(signal, entry);
  return entry;
}
