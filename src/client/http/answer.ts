import { isAscii } from 'node:buffer';
import type { BodyMemory } from './body-memory.ts';
import type { BodyRead } from './body-read.ts';
import { decode } from './content-coding.ts';

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });
const NO_BODY: BodyRead = {};
const WRONG_TYPE: BodyRead = { bodyProblem: 'wrong-content-type' };
const NOT_UTF8: BodyRead = { bodyProblem: 'not-utf8' };
const NOT_JSON: BodyRead = { bodyProblem: 'not-json' };

/**
 * The body of an answer with these headers, with content codings removed.
 * @param mostBytes limit of the decoded size
 */
export function readAnswerBody(
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  mostBytes: number,
): BodyRead | { readonly failure: 'answer-too-large' } {
  const coding = headers['content-encoding'];
  if (coding === undefined || bytes.length === 0) return readBody(headers['content-type'], wholeOf(bytes));
  const decoded = decode(coding, bytes, mostBytes);
  return 'bytes' in decoded ? readBody(headers['content-type'], wholeOf(decoded.bytes)) : decoded;
}

/** Whether only the end of the connection shows where the body ends (RFC 9112 section 6.3). */
export const endsWithConnection = (answer: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}): boolean =>
  answer.status !== 204 &&
  answer.status !== 304 &&
  answer.headers['content-length'] === undefined &&
  answer.headers['transfer-encoding'] === undefined;

/**
 * Reads JSON of `application/json` or `application/*+json`; it is UTF-8 whatever `charset` says (RFC 8259 section 8.1). An
 * unusable body is a fact about an answer, not a failure: the status is kept.
 * @param within the body among other bytes: creating a view of a known body would cost as much as comparing it
 * @param memory remembered bodies of the same operation; absent: each body is parsed
 */
export function readBody(contentType: string | undefined, within: Within, memory?: BodyMemory): BodyRead {
  if (within.from === within.to) return NO_BODY;
  if (!isJson(contentType)) return WRONG_TYPE;
  return memory?.find(within.bytes, within.from, within.to) ?? parsed(viewOf(within), memory);
}

/** A range of bytes whose memory may be reused soon. */
export interface Within {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

export const viewOf = ({ bytes, from, to }: Within): Buffer => bytes.subarray(from, to);
export const wholeOf = (bytes: Buffer): Within => ({ bytes, from: 0, to: bytes.length });

function parsed(bytes: Buffer, memory: BodyMemory | undefined): BodyRead {
  let text: string;
  const isPlain = isAscii(bytes);
  if (isPlain) text = bytes.toString('latin1');
  else {
    try {
      text = utf8.decode(bytes);
    } catch {
      return NOT_UTF8;
    }
  }
  try {
    const body = JSON.parse(text) as unknown;
    if (isPlain) memory?.learn(bytes, text, body);
    return { body };
  } catch {
    return NOT_JSON;
  }
}

let lastType: string | undefined;
let lastIsJson = false;

/** Consecutive answers mostly have the same type. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === lastType) return lastIsJson;
  lastType = contentType;
  lastIsJson = contentType !== undefined && JSON_TYPE.test(contentType.trim());
  return lastIsJson;
}

/**
 * Names in lower case; values without surrounding blanks (RFC 9110 section 5.5; Node's parser leaves those at the end); repeated
 * headers joined by ", " (section 5.3). Safe for names such as `__proto__`.
 */
export function joinHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name.toLowerCase(), [value].flat().map(withoutBlanksAtEnd).join(', ')]],
  );
  return Object.fromEntries(entries);
}

/** Not `trimEnd`, which also removes bytes that are text in HTTP, such as A0. */
function withoutBlanksAtEnd(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === ' ' || value[end - 1] === '\t')) end--;
  return value.slice(0, end);
}
