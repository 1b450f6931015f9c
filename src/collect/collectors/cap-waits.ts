import type { CapName, JournalRecord } from '../../history/index.ts';
import type { Collector, MetricHistogram } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { HistogramsBy } from '../histograms/histograms-by.ts';
import type { CapWaitSummary, Summary } from '../summary.ts';

type Part = Pick<Summary, 'capWaits'>;

/** How long exchanges waited for the client's own caps. */
export class CapWaitsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #waits = new HistogramsBy<CapName>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || record.capWaitUs === undefined || this.#context.isWarmUp(record.intendedAt))
      return;
    for (const [cap, us] of Object.entries(record.capWaitUs)) this.#waits.record(cap as CapName, us, record.receivedAt);
  }

  merge(other: CapWaitsCollector): void {
    this.#waits.merge(other.#waits);
  }

  part(): Part {
    const capWaits: Partial<Record<CapName, CapWaitSummary>> = {};
    for (const [cap, waits] of this.#waits.entries()) {
      capWaits[cap] = { count: waits.count, totalUs: waits.sum, maxUs: waits.max };
    }
    return { capWaits };
  }

  histograms(): MetricHistogram[] {
    return this.#waits.entries().map(([cap, histogram]) => ({ metric: 'cap_wait', tags: { cap }, histogram }));
  }
}
