import type { Exchange, JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Smallest } from '../smallest.ts';
import type { ExpectationSummary, Summary } from '../summary.ts';

type Part = Pick<Summary, 'expectations'>;

const EXAMPLES = 10;

interface Example {
  readonly exchange: Pick<Exchange, 'sentAt' | 'seq' | 'operation'> & { readonly worker: number };
  readonly position: number;
  readonly sentence: string;
}

const byTime = (a: Example, b: Example) =>
  a.exchange.sentAt - b.exchange.sentAt ||
  a.exchange.worker - b.exchange.worker ||
  a.exchange.seq - b.exchange.seq ||
  a.position - b.position;

/** Expectations of the scenario's steps: how many were checked, and which were not met. */
export class ExpectationsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #examples = new Smallest<Example>(EXAMPLES, byTime);
  #checked = 0;
  #unmet = 0;

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || !record.expect || this.#context.isWarmUp(record.intendedAt)) return;
    this.#checked += record.expect.checked;
    this.#unmet += record.expect.unmet.length;
    const { sentAt, seq, operation, worker = 0 } = record;
    for (const [position, sentence] of record.expect.unmet.entries()) {
      this.#examples.add({ exchange: { sentAt, seq, operation, worker }, position, sentence });
    }
  }

  merge(other: ExpectationsCollector): void {
    this.#examples.merge(other.#examples);
    this.#checked += other.#checked;
    this.#unmet += other.#unmet;
  }

  part(): Part {
    const examples = this.#examples.items().map(({ exchange, sentence }): ExpectationSummary['examples'][number] => ({
      seq: exchange.seq,
      operation: exchange.operation,
      sentence,
    }));
    return { expectations: { checked: this.#checked, unmet: this.#unmet, examples } };
  }
}
