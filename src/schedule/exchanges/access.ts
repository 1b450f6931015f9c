import { type ApiReply, type Credentials, operations } from '../../api/index.ts';
import { MADE_UP_TOKEN, type Micros, rememberedOf } from '../../base/index.ts';
import { type JourneyState, waitSignal } from '../journeys/journey-state.ts';
import type { TokenResult, World } from '../world.ts';
import type { NotSent } from './attempt.ts';
import { type Request, type RequestSettings, requestOf } from './request.ts';

/** The credentials of a call, and the label under which the journal knows them. */
export interface Access {
  readonly kind: 'access';
  readonly credentials: Credentials;
  readonly token?: string;
}

/**
 * Sends the token request as a separate exchange; undefined if the run stopped first.
 * @param neededAt when the token turned out to be missing; absent: when the request that needs it was intended
 */
export type Issue = (neededAt?: Micros) => Promise<ApiReply | undefined>;

const NO_ACCESS: Access = { kind: 'access', credentials: { kind: 'none' } };

/** Each user makes up another token: one for all would share a bucket at a service that counts by token before it looks at it. */
const invalidAccessOf = rememberedOf(
  ({ label }: User): Access => ({
    kind: 'access',
    credentials: { kind: 'bearer', token: `spillway-not-a-token-of-${label}` },
    token: MADE_UP_TOKEN,
  }),
);

/** The credentials, if no token has to be issued for them; otherwise undefined. */
export function accessAtHand(journey: JourneyState, request: Request): Access | undefined {
  if (request.credentials === 'none') return NO_ACCESS;
  if (operations[request.operation].auth === 'basic') return { kind: 'access', credentials: basicOf(journey, request) };
  if (request.credentials === 'invalid') return invalidAccessOf(journey.user);
  const { world, user } = journey;
  const token = world.tokens.current(user);
  return token && { kind: 'access', credentials: token.credentials, token: token.label };
}

/** The credentials, issuing a token if the user has none. */
export async function authorize(journey: JourneyState, request: Request, issue: Issue): Promise<Access | NotSent> {
  for (;;) {
    let isOwn = false;
    const issued = await tokenFor(journey, () => {
      isOwn = true;
      return issue();
    });
    if (issued.kind === 'token') return { kind: 'access', credentials: issued.credentials, token: issued.label };
    if (waitSignal(journey.stop, request).aborted) return { kind: 'interrupted' };
    if (issued.because === NOT_SENT) {
      if (isOwn) return { kind: 'interrupted' };
      // The shared token request belonged to another request, which gave up waiting for its slots. This request sends its own.
      continue;
    }
    journey.lacksToken = true;
    const { because, reply } = issued;
    // The step that then stops is another operation, whose answer the status would seem to be.
    return { kind: 'no-token', because: `no token: ${because}`, ...(reply && { reply }) };
  }
}

/** The token keeper's reason if the token request was not made. */
const NOT_SENT = 'not-sent';

/**
 * The access to use now: the same one, or the user's newer token if the old one expired while the request waited for its slots. A
 * request that holds slots and a connection must not wait for a token request, which needs slots too: that would be a deadlock.
 * @returns undefined if a token must be issued first
 */
export function renewed(journey: JourneyState, access: Access, request: Request): Access | undefined {
  if (access.token === undefined || request.credentials !== 'valid') return access;
  const current = journey.world.tokens.usable(journey.user);
  return current && { kind: 'access', credentials: current.credentials, token: current.label };
}

const tokenFor = ({ world, user }: JourneyState, issue: Issue): Promise<TokenResult> =>
  world.tokens.tokenFor(user, issue);

const INVALID_BASIC: Credentials = { kind: 'basic', clientId: 'spillway', clientSecret: 'not-a-secret' };

function basicOf({ world, user }: JourneyState, request: Request): Credentials {
  if (request.credentials === 'invalid') return INVALID_BASIC;
  return world.participants.credentials.get(user.application) ?? NO_ACCESS.credentials;
}

/** The locale and time zone for a token, as far as a step sets them; otherwise the user's own apply. */
export interface LocaleSettings {
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
}

/** The token request of an issueToken step. */
export const issueTokenRequest = ({ user }: JourneyState, where: LocaleSettings, step: RequestSettings): Request =>
  requestOf({ operation: 'issueToken', ...bodyFor(user, where) }, step);

/** The token request for a user whose token ended, or who has none; repeats the locale and time zone of the last one. */
export const renewalRequest = ({ world, user }: JourneyState, outlastsFinish: boolean): Request =>
  requestOf({ operation: 'issueToken', ...bodyFor(user, localeSettingsIn(world).get(user) ?? {}), outlastsFinish });

/** Takes the token of an issueToken step; later renewals repeat its locale and time zone. */
export function adoptToken({ world, user }: JourneyState, where: LocaleSettings, reply: ApiReply): void {
  if (world.tokens.adopt(user, reply).kind === 'token') localeSettingsIn(world).set(user, where);
}

/** Locale and time zone that issueToken steps set, by user. */
const localeSettingsIn = rememberedOf((_: World) => new Map<User, LocaleSettings>());

function bodyFor(user: User, { locale = user.locale, timezone = user.timezone }: LocaleSettings) {
  const isOwn = locale === user.locale && timezone === user.timezone;
  return isOwn ? ownBodyOf(user) : bodyOf(user, locale, timezone);
}

function bodyOf({ externalId }: User, locale: string | undefined, timezone: string | undefined) {
  const body: Record<string, string> = { external_user_id: externalId };
  if (locale !== undefined) body.locale = locale;
  if (timezone !== undefined) body.timezone = timezone;
  const json = JSON.stringify(body);
  return { body, bodyText: Buffer.byteLength(json) === json.length ? json : undefined };
}

type User = JourneyState['user'];

/** A user's journeys send the same body again and again. */
const ownBodyOf = rememberedOf((user: User) => bodyOf(user, user.locale, user.timezone));
