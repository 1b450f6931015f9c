import { limitNames } from '../../../api/index.ts';
import type { Exchange, ProfileWords } from '../../../history/index.ts';
import { floats, words } from '../../columns.ts';
import { Answer, type Evidence } from '../../evidence.ts';
import { type LimitFields, LimitFieldsReader, type Told } from '../read/limit-fields.ts';
import { parseRetryAfter, type RetryAfter } from '../read/retry-after.ts';
import { type Reference, referenceOf, refOf } from '../reference.ts';

/** A 429 and its advice. */
export interface Refusal {
  /** Of the evidence. */
  readonly row: number;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Absent: the answer had none. */
  readonly retryAfter?: RetryAfter;
  /** Policies that its fields name. */
  readonly policies: readonly string[];
  /** Its error code, where the profile maps that to a limit. */
  readonly code?: string;
}

/** An answer and what it tells of one limit. */
export interface Telling {
  readonly row: number;
  readonly told: Told;
}

export interface Advice {
  /** In the order of the records. */
  readonly refusals: readonly Refusal[];
  /** Answers that tell of a limit, in the order of the records; made anew on every walk. */
  readonly tellings: () => Iterable<Telling>;
  /** The first answer of each field that could not be read, and how many there were. */
  readonly malformed: readonly {
    readonly field: string;
    readonly first: Reference & { sentAt: number };
    readonly count: number;
  }[];
  /** The first 429 of each code that the profile maps to no limit. */
  readonly unmapped: readonly {
    readonly code: string;
    readonly first: Reference & { sentAt: number };
    readonly count: number;
  }[];
}

interface Noted {
  readonly first: Reference & { sentAt: number };
  readonly count: number;
}

type RefusalSeen = Omit<Refusal, 'row'> & Reference;

const MOST_NAMES = 1_000;

/** Keeps every 429, and of every answer that tells of limits some twenty bytes a limit: what it tells is kept once. */
export class AdviceGatherer {
  readonly #words: ProfileWords;
  readonly #fields = new LimitFieldsReader();
  readonly #refusals: RefusalSeen[] = [];
  readonly #tellings = { seq: floats(), worker: words(), told: [] as Told[] };
  readonly #malformed = new Map<string, Noted>();
  readonly #unmapped = new Map<string, Noted>();

  constructor(profileWords: ProfileWords) {
    this.#words = profileWords;
  }

  add(exchange: Exchange): void {
    const { outcome, headers, retryAfter } = exchange;
    if (outcome !== 'answered' && outcome !== 'refused') return;
    const fields: LimitFields | undefined = headers && this.#fields.read(headers);
    for (const told of fields?.told ?? []) this.#tell(exchange, told);
    for (const field of fields?.malformed ?? []) note(this.#malformed, field, exchange);
    if (outcome !== 'refused') return;
    const code = exchange.error?.code;
    const isMapped = limitNames.some((limit) => code !== undefined && this.#words.errorCodes[limit].includes(code));
    if (code !== undefined && !isMapped) note(this.#unmapped, code, exchange);
    this.#refusals.push({
      ...referenceOf(exchange),
      sentAt: exchange.sentAt,
      receivedAt: exchange.receivedAt,
      ...(typeof retryAfter === 'string' && { retryAfter: parseRetryAfter(retryAfter) }),
      policies: (fields?.told ?? []).map(({ policy }) => policy),
      ...(isMapped && code !== undefined && { code }),
    });
  }

  #tell({ seq, worker = 0 }: Exchange, told: Told): void {
    this.#tellings.seq.push(seq);
    this.#tellings.worker.push(worker);
    this.#tellings.told.push(told);
  }

  finish(evidence: Evidence, isDoubtful: (reference: Reference) => boolean): Advice {
    const counted = (notes: Map<string, Noted>) => [...notes].filter(([, { first }]) => !isDoubtful(first));
    return {
      refusals: this.#refusalsOf(evidence),
      tellings: () => this.#tellingsOf(evidence),
      malformed: counted(this.#malformed).map(([field, noted]) => ({ field, ...noted })),
      unmapped: counted(this.#unmapped).map(([code, noted]) => ({ code, ...noted })),
    };
  }

  #refusalsOf(evidence: Evidence): Refusal[] {
    const rows = new Map(
      [...evidence.answer.keys()]
        .filter((row) => evidence.answer[row] === Answer.refused)
        .map((row) => [evidence.refOf(row), row]),
    );
    return this.#refusals.flatMap(({ worker, seq, ...refusal }) => {
      const row = rows.get(refOf({ worker, seq }));
      return row === undefined ? [] : [{ ...refusal, row }];
    });
  }

  /** Both are in the order of the records, so one walk finds each answer's row. */
  *#tellingsOf(evidence: Evidence): Iterable<Telling> {
    const [seq, worker, told] = [this.#tellings.seq.values(), this.#tellings.worker.values(), this.#tellings.told];
    let row = 0;
    for (let i = 0; i < seq.length; i++) {
      while (row < evidence.size && (evidence.seq[row] !== seq[i] || evidence.worker[row] !== worker[i])) row += 1;
      if (row === evidence.size) return;
      if (!evidence.doubtful[row]) yield { row, told: told[i] as Told };
    }
  }
}

function note(notes: Map<string, Noted>, name: string, exchange: Exchange): void {
  const known = notes.get(name);
  if (!known && notes.size >= MOST_NAMES) return;
  const seen = { ...referenceOf(exchange), sentAt: exchange.sentAt };
  const first =
    known && (known.first.sentAt < seen.sentAt || (known.first.sentAt === seen.sentAt && known.first.seq < seen.seq));
  notes.set(name, { first: first ? known.first : seen, count: (known?.count ?? 0) + 1 });
}
