import type { OperationId } from '../../api/index.ts';
import type { JournalRecord, JourneyRecord } from '../../history/index.ts';
import type { Collector, MetricHistogram } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Counts, type Key, keyOf, partsOf } from '../counts.ts';
import { MicrosHistogram } from '../histograms/histogram.ts';
import { type JourneySummary, journeyOutcomes, type Summary } from '../summary.ts';

type Part = Pick<Summary, 'journeys'>;

/** How journeys ended, and how long they took. */
export class JourneysCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #journeys = new Map<string, Tally>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'journey' && !this.#context.isWarmUpJourney(record)) this.#of(record.journey).add(record);
  }

  merge(other: JourneysCollector): void {
    for (const [name, tally] of other.#journeys) this.#of(name).merge(tally);
  }

  part(): Part {
    return { journeys: Object.fromEntries(this.#byName().map(([name, tally]) => [name, tally.summary()])) };
  }

  histograms(): MetricHistogram[] {
    return this.#byName().map(([journey, { durations }]) => ({
      metric: 'iteration_duration',
      tags: { journey },
      histogram: durations,
    }));
  }

  #byName(): [string, Tally][] {
    return [...this.#journeys].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #of(name: string): Tally {
    let tally = this.#journeys.get(name);
    if (!tally) {
      tally = new Tally();
      this.#journeys.set(name, tally);
    }
    return tally;
  }
}

class Tally {
  /** Completed journeys only: an interrupted one does not show how long it would have taken. */
  readonly durations = new MicrosHistogram();
  readonly #outcomes = new Counts<JourneyRecord['outcome']>();
  readonly #stops = new Counts<Key<[OperationId, because: string]>>();

  add(record: JourneyRecord): void {
    this.#outcomes.add(record.outcome);
    if (record.outcome === 'completed') this.durations.record(record.endedAt - record.startedAt, record.endedAt);
    if (record.stoppedAt) this.#stops.add(keyOf(record.stoppedAt.operation, record.stoppedAt.because));
  }

  merge(other: Tally): void {
    this.durations.add(other.durations);
    this.#outcomes.merge(other.#outcomes);
    this.#stops.merge(other.#stops);
  }

  summary(): JourneySummary {
    const duration = this.durations.distribution();
    return {
      byOutcome: this.#outcomes.of(journeyOutcomes),
      ...(duration && { duration }),
      stoppedAt: this.#stops.entries().map(([key, count]) => {
        const [operation, because] = partsOf(key);
        return { operation, because, count };
      }),
    };
  }
}
