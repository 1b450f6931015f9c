import type { Exchange, JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Smallest } from '../smallest.ts';
import type { ExpectationSummary, Summary } from '../summary.ts';

type Part = Pick<Summary, 'expectations'>;

const EXAMPLES = 10;
const STREAM = 'openStream' as const;

interface Example {
  readonly exchange: Pick<Exchange, 'sentAt' | 'seq' | 'operation'> & { readonly worker: number };
  /** Of a stream's handshake, the answer is compared first, and the event that ended the turn afterwards. */
  readonly isEnd: boolean;
  readonly position: number;
  readonly sentence: string;
}

const byTime = (a: Example, b: Example) =>
  a.exchange.sentAt - b.exchange.sentAt ||
  a.exchange.worker - b.exchange.worker ||
  a.exchange.seq - b.exchange.seq ||
  Number(a.isEnd) - Number(b.isEnd) ||
  a.position - b.position;

/** Expectations of the scenario's steps: how many were checked, and which were not met. */
export class ExpectationsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #examples = new Smallest<Example>(EXAMPLES, byTime);
  readonly #begun = new Set<string>();
  #checked = 0;
  #unmet = 0;

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'journey' && !this.#context.isWarmUpJourney(record)) this.#begun.add(record.journey);
    if ((record.kind !== 'exchange' && record.kind !== 'stream') || !record.expect) return;
    const judged = record.kind === 'exchange' ? record : record.handshake && { ...record.handshake, operation: STREAM };
    if (!judged || this.#context.isWarmUp(judged.intendedAt)) return;
    const { checked, unmet } = record.expect;
    this.#checked += checked;
    this.#unmet += unmet.length;
    const exchange = {
      sentAt: judged.sentAt,
      seq: judged.seq,
      operation: judged.operation,
      worker: record.worker ?? 0,
    };
    const isEnd = record.kind === 'stream';
    for (const [position, sentence] of unmet.entries()) this.#examples.add({ exchange, isEnd, position, sentence });
  }

  merge(other: ExpectationsCollector): void {
    this.#examples.merge(other.#examples);
    for (const journey of other.#begun) this.#begun.add(journey);
    this.#checked += other.#checked;
    this.#unmet += other.#unmet;
  }

  part(): Part {
    const examples = this.#examples.items().map(({ exchange, sentence }): ExpectationSummary['examples'][number] => ({
      seq: exchange.seq,
      ...(exchange.worker > 0 && { worker: exchange.worker }),
      operation: exchange.operation,
      sentence,
    }));
    const neverChecked = this.#checked === 0 && this.#context.header?.expecting?.some((name) => this.#begun.has(name));
    return {
      expectations: {
        checked: this.#checked,
        unmet: this.#unmet,
        ...(neverChecked === true && { neverChecked }),
        examples,
      },
    };
  }
}
