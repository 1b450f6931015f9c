import type { OperationId, TargetProfile } from '../api/index.ts';

/**
 * The most that a run may send, whatever the service answers. A forecast is not enough, because polls, retries and loops depend
 * on the service.
 */
export interface Budget {
  /** Must be called immediately before a request is sent, and counts it. False: it must not be sent. */
  take(operation: OperationId): boolean;
}

/** Int32 cells of a budget's counters. */
const CELLS = { requests: 0, messages: 1 } as const;

/** Memory of a budget shared by several threads or successive runs; initially zero. */
export const budgetMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(Object.keys(CELLS).length * Int32Array.BYTES_PER_ELEMENT);

/**
 * @param limits `requests`: of any kind, token requests included; `messages`: attempts to send one, resends included
 * @param onSpent called once, with the exhausted counter, when the first request is held back
 * @returns undefined if nothing is limited
 */
export function budgetOf(
  limits: TargetProfile['budget'],
  memory: SharedArrayBuffer,
  onSpent: (what: keyof typeof CELLS) => void,
): Budget | undefined {
  const { requests = Number.POSITIVE_INFINITY, messages = Number.POSITIVE_INFINITY } = limits;
  if (requests === Number.POSITIVE_INFINITY && messages === Number.POSITIVE_INFINITY) return undefined;
  const sent = new Int32Array(memory);
  let isSpent = false;
  const takeOf = (what: keyof typeof CELLS, max: number): boolean => {
    if (Atomics.add(sent, CELLS[what], 1) < max) return true;
    Atomics.sub(sent, CELLS[what], 1);
    if (!isSpent) onSpent(what);
    isSpent = true;
    return false;
  };
  return {
    take(operation) {
      if (!takeOf('requests', requests)) return false;
      if (operation !== 'sendMessage' || takeOf('messages', messages)) return true;
      Atomics.sub(sent, CELLS.requests, 1);
      return false;
    },
  };
}
