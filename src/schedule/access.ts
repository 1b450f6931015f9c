import { type ApiReply, type Credentials, operations } from '../api/index.ts';
import { type Micros, rememberedOf } from '../base/index.ts';
import type { NotSent } from './exchange.ts';
import { type JourneyState, patience } from './journey-state.ts';
import { type Request, type RequestSettings, requestOf } from './request.ts';
import type { TokenResult, World } from './world.ts';

/** What a call authenticates with, and the label under which the journal knows it. */
export interface Access {
  readonly kind: 'access';
  readonly credentials: Credentials;
  readonly token?: string;
}

/**
 * Makes the issuing call, an exchange of its own; undefined when the run stopped first.
 * @param neededAt when the token turned out to be missing; absent: when the request that needs it was intended
 */
export type Issue = (neededAt?: Micros) => Promise<ApiReply | undefined>;

const NO_ACCESS: Access = { kind: 'access', credentials: { kind: 'none' } };
const INVALID_ACCESS: Access = {
  kind: 'access',
  credentials: { kind: 'bearer', token: 'spillway-not-a-token' },
  token: 'invalid',
};

/** What to authenticate with, where no token has to be issued for it. */
export function accessAtHand(journey: JourneyState, request: Request): Access | undefined {
  if (request.credentials === 'none') return NO_ACCESS;
  if (operations[request.operation].auth === 'basic') return { kind: 'access', credentials: basicOf(journey, request) };
  if (request.credentials === 'invalid') return INVALID_ACCESS;
  const { world, user } = journey;
  const token = world.tokens.current(user);
  return token && { kind: 'access', credentials: token.credentials, token: token.label };
}

/** What to authenticate with, where that is not at hand: issues a token when the user has none. */
export async function authorize(journey: JourneyState, request: Request, issue: Issue): Promise<Access | NotSent> {
  for (;;) {
    let isOwn = false;
    const issued = await tokenFor(journey, () => {
      isOwn = true;
      return issue();
    });
    if (issued.kind === 'token') return { kind: 'access', credentials: issued.credentials, token: issued.label };
    if (patience(journey.stop, request).aborted) return { kind: 'interrupted' };
    if (issued.because === NOT_SENT) {
      if (isOwn) return { kind: 'interrupted' };
      // Somebody else's call, which gave up waiting for its slots: this request makes its own.
      continue;
    }
    journey.lacksToken = true;
    const { because, reply } = issued;
    return { kind: 'no-token', because, ...(reply && { reply }) };
  }
}

/** The token keeper's word for an issuing call that was not made. */
const NOT_SENT = 'not-sent';

/**
 * The access to use now: the same, or the user's newer token when the old one ended while the request waited for its slots. Who holds
 * slots and a connection must not wait here for an issuing call, which needs them: all would wait for ever.
 * @returns undefined when a token must be issued first
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

/** Where a token's user is, as far as a step says it; else the user's own. */
export interface Whereabouts {
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
}

/** A step's own issuing call. */
export const issueTokenRequest = ({ user }: JourneyState, where: Whereabouts, step: RequestSettings): Request =>
  requestOf({ operation: 'issueToken', ...bodyFor(user, where) }, step);

/** The issuing call of a user whose token ended, or who has none: it asks for what the last one was asked for with. */
export const renewalRequest = ({ world, user }: JourneyState, outlastsFinish: boolean): Request =>
  requestOf({ operation: 'issueToken', ...bodyFor(user, whereaboutsIn(world).get(user) ?? {}), outlastsFinish });

/** Takes the token of a step's own call; those that follow it are asked for with the same. */
export function adoptToken({ world, user }: JourneyState, where: Whereabouts, reply: ApiReply): void {
  if (world.tokens.adopt(user, reply).kind === 'token') whereaboutsIn(world).set(user, where);
}

/** What steps said of users whose tokens they had issued. */
const whereaboutsIn = rememberedOf((_: World) => new Map<User, Whereabouts>());

function bodyFor(user: User, { locale = user.locale, timezone = user.timezone }: Whereabouts) {
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

/** A user's journeys ask for the same again and again. */
const ownBodyOf = rememberedOf((user: User) => bodyOf(user, user.locale, user.timezone));
