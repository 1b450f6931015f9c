import { limitNames, operations } from '../../../api/index.ts';
import type { Exchange, ProfileWords } from '../../../history/index.ts';
import { rowRegister } from '../../evidence/columns.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { LimitFieldsReader, type NumberedFields } from '../read/limit-fields.ts';
import type { Told } from '../read/told.ts';
import { believed, type Noted, type Notes, note } from './noted.ts';
import { type GatheredRefusals, RefusalGatherer } from './refusals.ts';

/** An answer with what it says about one limit. */
export interface Telling {
  readonly row: number;
  readonly told: Told;
}

/** What answers say about limits, by row of the evidence, in the order of the records. */
export interface Tellings {
  /** Of the evidence. */
  readonly size: number;
  /** One entry per limit; empty for rows without an answer or without limit fields. */
  readonly told: (row: number) => readonly Told[];
}

export function* each({ size, told }: Tellings): Generator<Telling> {
  for (let row = 0; row < size; row++) for (const one of told(row)) yield { row, told: one };
}

export interface Advice {
  readonly refusals: GatheredRefusals;
  readonly tellings: Tellings;
  /** Every distinct statement: if none of these is impossible, no answer is. */
  readonly everTold: ReadonlySet<Told>;
  /** Header fields that could not be read; codes that the profile maps to no limit. */
  readonly malformed: ReadonlyMap<string, Noted>;
  readonly unmapped: ReadonlyMap<string, Noted>;
}

const NOTHING: NumberedFields = { number: 0, told: [], malformed: [] };
const NONE: readonly Told[] = [];

/** Keeps every 429, and four bytes per exchange: equal statements about limits are kept once. */
export class AdviceGatherer {
  readonly #isMapped: ReadonlySet<string>;
  readonly #mayCopy: boolean;
  readonly #fields = new LimitFieldsReader();
  readonly #refusals = new RefusalGatherer();
  /** By row, the number of its statement; 0 is none. */
  readonly #numbers = rowRegister();
  readonly #told: (readonly Told[])[] = [NONE];
  readonly #malformed: Notes = new Map();
  readonly #unmapped: Notes = new Map();

  constructor({ errorCodes, turns }: ProfileWords) {
    this.#mayCopy = turns.staleUs > 0;
    this.#isMapped = new Set(limitNames.flatMap((limit) => errorCodes[limit]));
  }

  add(exchange: Exchange, row: number): void {
    const { outcome, headers } = exchange;
    if (outcome !== 'answered' && outcome !== 'refused') return;
    const fields = headers ? this.#fields.read(headers) : NOTHING;
    if (fields.told.length > 0) {
      // A copy brings the fields of what it is a copy of.
      const isCopy = this.#mayCopy && operations[exchange.operation].method === 'GET';
      if (!isCopy) this.#numbers.set(row, fields.number);
      this.#told[fields.number] = fields.told;
    }
    for (const field of fields.malformed) note(this.#malformed, field, row);
    if (outcome !== 'refused') return;
    const code = exchange.error?.code;
    const isMapped = code !== undefined && this.#isMapped.has(code);
    if (code !== undefined && !isMapped) note(this.#unmapped, code, row);
    this.#refusals.add(exchange, row, isMapped ? code : undefined);
  }

  finish(evidence: Evidence): Advice {
    const tellings = this.#tellingsOf(evidence);
    return {
      refusals: this.#refusals.finish(evidence, tellings.told),
      tellings,
      everTold: new Set(this.#told.flat()),
      malformed: believed(this.#malformed, evidence),
      unmapped: believed(this.#unmapped, evidence),
    };
  }

  #tellingsOf({ doubtful, size }: Evidence): Tellings {
    return {
      size: this.#told.length > 1 ? size : 0,
      told: (row) => (doubtful[row] === 1 ? NONE : (this.#told[this.#numbers.get(row)] ?? NONE)),
    };
  }
}
