import type { ApiCall } from '../../api/index.ts';
import { bytesOf, Sought, type Span, viewsOf, withoutSpans } from '../../client/index.ts';
import { isKeptHeader } from '../../schedule/index.ts';
import { type Answer, cleaned, isSuccess, type Search, sparing, type WithTexts } from './cleaned.ts';
import { isObject, withWordsOf } from './free-texts.ts';
import { isDate, isSparedName } from './spared-headers.ts';

/** Members of requests that contain personal data: texts that users write, and their ids. */
const OWN = ['message', 'title', 'external_user_id'];

/** Shorter texts are not searched for: they may occur by chance in what the service says about itself. */
const SHORTEST = 8;

/** Shorter texts are found only as a whole; of longer ones, any 16 consecutive bytes are found. */
const LONGEST_WHOLE = 16;

/**
 * Removes from an answer echoes of its request's message, title or external user id, in the parts that the journal keeps: headers,
 * error codes and status words. A text is found as a whole or by 16 consecutive bytes, in every decoding (`viewsOf`), and inside
 * base64 and hexadecimal digits; such an encoded run is removed completely. Everything else is unchanged, because a step's
 * expectations apply to it.
 * @param codes known error codes, which are kept
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
    const ofWords = sparing(codes, ofBody);
    if (isSuccess(answer.status)) return { ...answer, headers, body: withWordsOf(operation, answer.body, ofWords) };
    const { error } = answer.body;
    if (!isObject(error) || typeof error.code !== 'string') return { ...answer, headers };
    return { ...answer, headers, body: { ...answer.body, error: { ...error, code: ofWords(error.code) } } };
  };

/** Searches for the texts as they are; base64 and hexadecimal runs in the answer are decoded, instead of encoding long texts. */
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

/** At least eight bytes in base64. A run without capitals and digits is an ordinary word. */
const PACKED = /(?<![\w+/-])(?=[a-z+/_-]*[A-Z0-9])[\w+/-]{11,}/g;
/** At least eight bytes in hexadecimal digits, maybe within a longer word: `code-6d79…`. */
const HEX = /[0-9a-f]{16,}/gi;

interface Packed {
  readonly span: Span;
  /** The decoded text, for each possible start of the first group of digits. */
  readonly unpacked: readonly string[];
}

const packedIn = (text: string): Packed[] => [
  ...unpackedFrom(text, PACKED, 'base64', [0, 1, 2, 3]),
  ...unpackedFrom(text, HEX, 'hex', [0, 1]),
];

const unpackedFrom = (text: string, runs: RegExp, encoding: 'base64' | 'hex', starts: readonly number[]): Packed[] =>
  [...text.matchAll(runs)].map(({ 0: run, index }) => ({
    span: [index, index + run.length],
    unpacked: starts.map((from) => bytesIn(run.slice(from), encoding)),
  }));

const bytesIn = (text: string, encoding: 'base64' | 'hex'): string =>
  bytesOf(Buffer.from(text, encoding).toString('utf8'));
