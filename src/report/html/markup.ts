import { inertText } from '../../base/index.ts';

/** Markup that is safe to insert. Created by `html`, or from constants. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Interpolated values of `html`: texts are escaped, `undefined` and `false` are omitted, lists are concatenated. */
type Piece = string | number | Markup | undefined | false | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Maximum length of an interpolated text; a claim may name dozens of identifiers. */
const MOST_CHARACTERS = 1_000;

const escaped = (text: string): string =>
  inertText(text, MOST_CHARACTERS).replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Template tag for markup. Every interpolated text is made inert and escaped. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.reduce((text, string, i) => text + render(pieces[i - 1]) + string));
}

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'string') return escaped(piece);
  if (typeof piece === 'number') return String(piece);
  return piece instanceof Markup ? piece.text : piece.map(render).join('');
}

/** JSON for a script element: no text in it can end the element, begin a comment or break a line. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
