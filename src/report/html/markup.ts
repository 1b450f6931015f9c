import { inertText } from '../inert-text.ts';

/** Markup that is known to be harmless. Made by `html` alone. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What `html` takes: text is escaped, nothing is left out, a list is joined. */
export type Piece = string | number | Markup | undefined | false | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Longest text from elsewhere in one place; a claim may name some dozen identifiers. */
const MOST_CHARACTERS = 1_000;

const escaped = (text: string): string =>
  inertText(text, MOST_CHARACTERS).replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Markup from a template: every text that is put in is made inert, whoever wrote it. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.reduce((text, string, i) => text + render(pieces[i - 1]) + string));
}

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'string') return escaped(piece);
  if (typeof piece === 'number') return String(piece);
  return piece instanceof Markup ? piece.text : piece.map(render).join('');
}

/** Data as it may stand in a script element: no text in it can end the element, begin a comment or break a line. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
