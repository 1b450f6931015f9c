import type { OperationId, TargetProfile } from '../api/index.ts';

/** What a run may send at the most, whatever the service answers: a price is a forecast, and polls, retries and loops depend on the service. */
export interface Budget {
  /** To be asked last thing before a request is sent, which is counted then. False: it must not be sent. */
  take(operation: OperationId): boolean;
}

/** Int32 cells that a budget counts in. */
const CELLS = { requests: 0, messages: 1 } as const;

/** Memory of a budget that several threads, or runs after one another, keep together; zero at first. */
export const budgetMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(Object.keys(CELLS).length * Int32Array.BYTES_PER_ELEMENT);

/**
 * @param limits `requests`: of any kind, those for tokens included; `messages`: attempts to send one, resends included
 * @param onSpent called once, with which of the two it was, when the first request is held back
 * @returns undefined where nothing is limited
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
