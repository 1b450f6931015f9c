import { SHORTEST_OF_CPU_US } from '../../../collect/index.ts';
import type { HealthRecord } from '../../../history/index.ts';
import type { GeneratorSeries } from '../page-data.ts';

/** When there would be more points, pairs are merged into the worse of both. */
const MOST_POINTS = 600;
const UNKNOWN = -1;

interface Point {
  readonly at: number;
  readonly eventLoopUs: number;
  readonly lagUs: number;
  readonly cpu: number;
}

/** Collects the health of the generator over time; of several workers, the worst. */
export class GeneratorGatherer {
  #points: Point[] = [];
  #perPoint = 1;
  #pending: Point[] = [];
  /** Completed intervals in `pending`. */
  #intervals = 0;
  /** Workers with a record of the present interval. A worker's next record begins the next one. */
  readonly #heard = new Set<number>();
  readonly #lastAt = new Map<number, number>();

  add(record: HealthRecord): void {
    const worker = record.worker ?? 0;
    if (this.#heard.has(worker)) this.#endInterval();
    this.#heard.add(worker);
    const wall = record.at - (this.#lastAt.get(worker) ?? 0);
    this.#lastAt.set(worker, record.at);
    this.#pending.push({
      at: record.at,
      eventLoopUs: record.eventLoopP99Us ?? UNKNOWN,
      lagUs: record.scheduleLagP99Us ?? UNKNOWN,
      cpu:
        record.cpuUs === undefined || wall < SHORTEST_OF_CPU_US ? UNKNOWN : Math.round((1_000 * record.cpuUs) / wall),
    });
  }

  series(): GeneratorSeries {
    const points = [...this.#points, ...(this.#pending.length > 0 ? [worstOf(this.#pending)] : [])];
    return {
      at: points.map(({ at }) => at),
      eventLoopUs: points.map(({ eventLoopUs }) => eventLoopUs),
      lagUs: points.map(({ lagUs }) => lagUs),
      cpu: points.map(({ cpu }) => cpu),
    };
  }

  /** Number of intervals per point. */
  get perPoint(): number {
    return this.#perPoint;
  }

  #endInterval(): void {
    this.#heard.clear();
    if (++this.#intervals < this.#perPoint) return;
    this.#points.push(worstOf(this.#pending));
    this.#pending = [];
    this.#intervals = 0;
    if (this.#points.length > MOST_POINTS) this.#halve();
  }

  #halve(): void {
    this.#perPoint *= 2;
    const pairs = Array.from({ length: Math.ceil(this.#points.length / 2) }, (_, i) =>
      this.#points.slice(2 * i, 2 * i + 2),
    );
    this.#points = pairs.map(worstOf);
  }
}

const worstOf = (points: readonly Point[]): Point => ({
  at: Math.max(...points.map(({ at }) => at)),
  eventLoopUs: Math.max(...points.map(({ eventLoopUs }) => eventLoopUs)),
  lagUs: Math.max(...points.map(({ lagUs }) => lagUs)),
  cpu: Math.max(...points.map(({ cpu }) => cpu)),
});
