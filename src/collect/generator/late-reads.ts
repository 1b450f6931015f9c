import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { GeneratorHealth } from '../summary.ts';

/** Answers that the generator may have read late because it stood still: their measured times contain that. */
export class LateReads {
  /** All that was waited for and came, or failed. */
  #of = 0;
  #count = 0;
  #decisive = 0;
  #maxUs = 0;

  /** @param allowedUs how late may be, even where the service's own time is shorter */
  add({ outcome, sentAt, receivedAt, readLateUs }: Exchange, allowedUs: number): void {
    if (outcome === 'censored') return;
    this.#of += 1;
    if (readLateUs === undefined) return;
    this.#count += 1;
    const ownUs = receivedAt - sentAt - readLateUs;
    if (readLateUs > Math.max(allowedUs, ownUs)) this.#decisive += 1;
    this.#maxUs = Math.max(this.#maxUs, readLateUs);
  }

  merge(other: LateReads): void {
    this.#of += other.#of;
    this.#count += other.#count;
    this.#decisive += other.#decisive;
    this.#maxUs = Math.max(this.#maxUs, other.#maxUs);
  }

  part(): Pick<GeneratorHealth, 'lateReads'> {
    if (this.#count === 0) return {};
    return {
      lateReads: { count: this.#count, decisive: this.#decisive, of: this.#of, maxUs: this.#maxUs as Micros },
    };
  }
}
