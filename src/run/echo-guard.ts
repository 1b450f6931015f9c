import type { ApiReply, Credentials } from '../api/index.ts';
import { rememberedOf } from '../base/index.ts';
import { redactor } from '../client/index.ts';
import type { World } from '../schedule/index.ts';

/**
 * Takes out of replies what says back what they were asked with. The journal keeps headers that speak of limits and the
 * code of an error, and a gateway may write the caller's credentials into either. Bodies of success stay as they are: nothing
 * of them is kept but ids, states and digests, and a token must come through.
 */
export function echoGuard(): World['withoutEchoes'] {
  const known = new Map<string, Redact>();
  const redactFor = (credentials: Credentials): Redact | undefined => {
    if (credentials.kind === 'none') return undefined;
    const secrets = secretsOf(credentials);
    const key = secrets.join('\n');
    const redact = known.get(key) ?? redactor(secrets, [passwordOf(credentials)]);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, redact);
    return redact;
  };
  return ({ credentials }, reply) => {
    if (reply.kind !== 'answer' || !mayEcho(reply)) return reply;
    const redact = redactFor(credentials);
    return redact ? withoutEchoes(reply, redact) : reply;
  };
}

/** Making one costs some 40 µs; a run with more tokens than this makes some of them again. */
const MOST_KNOWN = 1_000;

const secretsOf = (credentials: Exclude<Credentials, { kind: 'none' }>): string[] =>
  credentials.kind === 'bearer'
    ? [credentials.token]
    : [credentials.clientId, credentials.clientSecret, `${credentials.clientId}:${credentials.clientSecret}`];

/** What nobody may have even a part of; a client id is a name, and may begin like other names. */
const passwordOf = (credentials: Exclude<Credentials, { kind: 'none' }>): string =>
  credentials.kind === 'bearer' ? credentials.token : credentials.clientSecret;

type Redact = (text: string) => string;
type Answer = Extract<ApiReply, { kind: 'answer' }>;

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Headers that every server writes by itself, and that say nothing of the caller. */
const ORDINARY = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'server', 'vary']);

/** Most answers are ordinary successes: nothing is looked for in them. */
const mayEcho = ({ status, headers }: Answer): boolean => !isSuccess(status) || !areOrdinary(headers);

/** Transports that meet the same head again give the same object again. */
const areOrdinary = rememberedOf((headers: Answer['headers']) =>
  Object.keys(headers).every((name) => ORDINARY.has(name)),
);

function withoutEchoes(reply: Answer, redact: Redact): Answer {
  const headers = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, redact(value)]));
  if (reply.body === undefined || isSuccess(reply.status)) return { ...reply, headers };
  // What was taken out of it may have been of another form.
  const { bodyForm: _, ...rest } = reply;
  return { ...rest, headers, body: redactedIn(reply.body, redact) };
}

function redactedIn(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactedIn(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactedIn(member, redact)]));
}
