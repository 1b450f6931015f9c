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

/** Collects the health of the generator over time. */
export class GeneratorGatherer {
  #points: Point[] = [];
  #perPoint = 1;
  #pending: Point[] = [];
  readonly #lastAt = new Map<number, number>();

  add(record: HealthRecord): void {
    const worker = record.worker ?? 0;
    const wall = record.at - (this.#lastAt.get(worker) ?? 0);
    this.#lastAt.set(worker, record.at);
    this.#pending.push({
      at: record.at,
      eventLoopUs: record.eventLoopP99Us ?? UNKNOWN,
      lagUs: record.scheduleLagP99Us ?? UNKNOWN,
      cpu:
        record.cpuUs === undefined || wall < SHORTEST_OF_CPU_US ? UNKNOWN : Math.round((1_000 * record.cpuUs) / wall),
    });
    if (this.#pending.length >= this.#perPoint) this.#settle();
    if (this.#points.length > MOST_POINTS) this.#halve();
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

  /** Number of records per point. */
  get perPoint(): number {
    return this.#perPoint;
  }

  #settle(): void {
    this.#points.push(worstOf(this.#pending));
    this.#pending = [];
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
