import type { CapName } from '../history/index.ts';

/** A cap with slots. */
export type Slotted = Extract<CapName, 'openTurns' | 'requestsPerMinute' | 'inFlight'>;

const CELLS: Record<Slotted, number> = { openTurns: 0, requestsPerMinute: 1, inFlight: 2 };

/** Bytes of shared memory for the counters of all workers. */
export const PENDING_BYTES = Object.keys(CELLS).length * Int32Array.BYTES_PER_ELEMENT;

/** For each cap, how many requests are on their way to its slots and hold none yet: they wait for a token, or for an earlier cap. */
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

/** One request's way to its slots. A check whether a cap is full must count it; otherwise all simultaneous arrivals would pass. */
export class PendingRequest {
  readonly #pending: PendingRequests;
  readonly #needed: readonly Slotted[];
  #ahead = new Set<Slotted>();

  constructor(pending: PendingRequests, needed: readonly Slotted[]) {
    this.#pending = pending;
    this.#needed = needed;
  }

  /** Starts from the beginning, holding nothing. */
  begin(): void {
    this.withdraw();
    for (const cap of this.#needed) this.#pending.change(cap, 1);
    this.#ahead = new Set(this.#needed);
  }

  /** From now on the request queues for this cap itself, or has its slot. */
  reached(cap: Slotted): void {
    if (this.#ahead.delete(cap)) this.#pending.change(cap, -1);
  }

  /** It wants no slots at present. */
  withdraw(): void {
    for (const cap of this.#ahead) this.reached(cap);
  }
}
