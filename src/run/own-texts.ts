import type { ApiCall } from '../api/index.ts';
import { bytesOf, Sought, type Span, viewsOf, withoutSpans } from '../client/index.ts';
import { isKeptHeader } from '../schedule/index.ts';
import { type Answer, cleaned, type Search, type WithTexts } from './cleaned.ts';
import { type Redact, withWordsOf } from './free-texts.ts';
import { isDate, isSparedName } from './spared-headers.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members of requests that are people's own: what they write, and who they are. */
const OWN = ['message', 'title', 'external_user_id'];

/** Shorter ones may be in anything by chance; they would take with them what a service says of itself. */
const SHORTEST = 8;

/** Of longer ones, any 16 bytes in a row are met. */
const LONGEST_WHOLE = 16;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/**
 * An answer without what it says back of its own request's texts, title or external user id, where it would be kept: in headers, in
 * the code of an error, in words of states. Met is the whole, or 16 bytes of it in a row, however it can be read (`viewsOf`), and inside
 * base64 and hexadecimal digits, of which all goes. Headers and bodies stay as they are otherwise, for what is expected of them.
 * @param codes of errors that mean something, and stay
 */
export function withoutOwnTexts(
  { operation, body }: Pick<ApiCall, 'operation' | 'body'>,
  answer: Answer,
  codes: ReadonlySet<string>,
): Answer {
  const own = isObject(body) ? OWN.flatMap((name) => textOf(body[name])) : [];
  return own.length === 0 ? answer : cleaned(answer, echoesOf(operation, codes), searchForOwn(own));
}

const textOf = (value: unknown): string[] => (typeof value === 'string' && value.length >= SHORTEST ? [value] : []);

const echoesOf =
  (operation: ApiCall['operation'], codes: ReadonlySet<string>): WithTexts =>
  (answer, ofHeaders, ofBody) => {
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) =>
        isKeptHeader(name)
          ? [isSparedName(name) ? name : ofHeaders(name), isDate(name, value) ? value : ofHeaders(value)]
          : [name, value],
      ),
    );
    if (!isObject(answer.body)) return { ...answer, headers };
    const ofWords: Redact = (text) => (codes.has(text) ? text : ofBody(text));
    if (answer.status >= 200 && answer.status < 300)
      return { ...answer, headers, body: withWordsOf(operation, answer.body, ofWords) };
    const { error } = answer.body;
    if (!isObject(error) || typeof error.code !== 'string') return { ...answer, headers };
    return { ...answer, headers, body: { ...answer.body, error: { ...error, code: ofWords(error.code) } } };
  };

/** Texts are people's, and may be long: they are looked for as they stand, and texts that may be packed are unpacked instead. */
function searchForOwn(own: readonly string[]): Search {
  const sought = new Sought(
    own.filter(({ length }) => length < LONGEST_WHOLE),
    own,
  );
  const spansIn = (text: string): Span[] => {
    if (text.length < SHORTEST) return [];
    const views = viewsOf(text);
    const packed = packedIn(text).filter(({ unpacked }) => sought.isIn(unpacked.map((bytes) => ({ bytes }))));
    return [...(sought.isIn(views) ? sought.spansIn(views) : []), ...packed.map(({ span }) => span)];
  };
  return {
    isIn: (text) => spansIn(text).length > 0,
    redact(text) {
      const spans = spansIn(text);
      return spans.length === 0 ? text : withoutSpans(text, spans);
    },
  };
}

/** Eight bytes in base64; without a capital or a digit it is a word of some service's. */
const PACKED = /(?=[a-z+/_-]*[A-Z0-9])[\w+/-]{11,}/g;
const HEX = /^[0-9a-f]+$/i;

interface Packed {
  readonly span: Span;
  /** What it may mean, by where in it the first group begins. */
  readonly unpacked: readonly string[];
}

const packedIn = (text: string): Packed[] =>
  [...text.matchAll(PACKED)].map(({ 0: run, index }) => ({
    span: [index, index + run.length],
    unpacked: [
      ...[0, 1, 2, 3].map((from) => bytesIn(run.slice(from), 'base64')),
      ...(HEX.test(run) ? [0, 1].map((from) => bytesIn(run.slice(from), 'hex')) : []),
    ],
  }));

const bytesIn = (text: string, encoding: 'base64' | 'hex'): string =>
  bytesOf(Buffer.from(text, encoding).toString('utf8'));
