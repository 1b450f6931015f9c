import { limitNames } from '../../../api/index.ts';
import type { Exchange, ProfileWords } from '../../../history/index.ts';
import { words } from '../../columns.ts';
import type { Evidence } from '../../evidence.ts';
import { type LimitFields, LimitFieldsReader, type Told } from '../read/limit-fields.ts';
import { RefusalGatherer, type Refusals } from './refusals.ts';

/** An answer and what it tells of one limit. */
export interface Telling {
  readonly row: number;
  readonly told: Told;
}

/** Answers that tell of limits, in the order of the records. */
export interface Tellings {
  readonly size: number;
  readonly row: (index: number) => number;
  /** One for each limit. */
  readonly told: (index: number) => readonly Told[];
}

export function* each({ size, row, told }: Tellings): Generator<Telling> {
  for (let i = 0; i < size; i++) for (const one of told(i)) yield { row: row(i), told: one };
}

/** Something that is told once, however many answers show it. */
export interface Noted {
  /** The row that was sent first. */
  readonly first: number;
  readonly count: number;
}

export interface Advice {
  readonly refusals: Refusals;
  readonly tellings: Tellings;
  /** Everything that is told, each once: nothing absurd in these, nothing absurd in any answer. */
  readonly everTold: ReadonlySet<Told>;
  /** Header fields that could not be read; codes that the profile maps to no limit. */
  readonly malformed: ReadonlyMap<string, Noted>;
  readonly unmapped: ReadonlyMap<string, Noted>;
}

const MOST_NAMES = 1_000;
const NOTHING: LimitFields = { told: [], malformed: [] };

/** Keeps every 429, and of every answer that tells of limits eight bytes: what it tells is kept once. */
export class AdviceGatherer {
  readonly #isMapped: ReadonlySet<string>;
  readonly #fields = new LimitFieldsReader();
  readonly #refusals = new RefusalGatherer();
  /** Rows, and the number of what each tells among `fields`. */
  readonly #tellings = { row: words(), fields: words() };
  readonly #told: LimitFields[] = [];
  readonly #numberOf = new Map<LimitFields, number>();
  readonly #malformed = new Map<string, Noted & { sentAt: number; seq: number }>();
  readonly #unmapped = new Map<string, Noted & { sentAt: number; seq: number }>();

  constructor({ errorCodes }: ProfileWords) {
    this.#isMapped = new Set(limitNames.flatMap((limit) => errorCodes[limit]));
  }

  add(exchange: Exchange, row: number): void {
    const { outcome, headers } = exchange;
    if (outcome !== 'answered' && outcome !== 'refused') return;
    const fields = headers ? this.#fields.read(headers) : NOTHING;
    if (fields.told.length > 0) {
      this.#tellings.row.push(row);
      this.#tellings.fields.push(this.#number(fields));
    }
    for (const field of fields.malformed) note(this.#malformed, field, exchange, row);
    if (outcome !== 'refused') return;
    const code = exchange.error?.code;
    const isMapped = code !== undefined && this.#isMapped.has(code);
    if (code !== undefined && !isMapped) note(this.#unmapped, code, exchange, row);
    this.#refusals.add(exchange, row, fields.told, isMapped ? code : undefined);
  }

  #number(fields: LimitFields): number {
    const known = this.#numberOf.get(fields);
    if (known !== undefined) return known;
    this.#told.push(fields);
    this.#numberOf.set(fields, this.#told.length - 1);
    return this.#told.length - 1;
  }

  finish(evidence: Evidence): Advice {
    const believed = (notes: ReadonlyMap<string, Noted>) =>
      new Map([...notes].filter(([, { first }]) => evidence.doubtful[first] === 0));
    return {
      refusals: this.#refusals.finish(evidence),
      tellings: this.#tellingsOf(evidence),
      everTold: new Set(this.#told.flatMap(({ told }) => told)),
      malformed: believed(this.#malformed),
      unmapped: believed(this.#unmapped),
    };
  }

  #tellingsOf({ doubtful }: Evidence): Tellings {
    const [rows, fields] = [this.#tellings.row.values(), this.#tellings.fields.values()];
    return {
      size: rows.length,
      row: (i) => rows[i] as number,
      told: (i) => (doubtful[rows[i] as number] === 1 ? [] : (this.#told[fields[i] as number] as LimitFields).told),
    };
  }
}

function note(
  notes: Map<string, Noted & { sentAt: number; seq: number }>,
  name: string,
  { sentAt, seq }: Exchange,
  row: number,
): void {
  const known = notes.get(name);
  if (!known && notes.size >= MOST_NAMES) return;
  const stands = known && (known.sentAt < sentAt || (known.sentAt === sentAt && known.seq < seq));
  notes.set(name, { ...(stands ? known : { first: row, sentAt, seq }), count: (known?.count ?? 0) + 1 });
}
