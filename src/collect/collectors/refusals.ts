import type { JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { Counts } from '../counts.ts';
import { CountsOfFirstKeys } from '../smallest.ts';
import { type Attribution, attributions, type Summary } from '../summary.ts';

type Part = Pick<Summary, 'refusals'>;

/** At most this many distinct codes are listed, each shortened: a service may invent a new one every time. */
const MOST_CODES = 20;
const CODE_CHARACTERS = 64;

/** 429s: how many, by which limit, with which advice. */
export class RefusalsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #byLimit = new Counts<Attribution>();
  readonly #codes = new CountsOfFirstKeys(MOST_CODES);
  #exchanges = 0;
  #withRetryAfter = 0;

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || this.#context.isWarmUp(record.intendedAt)) return;
    this.#exchanges += 1;
    if (record.outcome !== 'refused') return;
    const limit = this.#context.limitOf(record);
    this.#byLimit.add(limit);
    if (limit === 'unattributed') this.#codes.add((record.error?.code ?? '').slice(0, CODE_CHARACTERS));
    if (record.retryAfter !== undefined) this.#withRetryAfter += 1;
  }

  merge(other: RefusalsCollector): void {
    this.#byLimit.merge(other.#byLimit);
    this.#codes.merge(other.#codes);
    this.#exchanges += other.#exchanges;
    this.#withRetryAfter += other.#withRetryAfter;
  }

  part(): Part {
    const total = this.#byLimit.total;
    return {
      refusals: {
        total,
        ...(this.#exchanges > 0 && { share: total / this.#exchanges }),
        byLimit: this.#byLimit.of(attributions),
        withRetryAfter: this.#withRetryAfter,
        unattributedCodes: this.#codes.entries().map(([code, count]) => ({ code, count })),
      },
    };
  }
}
