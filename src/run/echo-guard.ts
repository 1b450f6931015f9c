import type { ApiCall, ApiReply, Credentials } from '../api/index.ts';
import { redactor } from '../client/index.ts';
import type { Lease, Sender } from '../schedule/index.ts';

/**
 * A Sender whose replies do not say back what they were asked with. The journal keeps headers that speak of limits and the
 * code of an error, and a gateway may write the caller's credentials into either. Bodies of success stay as they are: nothing
 * of them is kept but ids, states and digests, and a token must come through.
 */
export function echoGuard(sender: Sender): Sender {
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
  const guarded: Guarded = ({ credentials }, reply) => {
    const redact = reply.kind === 'answer' && mayEcho(reply) ? redactFor(credentials) : undefined;
    return redact && reply.kind === 'answer' ? withoutEchoes(reply, redact) : reply;
  };
  return {
    tryAcquire() {
      const lease = sender.tryAcquire();
      return lease && new GuardedLease(lease, guarded);
    },
    async acquire(signal) {
      const lease = await sender.acquire(signal);
      return lease && new GuardedLease(lease, guarded);
    },
    async acquireStream(signal) {
      const lease = await sender.acquireStream(signal);
      return (
        lease && {
          release: () => lease.release(),
          async open(call, options) {
            const opened = await lease.open(call, options);
            return { ...opened, reply: guarded(call, opened.reply) };
          },
        }
      );
    },
  };
}

type Guarded = (call: ApiCall, reply: ApiReply) => ApiReply;

/** A class, because each request makes one. */
class GuardedLease implements Lease {
  readonly #lease: Lease;
  readonly #guarded: Guarded;

  constructor(lease: Lease, guarded: Guarded) {
    this.#lease = lease;
    this.#guarded = guarded;
  }

  release(): void {
    this.#lease.release();
  }

  send(call: ApiCall, abort: AbortSignal | undefined, done: (reply: ApiReply) => void): void {
    this.#lease.send(call, abort, (reply) => done(this.#guarded(call, reply)));
  }
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

/** By the headers' object: transports that meet the same head again give the same object again. */
const ordinary = new WeakMap<Answer['headers'], boolean>();

function areOrdinary(headers: Answer['headers']): boolean {
  const known = ordinary.get(headers);
  if (known !== undefined) return known;
  const are = Object.keys(headers).every((name) => ORDINARY.has(name));
  ordinary.set(headers, are);
  return are;
}

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
