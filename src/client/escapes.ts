/** A way of escaping characters. */
export interface Escaping {
  /** A text without one of these has nothing to decode. */
  readonly signs: RegExp;
  /** Matches one escape; global and without groups. */
  readonly pattern: RegExp;
  /** The UTF-8 bytes that a match stands for, one character each; `undefined` if it stands for itself. */
  readonly meaning: (found: string) => string | undefined;
}

export const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const FIRST = 'ud[89ab][0-9a-f]{2}';
const SECOND = 'ud[c-f][0-9a-f]{2}';
/** RFC 3986 section 2.1, and the form that JScript's `escape` gave to other characters. */
const PERCENT = `%${FIRST}%${SECOND}|%u[0-9a-f]{4}|%[0-9a-f]{2}`;
/** RFC 8259 section 7, where two escapes form one character beyond the first 65,536; and other forms in JavaScript, C and logs. */
const BACKSLASH = String.raw`\\${FIRST}\\${SECOND}|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,8}\}|\\x[0-9a-f]{2}|\\[0-3][0-7]{2}|\\["'\\/bfnrt]`;
/** As browsers read them: numbers, and the names older than HTML 5, which need no semicolon. */
const REFERENCE = '&(?:#x[0-9a-f]{1,8};?|#[0-9]{1,9};?|(?:amp|lt|gt|quot);?|[a-z]{3,8};)';

const CONTROL: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** ASCII characters with a name in HTML; `hyphen` and `dash` name other characters, but are used for `-` all the same. */
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
  // nginx writes bytes like this; JavaScript means the first 256 characters, of which the ASCII ones are the same.
  if (kind === 'x') return String.fromCharCode(Number.parseInt(found.slice(2), 16));
  if (kind <= '3') return String.fromCharCode(Number.parseInt(found.slice(1), 8));
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
 * Each kind alone, because a secret may itself contain what looks like another kind: a secret with `%41`, sent in a JSON string.
 * And all at once, for texts that mix them; in both cases `+` may be a space (forms).
 */
export const ESCAPINGS: readonly Escaping[] = [
  escaping(/[%\\&]/, PERCENT, BACKSLASH, REFERENCE),
  escaping(/\+/, String.raw`\+`, PERCENT, BACKSLASH, REFERENCE),
  escaping(/%/, PERCENT),
  escaping(/\+/, String.raw`\+`, PERCENT),
  escaping(/\\/, BACKSLASH),
  escaping(/&/, REFERENCE),
];
