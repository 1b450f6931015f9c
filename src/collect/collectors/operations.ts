import { type OperationId, operationIds } from '../../api/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import type { Collector, MetricHistogram } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Counts } from '../counts.ts';
import type { MicrosHistogram } from '../histograms/histogram.ts';
import { HistogramsBy, merged } from '../histograms/histograms-by.ts';
import {
  type Attribution,
  attributions,
  type Latency,
  type OperationSummary,
  type OutcomeClass,
  outcomeClasses,
  type Summary,
} from '../summary.ts';

type Part = Pick<Summary, 'operations' | 'total'>;

/** Count, latency, statuses, bytes and refusals, per operation and of all. */
export class OperationsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #tallies = new Map<OperationId, Tally>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || this.#context.isWarmUp(record.intendedAt)) return;
    this.#of(record.operation).add(record, this.#context);
  }

  merge(other: OperationsCollector): void {
    for (const [operation, tally] of other.#tallies) this.#of(operation).merge(tally);
  }

  part(): Part {
    const total = new Tally();
    const operations: Partial<Record<OperationId, OperationSummary>> = {};
    for (const [operation, tally] of this.#inOrder()) {
      total.merge(tally);
      operations[operation] = tally.summary();
    }
    return { total: total.summary(), operations };
  }

  histograms(): MetricHistogram[] {
    return this.#inOrder().flatMap(([operation, tally]) =>
      outcomeClasses.flatMap((outcome) => tally.histograms(operation, outcome)),
    );
  }

  #inOrder(): [OperationId, Tally][] {
    return operationIds.flatMap((operation) => {
      const tally = this.#tallies.get(operation);
      return tally ? [[operation, tally] as [OperationId, Tally]] : [];
    });
  }

  #of(operation: OperationId): Tally {
    let tally = this.#tallies.get(operation);
    if (!tally) {
      tally = new Tally();
      this.#tallies.set(operation, tally);
    }
    return tally;
  }
}

/** Outcomes that are answers of the service. */
const answers = ['success', 'error', 'refused'] as const satisfies readonly OutcomeClass[];

class Tally {
  readonly #outcomes = new Counts<OutcomeClass>();
  readonly #statuses = new Counts<string>();
  readonly #refusedBy = new Counts<Attribution>();
  readonly #service = new HistogramsBy<OutcomeClass>();
  readonly #response = new HistogramsBy<OutcomeClass>();
  #sent = 0;
  #received = 0;
  #retries = 0;
  #expectedErrors = 0;

  add(exchange: Exchange, context: RunContext): void {
    const outcome = context.classOf(exchange);
    this.#outcomes.add(outcome);
    if (exchange.status !== undefined) this.#statuses.add(String(exchange.status));
    if (outcome === 'refused') this.#refusedBy.add(context.limitOf(exchange));
    this.#service.record(outcome, exchange.receivedAt - exchange.sentAt, exchange.receivedAt);
    this.#response.record(outcome, exchange.receivedAt - exchange.intendedAt, exchange.receivedAt);
    this.#sent += exchange.bytes.sent;
    this.#received += exchange.bytes.received;
    if (exchange.attempt > 1) this.#retries += 1;
    if (context.isExpectedError(exchange)) this.#expectedErrors += 1;
  }

  merge(other: Tally): void {
    this.#outcomes.merge(other.#outcomes);
    this.#statuses.merge(other.#statuses);
    this.#refusedBy.merge(other.#refusedBy);
    this.#service.merge(other.#service);
    this.#response.merge(other.#response);
    this.#sent += other.#sent;
    this.#received += other.#received;
    this.#retries += other.#retries;
    this.#expectedErrors += other.#expectedErrors;
  }

  summary(): OperationSummary {
    return {
      count: this.#outcomes.total,
      byOutcome: this.#outcomes.of(outcomeClasses),
      statuses: this.#statuses.toObject() as Record<string, number>,
      latency: this.#latencies(),
      bytes: { sent: this.#sent, received: this.#received },
      refusedBy: this.#refusedBy.of(attributions),
      retries: this.#retries,
      ...(this.#expectedErrors > 0 && { expectedErrors: this.#expectedErrors }),
    };
  }

  histograms(operation: OperationId, outcome: OutcomeClass): MetricHistogram[] {
    const service = this.#service.get(outcome);
    const response = this.#response.get(outcome);
    const tags = { operation, outcome };
    return [
      ...(service ? [{ metric: 'http_req_duration' as const, tags, histogram: service }] : []),
      ...(response ? [{ metric: 'response_time' as const, tags, histogram: response }] : []),
    ];
  }

  #latencies(): OperationSummary['latency'] {
    const each = outcomeClasses.flatMap((outcome) =>
      latencyOf(outcome, this.#service.get(outcome), this.#response.get(outcome)),
    );
    const service = merged(answers.map((outcome) => this.#service.get(outcome)));
    const response = merged(answers.map((outcome) => this.#response.get(outcome)));
    return Object.fromEntries([...each, ...latencyOf('answers', service, response)]);
  }
}

function latencyOf(key: string, service?: MicrosHistogram, response?: MicrosHistogram): [string, Latency][] {
  const latency = { service: service?.distribution(), response: response?.distribution() };
  if (!latency.service || !latency.response) return [];
  return [[key, { service: latency.service, response: latency.response }]];
}
