import type { ApiCall, ApiReply, Credentials } from '../api/index.ts';
import { rememberedOf } from '../base/index.ts';
import { formsOfBasic, formsOfSecret, redactor, secretsOfProxy } from '../client/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import type { EchoGuard } from '../schedule/index.ts';
import { hasUnusualWords, IMF_FIXDATE, type Redact, redactedIn, withWordsOf } from './free-texts.ts';
import { GivenTokens } from './given-tokens.ts';
import { withoutOwnTexts } from './own-texts.ts';

type Basic = Extract<Credentials, { kind: 'basic' }>;
type Answer = Extract<ApiReply, { kind: 'answer' }>;

interface EchoOptions {
  /** Address on the way, whose credentials are secrets like those of applications. */
  readonly proxy?: string | undefined;
  /** Codes of errors that stay whatever was sent: refusals are judged by them. */
  readonly codes?: ReadonlySet<string>;
  /** Whether texts of messages are in the journal anyway. */
  readonly areTextsKept?: boolean;
}

/** As a run wants it. */
export const echoOptions = ({ profile, scenario }: Pick<LoadedScenario, 'profile' | 'scenario'>): EchoOptions => ({
  proxy: profile.client.proxy,
  codes: new Set(Object.values(profile.errorCodes).flat()),
  areTextsKept: scenario.record.messages,
});

/**
 * Takes out of replies what says back the credentials of their call, those of any application of the run, or a token that the run
 * was given before (the last of them, see `GivenTokens`), which a gateway may name in whichever answer it likes; and what is
 * people's own in their request. The journal keeps headers that speak of limits, the code of an error, and the words in which a
 * service tells of states; of all else in bodies of success nothing is kept, and a token must come through.
 * @param applications of the run
 */
export function echoGuard(
  applications: Iterable<Basic>,
  { proxy, codes = new Set(), areTextsKept = false }: EchoOptions = {},
): EchoGuard {
  const basics = [...applications];
  // Ids are names, and may stand in others: they are taken out where the call itself was made with them.
  const common = redactor(
    [
      ...basics.flatMap(({ clientId, clientSecret }) => [clientSecret, `${clientId}:${clientSecret}`]),
      ...secretsOfProxy(proxy),
    ],
    [
      ...basics.flatMap(({ clientId, clientSecret }) => formsOfBasic(clientId, clientSecret)),
      ...secretsOfProxy(proxy).flatMap(formsOfSecret),
    ],
  );
  const known = new Map<string, Redact>();
  const given = new GivenTokens();
  const ofGiven: Redact = (text) => {
    let clean = text;
    for (const token of given.maybeIn(text)) clean = redactorOf([token], token)(clean);
    return clean;
  };
  const redactorOf = (secrets: readonly string[], password: string): Redact => {
    const key = secrets.join('\n');
    const redact = known.get(key) ?? redactor(secrets, formsOfSecret(password));
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, redact);
    return redact;
  };
  const ofSecrets = (secrets: readonly string[], password: string): Redact => {
    const redact = redactorOf(secrets, password);
    return (text) => ofGiven(common(redact(text)));
  };
  const ofCall = (credentials: Credentials): Redact => {
    if (credentials.kind === 'none') return (text) => ofGiven(common(text));
    if (credentials.kind === 'bearer') return ofSecrets([credentials.token], credentials.token);
    const { clientId, clientSecret } = credentials;
    return ofSecrets([clientId, clientSecret, `${clientId}:${clientSecret}`], clientSecret);
  };
  return {
    reply(call, reply) {
      const { operation, credentials } = call;
      if (reply.kind !== 'answer') return reply;
      const issued = operation === 'issueToken' && isSuccess(reply.status) ? tokenIn(reply.body) : undefined;
      if (issued !== undefined) given.add(issued);
      if (!mayEcho(operation, reply)) return reply;
      const redact = sparing(codes, ofCall(credentials));
      const redactIssued =
        issued === undefined ? redact : sparing(codes, (text) => redact(ofSecrets([issued], issued)(text)));
      const clean = withoutEchoes(operation, reply, redact, redactIssued);
      return areTextsKept ? clean : withoutOwnTexts(call, clean, codes);
    },
    text: ({ credentials }, text) => ofCall(credentials)(text),
  };
}

/** Making one costs some 40 µs; a run with more tokens than this makes some of them again. */
const MOST_KNOWN = 1_000;

const isSuccess = (status: number) => status >= 200 && status < 300;

/** The token that an answer issues, which its own headers may tell too. */
function tokenIn(body: unknown): string | undefined {
  const token = typeof body === 'object' && body !== null && 'access_token' in body ? body.access_token : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** Headers that every server writes by itself, and that say nothing of the caller. */
const ORDINARY = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'server', 'vary']);

/** Names that speak of limits, which are judged, whatever a secret has in common with them. */
const OF_LIMITS = /^((x-)?ratelimit(-(policy|limit|remaining|reset))?|retry-after(-ms)?)$/;

/** A code that means something is no secret, even if a secret is part of it: refusals are judged by it. */
const sparing =
  (codes: ReadonlySet<string>, redact: Redact): Redact =>
  (text) =>
    codes.has(text) ? text : redact(text);

/** Most answers are ordinary successes: nothing is looked for in them. */
const mayEcho = (operation: ApiCall['operation'], { status, headers, body }: Answer): boolean =>
  !isSuccess(status) || !areOrdinary(headers) || hasUnusualWords(operation, body);

/** Transports that meet the same head again give the same object again. */
const areOrdinary = rememberedOf((headers: Answer['headers']) =>
  Object.entries(headers).every(([name, value]) => ORDINARY.has(name) && (name !== 'date' || IMF_FIXDATE.test(value))),
);

function withoutEchoes(operation: ApiCall['operation'], reply: Answer, redact: Redact, ofHeaders: Redact): Answer {
  const headers = Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [
      ORDINARY.has(name) || OF_LIMITS.test(name) ? name : ofHeaders(name),
      ofHeaders(value),
    ]),
  );
  if (reply.body === undefined) return { ...reply, headers };
  if (isSuccess(reply.status) && !hasUnusualWords(operation, reply.body)) return { ...reply, headers };
  // What was taken out of it may have been of another form.
  const { bodyForm: _, ...rest } = reply;
  const body = isSuccess(reply.status) ? withWordsOf(operation, reply.body, redact) : redactedIn(reply.body, redact);
  return { ...rest, headers, body };
}
