import type { CapName } from '../history/index.ts';

/** A cap with slots. */
export type Slotted = Extract<CapName, 'openTurns' | 'requestsPerMinute' | 'inFlight'>;

/** How many requests are on their way to the slots of each cap, and hold none yet: they wait for a token, or for a cap before. */
export type Coming = { [cap in Slotted]: number };

export const nobodyComing = (): Coming => ({ openTurns: 0, requestsPerMinute: 0, inFlight: 0 });

/** One request's way to its slots. Whoever asks meanwhile whether a cap is full has to count it, or all that arrive together pass. */
export class Approach {
  readonly #coming: Coming;
  readonly #needed: readonly Slotted[];
  #ahead = new Set<Slotted>();

  constructor(coming: Coming, needed: readonly Slotted[]) {
    this.#coming = coming;
    this.#needed = needed;
  }

  /** From the start: it holds nothing. */
  begin(): void {
    this.withdraw();
    for (const cap of this.#needed) this.#coming[cap] += 1;
    this.#ahead = new Set(this.#needed);
  }

  /** It queues there from now on, or has its slot. */
  reached(cap: Slotted): void {
    if (this.#ahead.delete(cap)) this.#coming[cap] -= 1;
  }

  /** It does not want any now. */
  withdraw(): void {
    for (const cap of this.#ahead) this.reached(cap);
  }
}
