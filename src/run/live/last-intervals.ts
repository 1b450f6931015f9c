import type { HealthRecord } from '../../history/index.ts';
import { type LiveState, presentWarnings } from '../../report/index.ts';

/** A generator reports every second. One that has not done so for twice as long, µs, has ended, or stands still. */
const STALE_US = 2_000_000;

interface Interval {
  readonly record: HealthRecord;
  readonly lengthUs: number;
}

/** The last interval of each generator: the main thread, or every worker. */
export class LastIntervals {
  readonly #byWorker = new Map<number | undefined, Interval>();
  #latest = 0;

  add(record: HealthRecord): void {
    const { worker, at } = record;
    this.#latest = Math.max(this.#latest, at);
    this.#byWorker.set(worker, { record, lengthUs: at - (this.#byWorker.get(worker)?.record.at ?? 0) });
  }

  /** The most requests that waited for the connections of one generator, as in the summary. */
  connectionQueue(): Pick<LiveState, 'connectionQueue'> {
    const queues = this.#present().flatMap(({ record }) => record.connectionQueue ?? []);
    return queues.length === 0 ? {} : { connectionQueue: Math.max(...queues) };
  }

  /** Those of a worker begin with its number. */
  warnings(): readonly string[] {
    return this.#present().flatMap(({ record, lengthUs }) => {
      const of = record.worker === undefined ? '' : `worker ${record.worker}: `;
      return presentWarnings(record, lengthUs).map((warning) => `${of}${warning}`);
    });
  }

  #present(): readonly Interval[] {
    return [...this.#byWorker.values()].filter(({ record }) => record.at > this.#latest - STALE_US);
  }
}
