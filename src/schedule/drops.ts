import type { Micros } from '../base/index.ts';
import type { DropRecord, JournalRecord } from '../history/index.ts';
import type { Arrival } from '../plan/index.ts';

const SECOND_US = 1_000_000;

/**
 * Records arrivals that never start, each in its own line. Arrivals left over at the run's end share a line if they have the same
 * second, journey and reason, so that stopping a plan with millions of arrivals writes only thousands of lines. No line covers both
 * warm-up and measurement, or two stages.
 */
export class Drops {
  /** Instants at which a line ends in any case. */
  readonly #bounds: readonly Micros[];
  readonly #record: (record: JournalRecord) => void;
  readonly #left = new Map<string, DropRecord & { readonly count: number }>();
  #second = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #count = 0;

  /** @param bounds instants that no line may span */
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

  /** Like `drop`, for an arrival left over at the run's end; call in the order of the plan, then `flush`. */
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
