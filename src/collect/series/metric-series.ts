import type { Micros } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { metricOf, type Selector } from '../../metrics/index.ts';
import { MessagesCollector } from '../collectors/messages.ts';
import { RunFactsCollector } from '../collectors/run-facts.ts';
import { ServiceMinutesCollector } from '../collectors/service-minutes.ts';
import { TurnsCollector } from '../collectors/turns.ts';
import { RunContext } from '../context.ts';
import type { RunFacts } from '../summary.ts';
import { type Emit, type RecordReader, recordReaderOf, type TurnReader, turnReaderOf } from './readers.ts';
import type { Reading } from './reading.ts';
import { SampleFold } from './sample-fold.ts';
import { type Sample, slidingWindows, type TimeSpan, type WindowReading } from './sliding.ts';
import { Standstills } from './standstills.ts';
import { TurnsGivenUp } from './turns-given-up.ts';

/** A requested metric, with or without its windows. */
export interface MetricQuery extends Selector {
  /** Length of the windows; then every sample is kept. Not for gauges, which are maxima of the whole run. */
  readonly windowUs?: Micros;
}

/**
 * Reads selected metrics from the records of one run, live or from the disk, with equal results. It exists beside `measure`,
 * which computes everything in a summary, because tags can be combined in more ways than a summary has members.
 */
export class MetricSeries {
  readonly #context = new RunContext();
  readonly #run = new RunFactsCollector(this.#context);
  readonly #turns = new TurnsCollector(this.#context);
  readonly #messages = new MessagesCollector(this.#context);
  readonly #minutes = new ServiceMinutesCollector(this.#context);
  /** Absent if no query needs it. */
  readonly #givenUp: TurnsGivenUp | undefined;
  readonly #standstills: Standstills | undefined;
  readonly #queries: readonly Query[];
  readonly #about: 'service' | 'run';

  /** @param about what the bounds of readings are about: see `MicrosHistogram` */
  constructor(queries: readonly MetricQuery[], about: 'service' | 'run' = 'service') {
    this.#about = about;
    this.#queries = queries.map((query) => new Query(query, this.#context, about));
    if (queries.some(({ metric }) => metric === 'turn_not_completed')) this.#givenUp = new TurnsGivenUp();
    if (this.#queries.some(({ turnReader }) => turnReader)) this.#standstills = new Standstills();
  }

  /** In the order of the journal; header and clock records first. */
  add(record: JournalRecord): void {
    this.#context.add(record);
    this.#run.add(record);
    this.#turns.add(record);
    this.#messages.add(record);
    this.#minutes.add(record);
    this.#givenUp?.add(record);
    this.#standstills?.add(record);
    for (const query of this.#queries) query.add(record);
  }

  /** Facts about the run, such as its length and whether it is complete. */
  facts(): Omit<RunFacts, 'warmUp'> {
    return this.#run.part().run;
  }

  /** The reading of the query with this index, over everything so far. */
  reading(index: number): Reading {
    const query = this.#query(index);
    const { metric, tags } = query.selector;
    if (metric === 'open_turns') {
      const most = this.#turns.mostOpenOfOne();
      return { type: 'gauge', ...(most && { value: tags.bound === 'possible' ? most.maxPossible : most.maxCertain }) };
    }
    if (metric === 'daily_quota_used') {
      const value = this.#messages.mostUsedOfOne(tags.application);
      return { type: 'gauge', ...(value !== undefined && { value }) };
    }
    if (metric === 'admitted_per_minute') {
      const value = this.#minutes.mostAdmittedOfOne();
      return { type: 'gauge', ...(value !== undefined && { value }) };
    }
    const seconds = this.#seconds(tags.stage);
    if (query.turnReader === undefined) return query.fold.reading(seconds);
    const fold = new SampleFold(metricOf(metric).type, this.#about);
    this.#eachTurn(query.turnReader, (...sample) => fold.add(...sample));
    return fold.reading(seconds);
  }

  /**
   * The readings of a query's windows, in order.
   * @param until only the last window that has ended by then; absent: all of them
   * @throws TypeError if the query has no windows
   */
  windows(index: number, until?: Micros): Iterable<WindowReading> {
    const query = this.#query(index);
    const { windowUs, metric, tags } = query.selector;
    if (windowUs === undefined) throw new TypeError('the query has no windows');
    const samples: Sample[] = query.turnReader ? [] : query.samples;
    if (query.turnReader)
      this.#eachTurn(query.turnReader, (value, at, whole = 1, lateUs = 0) =>
        samples.push({ value, at, whole, lateUs }),
      );
    const measured = this.#spanOf(tags.stage);
    const { type } = metricOf(metric);
    if (until === undefined) return slidingWindows(type, samples, windowUs, measured);
    const toUs = (Math.floor(until / 1_000_000) * 1_000_000) as Micros;
    const fromUs = (toUs - windowUs) as Micros;
    if (fromUs < measured.fromUs || (tags.stage !== undefined && toUs > measured.toUs)) return [];
    const inside = samples.filter(({ at }) => at >= fromUs && at < toUs);
    return slidingWindows(type, inside, windowUs, { fromUs, toUs });
  }

  #query(index: number): Query {
    const query = this.#queries[index];
    if (!query) throw new RangeError(`there is no query ${index}`);
    return query;
  }

  #eachTurn(reader: TurnReader, emit: Emit): void {
    for (const turn of this.#turns.all()) {
      if (this.#turns.isWarmUp(turn)) continue;
      const givenUpAt = this.#givenUp?.at(turn.id);
      const stoodStillUs = (from: Micros, to: Micros) =>
        this.#standstills?.within(turn.acceptance?.worker, from, to) ?? 0;
      reader(turn, emit, { givenUpAt, stoodStillUs });
    }
  }

  /** The measured span of the run, or of one of its stages. The last stage includes everything after the planned end. */
  #spanOf(stage: string | undefined): TimeSpan {
    const { durationUs, warmUpUs, complete } = this.facts();
    if (stage === undefined) return { fromUs: warmUpUs, toUs: durationUs };
    const { stages } = this.#context;
    const index = stages.findIndex(({ name }) => name === stage);
    const { fromUs, toUs } = stages[index] ?? { fromUs: durationUs, toUs: durationUs };
    const end = index === stages.length - 1 ? Math.max(toUs, durationUs) : toUs;
    return {
      fromUs: Math.max(fromUs, warmUpUs) as Micros,
      toUs: (complete ? end : Math.min(end, durationUs)) as Micros,
    };
  }

  #seconds(stage: string | undefined): number {
    const { fromUs, toUs } = this.#spanOf(stage);
    return Math.max(0, toUs - fromUs) / 1_000_000;
  }
}

/** One query, and its samples. */
class Query {
  readonly selector: MetricQuery;
  readonly fold: SampleFold;
  readonly samples: Sample[] = [];
  /** Set for metrics of turns, which are read only when a reading is requested. */
  readonly turnReader: TurnReader | undefined;
  readonly #reader: RecordReader | undefined;

  constructor(query: MetricQuery, context: RunContext, about: 'service' | 'run') {
    const { metric } = query;
    const tags = { ...metricOf(metric).defaults, ...query.tags };
    this.selector = { ...query, tags };
    this.fold = new SampleFold(metricOf(metric).type, about);
    this.turnReader = turnReaderOf(metric)?.(tags, context);
    this.#reader = recordReaderOf(metric)?.(tags, context);
  }

  add(record: JournalRecord): void {
    this.#reader?.(record, (value, at, whole = 1, lateUs = 0) => {
      this.fold.add(value, at, whole, lateUs);
      if (this.selector.windowUs !== undefined) this.samples.push({ value, at, whole, lateUs });
    });
  }
}
