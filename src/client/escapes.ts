/** A way of writing something otherwise than it is meant. */
export interface Escaping {
  /** Without one of these there is nothing to read. */
  readonly signs: RegExp;
  /** What is read, global and without groups. */
  readonly pattern: RegExp;
  /** The bytes of UTF-8 that one match stands for, a character each; `undefined`: it stands for itself. */
  readonly meaning: (found: string) => string | undefined;
}

export const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const FIRST = 'ud[89ab][0-9a-f]{2}';
const SECOND = 'ud[c-f][0-9a-f]{2}';
/** RFC 3986 section 2.1, and what JScript's `escape` made of other characters. */
const PERCENT = `%${FIRST}%${SECOND}|%u[0-9a-f]{4}|%[0-9a-f]{2}`;
/** RFC 8259 section 7, where two of them are one character beyond the first 65,536; and what JavaScript and logs write beside it. */
const BACKSLASH = String.raw`\\${FIRST}\\${SECOND}|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,8}\}|\\x[0-9a-f]{2}|\\["'\\/bfnrt]`;
/** As browsers read them: numbers, and the names that are older than HTML 5, without a semicolon too. */
const REFERENCE = '&(?:#x[0-9a-f]{1,8};?|#[0-9]{1,9};?|(?:amp|lt|gt|quot);?|[a-z]{3,8};)';

const CONTROL: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Of the characters of ASCII that have a name in HTML; `hyphen` and `dash` are others, and are written for it all the same. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", tab: '\t', newline: '\n', nbsp: ' ' },
  ...{
    excl: '!',
    num: '#',
    dollar: '$',
    percnt: '%',
    lpar: '(',
    rpar: ')',
    ast: '*',
    midast: '*',
    plus: '+',
    comma: ',',
  },
  ...{ hyphen: '-', dash: '-', period: '.', sol: '/', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@' },
  ...{ lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', hat: '^', lowbar: '_', underbar: '_', grave: '`' },
  ...{ lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
};

const ofPoint = (point: number): string | undefined =>
  point > 0x10ffff ? undefined : utf8(String.fromCodePoint(point));
const ofUnits = (found: string): string =>
  utf8(String.fromCharCode(...(found.match(/[0-9a-f]{4}/gi) ?? []).map((unit) => Number.parseInt(unit, 16))));

function ofPercent(found: string): string {
  return found.length > 3 ? ofUnits(found) : String.fromCharCode(Number.parseInt(found.slice(1), 16));
}

function ofBackslash(found: string): string | undefined {
  const kind = found[1] as string;
  if (found.length === 2) return CONTROL[kind] ?? kind;
  // As nginx writes bytes; JavaScript means the first 256 characters, of which those of ASCII are the same.
  if (kind === 'x') return String.fromCharCode(Number.parseInt(found.slice(2), 16));
  return found[2] === '{' ? ofPoint(Number.parseInt(found.slice(3, -1), 16)) : ofUnits(found);
}

function ofReference(found: string): string | undefined {
  const name = found.slice(1).replace(';', '').toLowerCase();
  if (name[0] !== '#') return NAMED[name];
  return ofPoint(name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

const ofAny = (found: string): string | undefined => {
  if (found[0] === '+') return ' ';
  if (found[0] === '%') return ofPercent(found);
  return found[0] === '&' ? ofReference(found) : ofBackslash(found);
};

const escaping = (signs: RegExp, ...patterns: readonly string[]): Escaping => ({
  signs,
  pattern: new RegExp(patterns.join('|'), 'gi'),
  meaning: ofAny,
});

/**
 * Each kind alone, since what a secret holds of another must stay as it is: `%41` in a secret that came in a JSON string. And all
 * at once, for texts that mix them; in both, `+` may be a space (forms).
 */
export const ESCAPINGS: readonly Escaping[] = [
  escaping(/[%\\&]/, PERCENT, BACKSLASH, REFERENCE),
  escaping(/\+/, String.raw`\+`, PERCENT, BACKSLASH, REFERENCE),
  escaping(/%/, PERCENT),
  escaping(/\+/, String.raw`\+`, PERCENT),
  escaping(/\\/, BACKSLASH),
  escaping(/&/, REFERENCE),
];
