import type { Micros } from '../base/index.ts';
import type { DropRecord, JournalRecord } from '../history/index.ts';
import type { Arrival } from '../plan/index.ts';

const SECOND_US = 1_000_000;

/**
 * Records arrivals that are never started. Each has a line of its own, but for those that the run's end leaves over: of
 * them the ones of one second, one journey and one reason share a line, so that stopping a plan of millions writes thousands.
 * No line speaks of arrivals both before and after the end of the warm-up.
 */
export class Drops {
  readonly #warmUpUs: Micros;
  readonly #record: (record: JournalRecord) => void;
  readonly #left = new Map<string, DropRecord & { readonly count: number }>();
  #second = Number.NEGATIVE_INFINITY;
  #isWarmUp = true;
  #count = 0;

  constructor(record: (record: JournalRecord) => void, warmUpUs: Micros) {
    this.#record = record;
    this.#warmUpUs = warmUpUs;
  }

  /** How many arrivals were dropped. */
  get count(): number {
    return this.#count;
  }

  drop(arrival: Arrival, reason: DropRecord['reason']): void {
    this.#count++;
    this.#record(recordOf(arrival, reason));
  }

  /** As `drop`, of an arrival that the run's end leaves over; in the order of the plan, then `flush`. */
  leave(arrival: Arrival, reason: DropRecord['reason']): void {
    this.#count++;
    const second = Math.floor(arrival.intendedAt / SECOND_US);
    const isWarmUp = arrival.intendedAt < this.#warmUpUs;
    if (second !== this.#second || isWarmUp !== this.#isWarmUp) this.flush();
    this.#second = second;
    this.#isWarmUp = isWarmUp;
    const key = `${reason} ${arrival.journey}`;
    const first = this.#left.get(key) ?? { ...recordOf(arrival, reason), count: 0 };
    this.#left.set(key, { ...first, count: first.count + 1, lastArrival: arrival.index });
  }

  flush(): void {
    for (const { count, lastArrival, ...record } of this.#left.values())
      this.#record(count === 1 || lastArrival === undefined ? record : { ...record, count, lastArrival });
    this.#left.clear();
  }
}

const recordOf = ({ intendedAt, index, journey }: Arrival, reason: DropRecord['reason']): DropRecord => ({
  kind: 'drop',
  intendedAt,
  arrival: index,
  journey,
  reason,
});
