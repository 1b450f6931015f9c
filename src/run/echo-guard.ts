import { type ApiCall, type Credentials, limitNames } from '../api/index.ts';
import { rememberedOf } from '../base/index.ts';
import { formsOfBasic, formsOfSecret, type Sought, secretsOfProxy, soughtSecrets } from '../client/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import type { EchoGuard } from '../schedule/index.ts';
import { type Answer, cleaned, type WithTexts } from './cleaned.ts';
import { hasUnusualWords, type Redact, redactedIn, withWordsOf } from './free-texts.ts';
import { GivenTokens } from './given-tokens.ts';
import { withoutOwnTexts } from './own-texts.ts';
import { searchFor } from './secret-search.ts';
import { isDate, isOrdinaryName, isSparedName, sparedIn } from './spared-headers.ts';
import type { Target } from './target.ts';

type Basic = Extract<Credentials, { kind: 'basic' }>;

interface EchoOptions {
  /** Address on the way, whose credentials are secrets like those of applications. */
  readonly proxy?: string | undefined;
  /** What else every request says, as far as it must not be seen. */
  readonly secrets?: readonly string[];
  /** Codes of errors that stay whatever was sent: refusals are judged by them. */
  readonly codes?: ReadonlySet<string>;
  /** Whether texts of messages are in the journal anyway. */
  readonly areTextsKept?: boolean;
}

/** As a run wants it. */
export const echoOptions = (
  { profile, scenario }: Pick<LoadedScenario, 'profile' | 'scenario'>,
  { gateway }: Pick<Target, 'gateway'>,
): EchoOptions => ({
  proxy: profile.client.proxy,
  secrets: gateway.secrets,
  codes: new Set(limitNames.flatMap((limit) => profile.errorCodes[limit])),
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
  { proxy, secrets = [], codes = new Set(), areTextsKept = false }: EchoOptions = {},
): EchoGuard {
  const common = commonTo([...applications], [...secretsOfProxy(proxy), ...secrets]);
  const given = new GivenTokens();
  const known = new Map<string, Sought>();
  const soughtOf = (password: string, ...others: readonly string[]): Sought => {
    const key = [password, ...others].join('\n');
    const sought = known.get(key) ?? soughtSecrets([password, ...others], formsOfSecret(password));
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, sought);
    return sought;
  };
  const ofCall = (credentials: Credentials): Sought[] => {
    if (credentials.kind === 'none') return [];
    if (credentials.kind === 'bearer') return [soughtOf(credentials.token)];
    const { clientId, clientSecret } = credentials;
    return [soughtOf(clientSecret, clientId, `${clientId}:${clientSecret}`)];
  };
  const search = (...sought: readonly Sought[]) =>
    searchFor([...sought, common], (views) => [...given.maybeIn(views)].map((token) => soughtOf(token)));
  return {
    reply(call, reply) {
      const { operation, credentials } = call;
      if (reply.kind !== 'answer') return reply;
      const issued = operation === 'issueToken' && isSuccess(reply.status) ? tokenIn(reply.body) : undefined;
      if (issued !== undefined) given.add(issued);
      if (!mayEcho(operation, reply)) return reply;
      const sought = [...ofCall(credentials), ...(issued === undefined ? [] : [soughtOf(issued)])];
      const clean = cleaned(reply, echoesOf(operation, codes), search(...sought));
      return areTextsKept ? clean : withoutOwnTexts(call, clean, codes);
    },
    text: ({ credentials }, text) => search(...ofCall(credentials)).redact(text),
  };
}

/** Ids are names, and may stand in others: they are taken out where the call itself was made with them. */
const commonTo = (basics: readonly Basic[], others: readonly string[]): Sought =>
  soughtSecrets(
    [...basics.flatMap(({ clientId, clientSecret }) => [clientSecret, `${clientId}:${clientSecret}`]), ...others],
    [
      ...basics.flatMap(({ clientId, clientSecret }) => formsOfBasic(clientId, clientSecret)),
      ...others.flatMap(formsOfSecret),
    ],
  );

/** Making one costs some 40 µs; a run with more tokens than this makes some of them again. */
const MOST_KNOWN = 1_000;

const isSuccess = (status: number) => status >= 200 && status < 300;

/** The token that an answer issues, which its own headers may tell too. */
function tokenIn(body: unknown): string | undefined {
  const token = typeof body === 'object' && body !== null && 'access_token' in body ? body.access_token : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** A code that means something is no secret, even if a secret is part of it: refusals are judged by it. */
const sparing =
  (codes: ReadonlySet<string>, redact: Redact): Redact =>
  (text, spared) =>
    codes.has(text) ? text : redact(text, spared);

/** Most answers are ordinary successes: nothing is looked for in them. */
const mayEcho = (operation: ApiCall['operation'], { status, headers, body }: Answer): boolean =>
  !isSuccess(status) || !areOrdinary(headers) || hasUnusualWords(operation, body);

/** Transports that meet the same head again give the same object again. */
const areOrdinary = rememberedOf((headers: Answer['headers']) =>
  Object.entries(headers).every(([name, value]) => isOrdinaryName(name) && (name !== 'date' || isDate(name, value))),
);

const echoesOf =
  (operation: ApiCall['operation'], codes: ReadonlySet<string>): WithTexts =>
  (answer, ofHeaders, ofBody) => {
    const ofValues = sparing(codes, ofHeaders);
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [
        isSparedName(name) ? name : ofValues(name),
        isDate(name, value) ? value : ofValues(value, sparedIn(name)),
      ]),
    );
    const { body } = answer;
    if (body === undefined) return { ...answer, headers };
    if (isSuccess(answer.status) && !hasUnusualWords(operation, body)) return { ...answer, headers };
    // What was taken out of it may have been of another form.
    const { bodyForm: _, ...rest } = answer;
    const ofTexts = sparing(codes, ofBody);
    return {
      ...rest,
      headers,
      body: isSuccess(answer.status) ? withWordsOf(operation, body, ofTexts) : redactedIn(body, ofTexts),
    };
  };
