import type { Micros } from '../base/index.ts';
import type { DropRecord, JournalRecord } from '../history/index.ts';
import type { Arrival } from '../plan/index.ts';

const SECOND_US = 1_000_000;

/**
 * Records arrivals that are never started. Each has a line of its own, but for those that the run's end leaves over: of
 * them the ones of one second, one journey and one reason share a line, so that stopping a plan of millions writes thousands.
 * No line speaks of arrivals both before and after the end of the warm-up, or of two stages.
 */
export class Drops {
  /** Where a line ends, whatever the second. */
  readonly #bounds: readonly Micros[];
  readonly #record: (record: JournalRecord) => void;
  readonly #left = new Map<string, DropRecord & { readonly count: number }>();
  #second = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #count = 0;

  /** @param bounds instants that no line reaches over */
  constructor(record: (record: JournalRecord) => void, bounds: readonly Micros[]) {
    this.#record = record;
    this.#bounds = [...bounds].sort((a, b) => a - b);
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
    const passes = this.#passesBound(arrival.intendedAt);
    if (second !== this.#second || passes) this.flush();
    this.#second = second;
    const key = `${reason} ${arrival.journey}`;
    const first = this.#left.get(key) ?? { ...recordOf(arrival, reason), count: 0 };
    this.#left.set(key, { ...first, count: first.count + 1, lastArrival: arrival.index });
  }

  #passesBound(at: Micros): boolean {
    const before = this.#passed;
    for (let bound = this.#bounds[before]; bound !== undefined && bound <= at; bound = this.#bounds[this.#passed])
      this.#passed++;
    return this.#passed > before;
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
