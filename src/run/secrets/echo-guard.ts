import { type ApiCall, type BasicCredentials, type Credentials, limitNames } from '../../api/index.ts';
import { rememberedOf } from '../../base/index.ts';
import { formsOfBasic, formsOfSecret, type Sought, secretsOfProxy, soughtSecrets } from '../../client/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import type { EchoGuard } from '../../schedule/index.ts';
import type { Target } from '../target/target.ts';
import { type Answer, cleaned, isSuccess, sparing, type WithTexts } from './cleaned.ts';
import { hasUnusualWords, redactedIn, withWordsOf } from './free-texts.ts';
import { GivenTokens } from './given-tokens.ts';
import { withoutOwnTexts } from './own-texts.ts';
import { searchFor } from './secret-search.ts';
import { isDate, isOrdinaryName, isSparedName, sparedIn } from './spared-headers.ts';

interface EchoOptions {
  /** Address of the proxy, whose credentials are secrets like those of applications. */
  readonly proxy?: string | undefined;
  /** Other secrets that every request sends. */
  readonly secrets?: readonly string[];
  /** Error codes that are always kept, because refusals are judged by them. */
  readonly codes?: ReadonlySet<string>;
}

/** As a run wants it. */
export const echoOptions = (
  { profile }: Pick<LoadedScenario, 'profile'>,
  { gateway }: Pick<Target, 'gateway'>,
): EchoOptions => ({
  proxy: profile.client.proxy,
  secrets: gateway.secrets,
  codes: new Set(limitNames.flatMap((limit) => profile.errorCodes[limit])),
});

/**
 * Removes echoes from replies: the credentials of their call, those of any application of the run, and earlier tokens of the run
 * (the last ones, see `GivenTokens`), which a gateway may quote in any answer; and users' own texts in their request. The journal
 * keeps header fields about limits, error codes, and status words; from other parts of successful bodies nothing is kept, and a
 * token must be passed on.
 * @param applications of the run
 */
export function echoGuard(
  applications: Iterable<BasicCredentials>,
  { proxy, secrets = [], codes = new Set() }: EchoOptions = {},
): EchoGuard {
  const common = commonTo([...applications], [...secretsOfProxy(proxy), ...secrets]);
  const given = new GivenTokens();
  const known = new Map<string, Sought>();
  const soughtOf = (...secrets: readonly string[]): Sought => {
    const key = secrets.join('\n');
    const sought = known.get(key) ?? soughtSecrets(secrets, secrets.flatMap(formsOfSecret));
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
      return withoutOwnTexts(call, cleaned(reply, echoesOf(operation, codes), search(...sought)), codes);
    },
    text: ({ credentials }, text) => search(...ofCall(credentials)).redact(text),
  };
}

/** Client ids are names and may be part of others: each is removed only from answers to calls made with it. */
const commonTo = (basics: readonly BasicCredentials[], others: readonly string[]): Sought =>
  soughtSecrets(
    [...basics.flatMap(({ clientId, clientSecret }) => [clientSecret, `${clientId}:${clientSecret}`]), ...others],
    [
      ...basics.flatMap(({ clientId, clientSecret }) => formsOfBasic(clientId, clientSecret)),
      ...others.flatMap(formsOfSecret),
    ],
  );

/** Creating one costs some 40 µs; a run with more tokens creates some of them again. */
const MOST_KNOWN = 1_000;

/** The token that an answer issues, which its own headers may contain, too. */
function tokenIn(body: unknown): string | undefined {
  const token = typeof body === 'object' && body !== null && 'access_token' in body ? body.access_token : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** Most answers are ordinary successes and need no search. */
const mayEcho = (operation: ApiCall['operation'], { status, headers, body }: Answer): boolean =>
  !isSuccess(status) || !areOrdinary(headers) || hasUnusualWords(operation, body);

/** Transports return the same object for a repeated head. */
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
    // Without the removed texts the body may no longer have the form that was noted.
    const { bodyForm: _, ...rest } = answer;
    const ofTexts = sparing(codes, ofBody);
    return {
      ...rest,
      headers,
      body: isSuccess(answer.status) ? withWordsOf(operation, body, ofTexts) : redactedIn(body, ofTexts),
    };
  };
