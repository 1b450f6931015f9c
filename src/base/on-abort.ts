import { setMaxListeners } from 'node:events';

interface Listening {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `aborted` once when the signal is aborted, which it must not be already. @returns a function that calls it off.
 * A signal gets one listener however many ask: it looks through all its listeners whenever one is added or removed, and a
 * hundred thousand requests that wait would ask it for minutes.
 */
export function onAbort(signal: AbortSignal | undefined, aborted: () => void): () => void {
  if (!signal) return () => undefined;
  const { callbacks, listener } = listening.get(signal) ?? listenTo(signal);
  callbacks.add(aborted);
  return () => {
    if (!callbacks.delete(aborted) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    listening.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listening {
  const callbacks = new Set<() => void>();
  const listener = () => {
    listening.delete(signal);
    // One that is called may call others off.
    for (const callback of callbacks) {
      callbacks.delete(callback);
      callback();
    }
  };
  // Others listen to the signals of a run too, which Node would take for a leak from the eleventh on.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  const entry = { callbacks, listener };
  listening.set(signal, entry);
  return entry;
}
