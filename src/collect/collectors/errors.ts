import type { Exchange, JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Counts, type Key, keyOf, partsOf } from '../counts.ts';
import type { ErrorCount, Summary } from '../summary.ts';

type Part = Pick<Summary, 'errors'>;

/** Exchanges that are neither a success, nor a 429, nor expected by the step, by kind. */
export class ErrorsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #counts = new Counts<Key<[ErrorCount['operation'], ErrorCount['kind'], what: string]>>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || this.#context.isWarmUp(record.intendedAt)) return;
    const problem = this.#problemOf(record);
    if (problem) this.#counts.add(keyOf(record.operation, problem.kind, problem.what));
  }

  merge(other: ErrorsCollector): void {
    this.#counts.merge(other.#counts);
  }

  part(): Part {
    const errors = this.#counts.entries().map(([key, count]): ErrorCount => {
      const [operation, kind, what] = partsOf(key);
      return { operation, kind, what, count };
    });
    return { errors };
  }

  #problemOf(exchange: Exchange): Pick<ErrorCount, 'kind' | 'what'> | undefined {
    if (exchange.outcome === 'refused' || this.#context.isExpectedError(exchange)) return undefined;
    if (exchange.outcome !== 'answered') return { kind: 'failure', what: exchange.failure ?? exchange.outcome };
    if (!this.#context.isSuccess(exchange)) return { kind: 'status', what: String(exchange.status ?? 'none') };
    return exchange.bodyProblem === undefined ? undefined : { kind: 'body', what: exchange.bodyProblem };
  }
}
