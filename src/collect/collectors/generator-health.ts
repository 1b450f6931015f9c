import type { Micros } from '../../base/index.ts';
import type { HealthRecord, JournalRecord } from '../../history/index.ts';
import type { Collector, MetricHistogram } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { keyOf } from '../counts.ts';
import { LateReads } from '../generator/late-reads.ts';
import { ScheduleLag } from '../generator/schedule-lag.ts';
import { MicrosHistogram } from '../histograms/histogram.ts';
import { HistogramsBy, merged } from '../histograms/histograms-by.ts';
import type { GeneratorHealth, Summary } from '../summary.ts';

type Part = Pick<Summary, 'health'>;

/** The generator's own health after the warm-up, which decides whether its measurements can be trusted. */
export class GeneratorHealthCollector implements Collector<Part> {
  readonly #context: RunContext;
  /** By worker and instant; about one record per second and worker. */
  readonly #records = new Map<string, HealthRecord>();
  /** By worker. */
  readonly #lags = new HistogramsBy<string>('run');
  readonly #lagOf = new ScheduleLag();
  readonly #lateReads = new LateReads();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'health') this.#records.set(keyOf(String(record.worker ?? 0), String(record.at)), record);
    if (record.kind !== 'exchange') return;
    const lag = this.#lagOf.of(record);
    if (this.#context.isWarmUp(record.intendedAt)) return;
    if (lag !== undefined) this.#lags.record(String(record.worker ?? 0), lag, record.receivedAt);
    this.#lateReads.add(record, this.#context.header?.generator?.eventLoopUs ?? 0);
  }

  merge(other: GeneratorHealthCollector): void {
    for (const [key, record] of other.#records) this.#records.set(key, record);
    this.#lags.merge(other.#lags);
    this.#lagOf.merge(other.#lagOf);
    this.#lateReads.merge(other.#lateReads);
  }

  part(): Part {
    const all = [...this.#records.values()].sort((a, b) => a.at - b.at);
    const records = all.filter((record) => !this.#isWarmUp(record));
    const scheduleLag = this.#lag().distribution();
    return {
      health: {
        intervals: records.length,
        ...(records.length > 0 && {
          ...typicalDelay(records),
          gcUs: records.reduce((sum, one) => sum + one.gcUs, 0) as Micros,
          backlogMax: most(records.map((one) => one.backlog)),
          ...highest(records),
          ...unaskedIn(records),
        }),
        ...cpuShares(all, records),
        ...meanWait(all, records),
        ...this.#lateReads.part(),
        ...(scheduleLag && { scheduleLag }),
        ...this.#workers(),
      },
    };
  }

  histograms(): MetricHistogram[] {
    return [{ metric: 'schedule_lag', tags: {}, histogram: this.#lag() }];
  }

  #lag(): MicrosHistogram {
    return merged(this.#lags.entries().map(([, histogram]) => histogram)) ?? new MicrosHistogram();
  }

  /** One of several workers may be late all the time, although the median over all workers is low. */
  #workers(): Pick<GeneratorHealth, 'workers' | 'worstLag'> {
    const lags = this.#lags.entries();
    const workers = new Set([...lags.map(([worker]) => Number(worker)), ...[...this.#records.values()].map(workerOf)]);
    if (workers.size < 2) return {};
    const worst = lags
      .flatMap(([worker, histogram]) => {
        const scheduleLag = histogram.distribution();
        return scheduleLag ? [{ worker: Number(worker), scheduleLag }] : [];
      })
      .sort((a, b) => b.scheduleLag.meanUs - a.scheduleLag.meanUs || a.worker - b.worker)[0];
    return { workers: workers.size, ...(worst && { worstLag: worst }) };
  }

  /** A record describes the interval that ends with it; the last one of the warm-up ends with the warm-up. */
  #isWarmUp({ at }: HealthRecord): boolean {
    return this.#context.isWarmUp((at - 1) as Micros);
  }
}

const workerOf = ({ worker = 0 }: HealthRecord): number => worker;

/** The median of the intervals' medians; with several generators, the worst one's. */
function typicalDelay(records: readonly HealthRecord[]): Pick<GeneratorHealth, 'eventLoopTypicalUs'> {
  const workers = [...new Set(records.map(workerOf))];
  const medians = workers.map((worker) => medianDelay(records.filter((record) => workerOf(record) === worker)));
  const known = medians.filter((median) => median !== undefined);
  return known.length === 0 ? {} : { eventLoopTypicalUs: most(known) as Micros };
}

function medianDelay(records: readonly HealthRecord[]): Micros | undefined {
  const delays = records.flatMap(({ eventLoopP50Us }) => eventLoopP50Us ?? []).sort((a, b) => a - b);
  return delays[Math.floor((delays.length - 1) / 2)];
}

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

type Highest = Pick<GeneratorHealth, 'eventLoopP99MaxUs' | 'eventLoopMaxUs' | 'gcMaxUs' | 'connectionQueueMax'>;

function highest(records: readonly HealthRecord[]): Highest {
  const delays = records.flatMap(({ eventLoopP99Us }) => eventLoopP99Us ?? []);
  const longest = records.flatMap(({ eventLoopMaxUs }) => eventLoopMaxUs ?? []);
  const pauses = records.flatMap(({ gcMaxUs }) => gcMaxUs ?? []);
  const queues = records.flatMap(({ connectionQueue }) => connectionQueue ?? []);
  return {
    ...(delays.length > 0 && { eventLoopP99MaxUs: most(delays) as Micros }),
    ...(longest.length > 0 && { eventLoopMaxUs: most(longest) as Micros }),
    ...(pauses.length > 0 && { gcMaxUs: most(pauses) as Micros }),
    ...(queues.length > 0 && { connectionQueueMax: most(queues) }),
  };
}

function unaskedIn(records: readonly HealthRecord[]): Pick<GeneratorHealth, 'unasked'> {
  const unasked = records.reduce((sum, one) => sum + (one.unasked ?? 0), 0);
  return unasked === 0 ? {} : { unasked };
}

/**
 * For shorter intervals no share of CPU is reported: the run's end cuts the last one short, and some milliseconds of work in as
 * many milliseconds mean nothing.
 */
export const SHORTEST_OF_CPU_US = 500_000;

/** An interval of a worker, which begins with its previous record. */
interface Interval {
  readonly record: HealthRecord;
  readonly worker: number;
  readonly lengthUs: number;
}

/**
 * @param all in the order of time, the warm-up included
 * @param counted those whose intervals are wanted
 */
function intervalsOf(all: readonly HealthRecord[], counted: readonly HealthRecord[]): Interval[] {
  const counts = new Set(counted);
  const lastAt = new Map<number, number>();
  return all.flatMap((record) => {
    const worker = workerOf(record);
    const lengthUs = record.at - (lastAt.get(worker) ?? 0);
    lastAt.set(worker, record.at);
    return lengthUs > 0 && counts.has(record) ? [{ record, worker, lengthUs }] : [];
  });
}

/** Of less time, µs, no mean wait is reported: a single hiccup of the machine would determine it. */
const SHORTEST_OF_WAIT_US = 3_000_000;

/** The mean over time; with several generators, the worst one's. */
function meanWait(
  all: readonly HealthRecord[],
  counted: readonly HealthRecord[],
): Pick<GeneratorHealth, 'eventLoopWaitUs'> {
  const sums = new Map<number, { waited: number; time: number }>();
  for (const { record, worker, lengthUs } of intervalsOf(all, counted)) {
    if (record.eventLoopWaitUs === undefined) continue;
    const sum = sums.get(worker) ?? { waited: 0, time: 0 };
    sums.set(worker, {
      waited: sum.waited + record.eventLoopWaitUs * lengthUs,
      time: sum.time + lengthUs,
    });
  }
  const watched = [...sums.values()].filter(({ time }) => time >= SHORTEST_OF_WAIT_US);
  if (watched.length === 0) return {};
  return { eventLoopWaitUs: Math.round(most(watched.map(({ waited, time }) => waited / time))) as Micros };
}

/**
 * CPU time divided by wall time over the intervals of each worker; the mean over all of them, and the highest of one.
 */
function cpuShares(
  all: readonly HealthRecord[],
  counted: readonly HealthRecord[],
): Pick<GeneratorHealth, 'cpuShareMean' | 'cpuShareMax'> {
  let cpu = 0;
  let wall = 0;
  let highest = 0;
  for (const { record, lengthUs } of intervalsOf(all, counted)) {
    if (record.cpuUs === undefined) continue;
    cpu += record.cpuUs;
    wall += lengthUs;
    if (lengthUs >= SHORTEST_OF_CPU_US) highest = Math.max(highest, record.cpuUs / lengthUs);
  }
  if (wall === 0) return {};
  return { cpuShareMean: cpu / wall, ...(highest > 0 && { cpuShareMax: highest }) };
}
