import type { ApiReply } from '../../api/index.ts';

type Answer = Extract<ApiReply, { kind: 'answer' }>;
/** Body of an answer, or why it cannot be used; neither when the answer has none. */
export type BodyRead = Pick<Answer, 'body' | 'bodyProblem'>;

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON of `application/json` or `application/*+json`; it is UTF-8 whatever `charset` says (RFC 8259 section 8.1).
 * An unusable body is a fact about an answer, not a failure: the status stands.
 */
export function readBody(contentType: string | undefined, bytes: Buffer): BodyRead {
  if (bytes.length === 0) return {};
  if (contentType === undefined || !JSON_TYPE.test(contentType.trim())) return { bodyProblem: 'wrong-content-type' };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { bodyProblem: 'not-utf8' };
  }
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { bodyProblem: 'not-json' };
  }
}

/** Names in lower case; values of a repeated header joined by ", " (RFC 9110 section 5.3). Safe for names such as `__proto__`. */
export function joinHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
  );
  return Object.fromEntries(entries);
}
