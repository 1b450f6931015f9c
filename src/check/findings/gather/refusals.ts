import type { Exchange } from '../../../history/index.ts';
import { floats, Names, words } from '../../evidence/columns.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { parseRetryAfter, type RetryAfter } from '../read/retry-after.ts';
import type { Told } from '../read/told.ts';

/** A 429 and its advice. */
export interface Refusal {
  /** Of the evidence. */
  readonly row: number;
  /** The last byte, run µs. */
  readonly receivedAt: number;
  /** Absent: the answer had none. */
  readonly retryAfter: RetryAfter | undefined;
  /** What its fields say; their policies distinguish limits of one kind. */
  readonly told: readonly Told[];
}

/** All 429s in the order of the records, in columns: a service under pressure refuses millions. */
export interface GatheredRefusals {
  readonly size: number;
  readonly row: (index: number) => number;
  readonly retryAfter: (index: number) => RetryAfter | undefined;
  /** Its error code, if the profile maps it to a limit. */
  readonly code: (index: number) => string | undefined;
  readonly at: (index: number) => Refusal;
  /** By row of the evidence: its index plus one; 0 for rows that were not refused. Computed on first use. */
  readonly numbers: () => Uint32Array;
  /** Whether the advice of some refusal satisfies a condition. */
  readonly advised: (isSuch: (advice: RetryAfter) => boolean) => boolean;
}

/** More distinct advice only comes from a hostile service: it is then parsed each time. */
const MOST_KEPT = 100_000;

export class RefusalGatherer {
  readonly #columns = { row: words(), receivedAt: floats(), advice: words(), code: words() };
  /** Different advice, each once; the column has their numbers from 1. */
  readonly #advice: RetryAfter[] = [];
  readonly #adviceNumbers = new Map<string, number>();
  readonly #codes = new Names<string>();

  /** @param code error code, if the profile maps it to a limit */
  add({ receivedAt, retryAfter }: Exchange, row: number, code: string | undefined): void {
    const columns = this.#columns;
    columns.row.push(row);
    columns.receivedAt.push(receivedAt);
    columns.advice.push(typeof retryAfter === 'string' ? this.#adviceNumber(retryAfter) : 0);
    columns.code.push(code === undefined ? 0 : this.#codes.of(code));
  }

  #adviceNumber(text: string): number {
    const known = this.#adviceNumbers.get(text);
    if (known !== undefined) return known;
    const number = this.#advice.push(parseRetryAfter(text));
    if (this.#adviceNumbers.size < MOST_KEPT) this.#adviceNumbers.set(text, number);
    return number;
  }

  /** Without doubtful ones. @param told what the answer in a row of the evidence says about limits */
  finish({ doubtful, size }: Evidence, told: (row: number) => readonly Told[]): GatheredRefusals {
    const columns = this.#columns;
    const all = columns.row.values();
    const sound = all.some((row) => doubtful[row] === 1)
      ? Uint32Array.from(all.keys()).filter((i) => doubtful[all[i] as number] === 0)
      : undefined;
    const index = (i: number) => (sound ? (sound[i] as number) : i);
    const row = (i: number) => all[index(i)] as number;
    const retryAfter = (i: number) => this.#advice[columns.advice.at(index(i)) - 1];
    let numbers: Uint32Array | undefined;
    const count = sound?.length ?? all.length;
    return {
      size: count,
      row,
      retryAfter,
      code: (i) => this.#codes.name(columns.code.at(index(i))),
      at: (i) => ({
        row: row(i),
        receivedAt: columns.receivedAt.at(index(i)),
        retryAfter: retryAfter(i),
        told: told(row(i)),
      }),
      numbers: () => {
        if (numbers) return numbers;
        numbers = new Uint32Array(size);
        for (let i = 0; i < count; i++) numbers[row(i)] = i + 1;
        return numbers;
      },
      advised: (isSuch) => this.#advice.some(isSuch),
    };
  }
}
