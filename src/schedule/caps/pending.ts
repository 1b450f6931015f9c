import type { CapName } from '../../history/index.ts';

export type Slotted = Extract<CapName, 'openTurns' | 'requestsPerMinute' | 'inFlight'>;

const CELLS: Record<Slotted, number> = { openTurns: 0, requestsPerMinute: 1, inFlight: 2 };

/** Bytes of shared memory for the counters of all workers. */
export const PENDING_BYTES = Object.keys(CELLS).length * Int32Array.BYTES_PER_ELEMENT;

/**
 * For each cap, how many requests will need one of its slots but do not queue for it yet, because they wait for an earlier cap. They
 * count when a cap is checked; otherwise all simultaneous arrivals would find free slots.
 */
export class PendingRequests {
  readonly #cells: Int32Array;

  /** @param memory `PENDING_BYTES` bytes, the same in every worker, initially zero */
  constructor(memory: ArrayBuffer | SharedArrayBuffer = new ArrayBuffer(PENDING_BYTES)) {
    this.#cells = new Int32Array(memory);
  }

  to(cap: Slotted): number {
    return Atomics.load(this.#cells, CELLS[cap]);
  }

  change(cap: Slotted, by: 1 | -1): void {
    Atomics.add(this.#cells, CELLS[cap], by);
  }
}
