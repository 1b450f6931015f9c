import type { Micros } from '../../base/index.ts';
import type { Exchange, HealthRecord, JournalRecord } from '../../history/index.ts';
import type { Collector, MetricHistogram } from '../collector.ts';
import { keyOf } from '../counts.ts';
import { MicrosHistogram } from '../histogram.ts';
import type { GeneratorHealth, Summary } from '../summary.ts';

type Part = Pick<Summary, 'health'>;

/** The generator's own condition: whether its numbers can be trusted. */
export class GeneratorHealthCollector implements Collector<Part> {
  /** Per worker and instant: one record a second or so. */
  readonly #records = new Map<string, HealthRecord>();
  readonly #lag = new MicrosHistogram();
  /** When each user's token was last issued: whoever waited for it was not late by the generator's fault. */
  readonly #tokenIssuedAt = new Map<string, Micros>();

  add(record: JournalRecord): void {
    if (record.kind === 'health') this.#records.set(keyOf(String(record.worker ?? 0), String(record.at)), record);
    if (record.kind === 'exchange') this.#addExchange(record);
  }

  merge(other: GeneratorHealthCollector): void {
    for (const [key, record] of other.#records) this.#records.set(key, record);
    this.#lag.add(other.#lag);
    for (const [user, at] of other.#tokenIssuedAt) this.#tokenIssued(user, at);
  }

  part(): Part {
    const records = [...this.#records.values()];
    const scheduleLag = this.#lag.distribution();
    const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);
    return {
      health: {
        intervals: records.length,
        ...(records.length > 0 && {
          eventLoopP99MaxUs: most(records.map((one) => one.eventLoopP99Us)) as Micros,
          gcUs: records.reduce((sum, one) => sum + one.gcUs, 0) as Micros,
          backlogMax: most(records.map((one) => one.backlog)),
        }),
        ...cpuShares(records),
        ...(scheduleLag && { scheduleLag }),
      },
    };
  }

  histograms(): MetricHistogram[] {
    return [{ metric: 'schedule_lag', tags: {}, histogram: this.#lag }];
  }

  #addExchange(exchange: Exchange): void {
    const user = keyOf(exchange.application, exchange.user);
    const waitedForToken = (this.#tokenIssuedAt.get(user) ?? Number.NEGATIVE_INFINITY) > exchange.intendedAt;
    if (exchange.operation === 'issueToken') this.#tokenIssued(user, exchange.receivedAt);
    // A poll or a resend may have to wait for the answer of the one before it: the service's doing, not the generator's.
    const waitsForAnswers = exchange.operation === 'readTurn' || exchange.resend !== undefined;
    if (waitsForAnswers || waitedForToken) return;
    const waits = Object.values(exchange.capWaitUs ?? {}).reduce((sum, us) => sum + us, 0);
    this.#lag.record(exchange.sentAt - exchange.intendedAt - waits);
  }

  #tokenIssued(user: string, at: Micros): void {
    const known = this.#tokenIssuedAt.get(user);
    if (known === undefined || at > known) this.#tokenIssuedAt.set(user, at);
  }
}

/** The run's end cuts the last interval short, and some milliseconds of work in as many milliseconds say nothing. */
const SHORTEST_FOR_MAX_US = 500_000;

/** CPU time by wall time over the intervals of each worker; the mean over all of them, and the highest of one. */
function cpuShares(records: readonly HealthRecord[]): Pick<GeneratorHealth, 'cpuShareMean' | 'cpuShareMax'> {
  const lastAt = new Map<number, number>();
  let cpu = 0;
  let wall = 0;
  let highest = 0;
  for (const record of [...records].sort((a, b) => a.at - b.at)) {
    const worker = record.worker ?? 0;
    const interval = record.at - (lastAt.get(worker) ?? 0);
    lastAt.set(worker, record.at);
    if (record.cpuUs === undefined || interval <= 0) continue;
    cpu += record.cpuUs;
    wall += interval;
    if (interval >= SHORTEST_FOR_MAX_US) highest = Math.max(highest, record.cpuUs / interval);
  }
  if (wall === 0) return {};
  return { cpuShareMean: cpu / wall, ...(highest > 0 && { cpuShareMax: highest }) };
}
