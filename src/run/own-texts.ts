import type { ApiCall, ApiReply } from '../api/index.ts';
import { formsOfSecret, redactor } from '../client/index.ts';
import { IMF_FIXDATE, type Redact, withWordsOf } from './free-texts.ts';

type Answer = Extract<ApiReply, { kind: 'answer' }>;
type Members = Readonly<Record<string, unknown>>;

/** Members of requests that are people's own: what they write, and who they are. */
const OWN = ['message', 'title', 'external_user_id'];

/** Shorter ones may be in anything by chance; they would take with them what a service says of itself. */
const SHORTEST = 8;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/**
 * An answer without what it says back of its own request's texts, title or external user id, where it would be kept: in headers, in
 * the code of an error, in words of states. Met is the whole, or 16 bytes of it in a row, in every form in which secrets are. Bodies
 * stay as they are otherwise, for what is expected of them.
 * @param codes of errors that mean something, and stay
 */
export function withoutOwnTexts(
  { operation, body }: Pick<ApiCall, 'operation' | 'body'>,
  answer: Answer,
  codes: ReadonlySet<string>,
): Answer {
  const own = isObject(body) ? OWN.flatMap((name) => textOf(body[name])) : [];
  if (own.length === 0) return answer;
  const redact = redactorOf(own, codes);
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      redact(name),
      name === 'date' && IMF_FIXDATE.test(value) ? value : redact(value),
    ]),
  );
  if (!isObject(answer.body)) return { ...answer, headers };
  if (answer.status >= 200 && answer.status < 300)
    return { ...answer, headers, body: withWordsOf(operation, answer.body, redact) };
  const { error } = answer.body;
  if (!isObject(error) || typeof error.code !== 'string') return { ...answer, headers };
  return { ...answer, headers, body: { ...answer.body, error: { ...error, code: redact(error.code) } } };
}

const textOf = (value: unknown): string[] => (typeof value === 'string' && value.length >= SHORTEST ? [value] : []);

function redactorOf(own: readonly string[], codes: ReadonlySet<string>): Redact {
  const redact = redactor(own, own.flatMap(formsOfSecret));
  return (text) => (text.length < SHORTEST || codes.has(text) ? text : redact(text));
}
