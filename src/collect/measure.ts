import type { Micros } from '../base/index.ts';
import type { JournalRecord, Turn } from '../history/index.ts';
import type { MetricName } from '../metrics/index.ts';
import type { Collector, MetricHistogram } from './collector.ts';
import { type CollectorSet, collectorNames, createCollectors } from './collectors/index.ts';
import type { AcceptedMessage } from './collectors/messages.ts';
import { RunContext } from './context.ts';
import { bottlenecksOf } from './generator/bottlenecks.ts';
import type { IntervalRow, TurnRow } from './rows.ts';
import { kneeOf } from './stages/knee.ts';
import { type Distribution, SUMMARY_FORMAT, SUMMARY_VERSION, type Summary } from './summary.ts';
import { turnRow } from './turns/turn-row.ts';

/** A histogram with its name in the log. */
export interface NamedHistogram {
  readonly metric: MetricName;
  /** Tags of the metric, in the order of its table row: `{operation: 'sendMessage', outcome: 'success'}`. */
  readonly tags: Readonly<Record<string, string>>;
  /** Tag of the .hlog line: the metric and the values of its tags, joined by dots: `http_req_duration.sendMessage.success`. */
  readonly tag: string;
  readonly distribution: Distribution;
  /** Compressed HdrHistogram V2 encoding, base64: the last field of an .hlog line. Values are microseconds. */
  encode(): string;
  /** Value at a percentile (0 < percent ≤ 100) by nearest rank, whatever the number of samples. */
  at(percent: number): Micros;
}

/** Starts a measurement. Records must be added in the order of the history, the header first. */
export const measure = (): Measurements => new Measurements();

/** Everything measured so far. Can be read at any time, for any part of a history. */
export class Measurements {
  readonly #context = new RunContext();
  readonly #collectors: CollectorSet = createCollectors(this.#context);

  add(record: JournalRecord): void {
    this.#context.add(record);
    for (const name of collectorNames) this.#collectors[name].add(record);
  }

  /** Adds what another part of the same run measured. Both parts must have got the header and the clock records. */
  merge(other: Measurements): void {
    this.#context.merge(other.#context);
    for (const name of collectorNames) mergeOne(this.#collectors[name], other.#collectors[name]);
  }

  summary(): Summary {
    const { run, limits } = this.#collectors.run.part();
    const { warmUpMessages, messages, dailyQuota, fullestDay } = this.#collectors.messages.part();
    const measured: Summary = {
      format: SUMMARY_FORMAT,
      version: SUMMARY_VERSION,
      run: { ...run, warmUp: { ...run.warmUp, newMessages: warmUpMessages } },
      ...(limits && { limits }),
      ...this.#collectors.operations.part(),
      ...this.#collectors.refusals.part(),
      ...this.#collectors.errors.part(),
      messages,
      ...this.#collectors.turns.part(),
      ...this.#collectors.serviceMinutes.part(),
      ...this.#collectors.rateWindows.part(),
      dailyQuota,
      ...(fullestDay && { fullestDay }),
      ...this.#collectors.capWaits.part(),
      ...this.#collectors.drops.part(),
      ...this.#collectors.journeys.part(),
      ...this.#stages(run),
      ...this.#collectors.expectations.part(),
      ...this.#collectors.health.part(),
    };
    const allowed = this.#context.header?.generator;
    if (!allowed) return measured;
    const bottlenecks = bottlenecksOf(measured, allowed);
    return { ...measured, health: { ...measured.health, bottlenecks, enforced: allowed.enforced } };
  }

  #stages(run: Omit<Summary['run'], 'warmUp'>): Pick<Summary, 'stages' | 'knee'> {
    const { turns, stages } = this.#collectors;
    const { header } = this.#context;
    if (!header?.stages) return {};
    const measured = stages.summaries(
      turns.all().filter((turn) => !turns.isWarmUp(turn)),
      run,
    );
    const knee = kneeOf(measured, header);
    return { stages: measured, ...(knee && { knee }) };
  }

  /** One row per second from 0 to the last one in which something was recorded. */
  intervals(): IntervalRow[] {
    return this.#collectors.intervals.rows(this.#collectors.turns.all());
  }

  /** Only those with samples; in a fixed order. */
  histograms(): NamedHistogram[] {
    return collectorNames
      .flatMap((name) => (this.#collectors[name] as Collector<unknown>).histograms?.() ?? [])
      .flatMap(named);
  }

  /** In order of acceptance, then of identifier. */
  turns(): TurnRow[] {
    const { turns } = this.#collectors;
    return turns.all().map((turn) => turnRow(turn, turns.isWarmUp(turn)));
  }

  /** The same turns with the intervals in which each was, certainly and possibly, in process. */
  observedTurns(): readonly Turn[] {
    return this.#collectors.turns.all();
  }

  /** Distinct messages that were accepted, in order of sending; the warm-up's too, since they cost quota. */
  acceptedMessages(): AcceptedMessage[] {
    return this.#collectors.messages.accepted();
  }
}

/** Both collectors are of the same kind. */
function mergeOne(ours: Collector<unknown>, theirs: Collector<unknown>): void {
  ours.merge(theirs);
}

function named({ metric, tags, histogram }: MetricHistogram): NamedHistogram[] {
  const distribution = histogram.distribution();
  if (!distribution) return [];
  return [
    {
      metric,
      tags,
      tag: [metric, ...Object.values(tags)].join('.'),
      distribution,
      encode: () => histogram.encode(),
      at: (percent) => histogram.at(percent) ?? distribution.maxUs,
    },
  ];
}
