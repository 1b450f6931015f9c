import type { Outcome } from '../../sandbox/index.ts';

interface Copy {
  readonly at: number;
  readonly outcome: Outcome;
}

/** Stale reads: a service may repeat an earlier answer about a turn for a while. */
export class Copies {
  readonly #staleUs: number;
  readonly #byTurn = new Map<string, Copy[]>();

  /** @param staleUs maximum age of a repeated answer in run µs; 0: none */
  constructor(staleUs: number) {
    this.#staleUs = staleUs;
  }

  /**
   * The answer to show for a poll.
   * @param outcome the current answer; the poll has been counted
   * @param isCopied draws whether the oldest permitted answer is shown instead
   */
  of(turn: string, outcome: Outcome, at: number, isCopied: () => boolean): Outcome {
    if (this.#staleUs === 0 || outcome.kind !== 'json' || outcome.status !== 200) return outcome;
    const known = (this.#byTurn.get(turn) ?? []).filter((copy) => copy.at > at - this.#staleUs);
    this.#byTurn.set(turn, [...known, { at, outcome }]);
    return known[0] && isCopied() ? known[0].outcome : outcome;
  }
}
