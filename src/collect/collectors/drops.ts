import type { DropRecord, JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Counts } from '../counts.ts';
import type { Summary } from '../summary.ts';

type Part = Pick<Summary, 'drops'>;

/** Arrivals that were never started. */
export class DropsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #byReason = new Counts<DropRecord['reason']>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'drop' && !this.#context.isWarmUp(record.intendedAt))
      this.#byReason.add(record.reason, record.count);
  }

  merge(other: DropsCollector): void {
    this.#byReason.merge(other.#byReason);
  }

  part(): Part {
    return { drops: { total: this.#byReason.total, byReason: this.#byReason.toObject() } };
  }
}
