import type { ApiCall } from '../../api/index.ts';

/** The form of a Date header (RFC 9110 section 5.6.7), which is kept; other forms may contain anything. */
export const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Removes secrets from a text.
 * @param spared global pattern of texts in which a short secret may occur by chance; there it is kept
 */
export type Redact = (text: string, spared?: RegExp) => string;

/**
 * Words that a service chooses and that are kept from successful bodies: states of turns, codes of their failures, roles of
 * messages, ratings. They are nearly always these.
 */
const USUAL: ReadonlySet<unknown> = new Set([
  ...['queued', 'processing', 'completed', 'failed'],
  ...['user', 'assistant'],
  ...['up', 'down'],
]);

type Body = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null;

/** Whether a successful body has other words, which could be anything. */
export function hasUnusualWords(operation: ApiCall['operation'], body: unknown): boolean {
  if (operation === 'sendMessage') return isObject(body) && isUnusual(body.status);
  if (operation === 'readTurn') return isObject(body) && (isUnusual(body.status) || isObject(body.error));
  if (operation === 'rateAnswer') return isObject(body) && isObject(body.feedback) && isUnusual(body.feedback.rating);
  if (operation !== 'readHistory' || !isObject(body) || !Array.isArray(body.messages)) return false;
  return body.messages.some((message) => isObject(message) && isUnusual(message.role));
}

const isUnusual = (word: unknown): boolean => word !== undefined && !USUAL.has(word);

/** The same body with these words cleaned; everything else unchanged. */
export function withWordsOf(operation: ApiCall['operation'], body: unknown, redact: Redact): unknown {
  if (!isObject(body)) return body;
  if (operation === 'rateAnswer')
    return isObject(body.feedback) ? { ...body, feedback: withWord(body.feedback, 'rating', redact) } : body;
  if (operation !== 'readHistory')
    return {
      ...body,
      ...('status' in body && { status: redactedIn(body.status, redact) }),
      ...('error' in body && { error: redactedIn(body.error, redact) }),
    };
  if (!Array.isArray(body.messages)) return body;
  const messages = body.messages.map((message: unknown) =>
    isObject(message) ? withWord(message, 'role', redact) : message,
  );
  return { ...body, messages };
}

const withWord = (body: Body, name: string, redact: Redact): Body => ({
  ...body,
  [name]: redactedIn(body[name], redact),
});

/** Deeper members are left out: nothing of them is kept, and a service may nest them by the thousand. */
const MOST_LEVELS = 32;

/** Members that identify an error come first, so that the length of the rest cannot push them out. */
const FIRST: ReadonlySet<string> = new Set(['error', 'code', 'message', 'request_id']);

/** Identifiers carry no words: four characters of a secret occur in one of three thousand of them. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/gi;

/** A copy of a JSON value without the secrets in its texts. */
export function redactedIn(value: unknown, redact: Redact, levels = MOST_LEVELS): unknown {
  if (typeof value === 'string') return redact(value, UUID);
  if (!isObject(value)) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => redactedIn(item, redact, levels - 1));
  const names = Object.keys(value);
  const ordered = [...names.filter((name) => FIRST.has(name)), ...names.filter((name) => !FIRST.has(name))];
  return Object.fromEntries(ordered.map((name) => [name, redactedIn(value[name], redact, levels - 1)]));
}
