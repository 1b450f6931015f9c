/** A bare item of a structured field. Byte sequences and dates are skipped: no relevant parameter is one. */
export type BareItem = number | string | boolean | { readonly token: string } | { readonly other: string };

export interface ListItem {
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
}

export const integer = (item: BareItem | undefined): number | undefined =>
  typeof item === 'number' && Number.isInteger(item) ? item : undefined;

const PATTERNS = {
  space: / */y,
  whitespace: /[ \t]*/y,
  decimal: /-?\d{1,12}\.\d{1,3}/y,
  integer: /-?\d{1,15}/y,
  string: /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y,
  token: /[A-Za-z*][!#$%&'*+\-.^_`|~:/A-Za-z0-9]*/y,
  boolean: /\?[01]/y,
  bytes: /:[A-Za-z0-9+/=]*:/y,
  date: /@-?\d{1,15}/y,
  key: /[a-z*][a-z0-9_.*-]*/y,
} as const;

/**
 * Reads a List of Items with parameters (RFC 9651 section 4.2); the fields read here have no inner lists.
 * @returns `undefined` if the field is malformed anywhere: it must be ignored as a whole
 */
export function parseList(text: string): ListItem[] | undefined {
  const reader = new Reader(text);
  const items: ListItem[] = [];
  reader.take('space');
  while (!reader.done) {
    const item = reader.item();
    if (!item) return undefined;
    items.push(item);
    reader.take('whitespace');
    if (reader.done) break;
    if (!reader.skip(',')) return undefined;
    reader.take('whitespace');
    if (reader.done) return undefined;
  }
  return items.length > 0 ? items : undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/ +$/, '');
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Consumes the characters that match here. */
  take(name: keyof typeof PATTERNS): string | undefined {
    const pattern = PATTERNS[name];
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  item(): ListItem | undefined {
    const value = this.#bare();
    if (value === undefined) return undefined;
    const parameters = new Map<string, BareItem>();
    while (this.skip(';')) {
      this.take('space');
      const key = this.take('key');
      if (key === undefined) return undefined;
      const given = this.skip('=') ? this.#bare() : true;
      if (given === undefined) return undefined;
      parameters.set(key, given);
    }
    return { value, parameters };
  }

  #bare(): BareItem | undefined {
    const number = this.take('decimal') ?? this.take('integer');
    if (number !== undefined) return Number(number);
    const string = this.take('string');
    if (string !== undefined) return string.slice(1, -1).replace(/\\(.)/g, '$1');
    const boolean = this.take('boolean');
    if (boolean !== undefined) return boolean === '?1';
    const token = this.take('token');
    if (token !== undefined) return { token };
    const other = this.take('bytes') ?? this.take('date');
    return other === undefined ? undefined : { other };
  }
}
