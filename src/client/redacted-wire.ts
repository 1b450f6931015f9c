import { type ApiCall, type ApiReply, type OperationId, shapeFaults } from '../api/index.ts';
import { formatCount, inertText, type Micros, plural } from '../base/index.ts';
import { httpRequestOf } from './http/request.ts';
import { targetOf } from './http/target.ts';
import { REDACTED, redactor } from './redaction.ts';

export interface WireOptions {
  /** Base address of the service; its host and prefix are shown. */
  readonly baseUrl: string;
  /** Values that must not appear in any form: client secrets, tokens, proxy passwords. The call's own credentials are added. */
  readonly secrets?: readonly string[];
  /** Removes other known secrets, such as tokens of earlier calls. */
  readonly clean?: (text: string) => string;
  /** Headers that every request sends beside its own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path template of the stream if the call opens one; default: the operation's own. */
  readonly streamPath?: string;
}

/** Longest text of one value or body that is shown. */
const LONGEST_SHOWN = 4_096;
/** Longest text that is searched for secrets; since redaction shortens a text, this exceeds what is shown. */
const LONGEST_SEARCHED = 16 * LONGEST_SHOWN;
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|set-cookie|.*(token|secret|api-?key).*)$/i;
const SECRET_MEMBER = /(access_?token|refresh_?token|id_?token|secret|password|authorization)/i;

/**
 * One exchange as readable text for a terminal: the request after `>`, the reply after `<`, notes after `*`. Contains no
 * credentials or tokens, and no control characters; message texts are shown.
 */
export function formatWire(call: ApiCall, reply: ApiReply, options: WireOptions): string {
  const secrets = [...secretsOf(call), ...tokensIn(reply)];
  const redact = redactor([...(options.secrets ?? []), ...secrets], secrets);
  const { clean = (text: string) => text } = options;
  const show = (text: string) =>
    inertText(shorten(clean(redact(text.slice(0, LONGEST_SEARCHED))), text.length), Number.POSITIVE_INFINITY);
  const target = targetOf(options.baseUrl);
  const pathTemplate = call.operation === 'openStream' ? options.streamPath : undefined;
  const request = httpRequestOf(call, target, { pathTemplate, headers: options.headers });
  const lines = [
    `* ${call.operation} sent at ${secondsText(reply.sentAt)}${reply.connection === undefined ? '' : ` on connection ${reply.connection}`}`,
    `> ${request.method} ${show(request.path)}`,
    ...headerLines('>', { host: target.hostHeader, ...request.headers }, show),
    ...bodyLines('>', call.body, show),
    ...replyLines(call.operation, reply, show),
    `* ${formatCount(reply.bytes.sent)} bytes sent, ${formatCount(reply.bytes.received)} received`,
  ];
  return lines.join('\n');
}

function replyLines(operation: OperationId, reply: ApiReply, show: (text: string) => string): string[] {
  const after = `after ${((reply.receivedAt - reply.sentAt) / 1_000).toFixed(3)} ms`;
  if (reply.kind !== 'answer') return [`< ${reply.kind}: ${show(reply.failure)} ${after}`];
  const problems =
    reply.bodyProblem === undefined
      ? shapeFaults(operation, reply.status, reply.body).map((fault) => `wrong-shape: ${fault}`)
      : [reply.bodyProblem];
  return [
    `< ${reply.status} ${after}`,
    ...headerLines('<', reply.headers, show),
    ...bodyLines('<', reply.body, show),
    ...problems.map((problem) => `* body unusable: ${show(problem)}`),
  ];
}

function headerLines(
  mark: string,
  headers: Readonly<Record<string, string>>,
  show: (text: string) => string,
): string[] {
  return Object.entries(headers).map(([name, value]) => {
    if (!SECRET_HEADER.test(name)) return `${mark} ${show(name)}: ${show(value)}`;
    const scheme = /^(basic|bearer) /i.exec(value)?.[0] ?? '';
    return `${mark} ${show(name)}: ${scheme}${REDACTED}`;
  });
}

function bodyLines(mark: string, body: unknown, show: (text: string) => string): string[] {
  return body === undefined ? [] : [mark, `${mark} ${show(JSON.stringify(withoutSecretMembers(body)))}`];
}

const MOST_LEVELS = 32;

function withoutSecretMembers(value: unknown, levels = MOST_LEVELS): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => withoutSecretMembers(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_MEMBER.test(name) ? REDACTED : withoutSecretMembers(member, levels - 1),
    ]),
  );
}

function secretsOf({ credentials }: ApiCall): string[] {
  if (credentials.kind === 'none') return [];
  return credentials.kind === 'bearer'
    ? [credentials.token]
    : [credentials.clientSecret, `${credentials.clientId}:${credentials.clientSecret}`];
}

/** A token may come back in an unexpected header or member. */
function tokensIn(reply: ApiReply): string[] {
  if (reply.kind !== 'answer' || typeof reply.body !== 'object' || reply.body === null) return [];
  return Object.entries(reply.body).flatMap(([name, value]) =>
    SECRET_MEMBER.test(name) && typeof value === 'string' ? [value] : [],
  );
}

/** @param length length of the original text */
const shorten = (text: string, length: number) =>
  text.length <= LONGEST_SHOWN && length <= LONGEST_SEARCHED
    ? text
    : `${text.slice(0, LONGEST_SHOWN)}… (${plural(length, 'character')})`;

/** An instant of the run, as all lines of a wire tell it. */
export const secondsText = (us: Micros): string => `${(us / 1_000_000).toFixed(6)} s`;
