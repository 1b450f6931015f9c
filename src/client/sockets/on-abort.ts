import { setMaxListeners } from 'node:events';

/**
 * Calls `aborted` once when the signal is aborted. @returns a function that calls it off.
 * One signal of a run is listened to by every call in flight, which Node would take for a leak from the eleventh on.
 */
export function onAbort(signal: AbortSignal | undefined, aborted: () => void): () => void {
  if (!signal) return () => undefined;
  setMaxListeners(0, signal);
  signal.addEventListener('abort', aborted, { once: true });
  return () => signal.removeEventListener('abort', aborted);
}
