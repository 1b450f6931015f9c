import { type ApiReply, type Credentials, operations } from '../api/index.ts';
import type { NotSent, Request } from './exchange.ts';
import type { JourneyState } from './journey-state.ts';
import type { TokenResult } from './world.ts';

/** What a call authenticates with, and the label under which the journal knows it. */
export interface Access {
  readonly kind: 'access';
  readonly credentials: Credentials;
  readonly token?: string;
}

/** Makes the issuing call, an exchange of its own; undefined when the run stopped first. */
export type Issue = () => Promise<ApiReply | undefined>;

/** Finds what to authenticate with; issues a token when the user has none. */
export async function authorize(journey: JourneyState, request: Request, issue: Issue): Promise<Access | NotSent> {
  if (request.credentials === 'none') return { kind: 'access', credentials: { kind: 'none' } };
  if (operations[request.operation].auth === 'basic') return { kind: 'access', credentials: basicOf(journey, request) };
  if (request.credentials === 'invalid') {
    return { kind: 'access', credentials: { kind: 'bearer', token: 'spillway-not-a-token' }, token: 'invalid' };
  }
  const issued = await tokenFor(journey, issue);
  if (issued.kind === 'token') return { kind: 'access', credentials: issued.credentials, token: issued.label };
  return journey.stop.abort.aborted ? { kind: 'interrupted' } : { kind: 'no-token', because: issued.because };
}

/**
 * The access to use now: the same, or the user's newer token when the old one ended while the request waited for its slots.
 * @returns undefined when a token must be issued first
 */
export async function renewed(journey: JourneyState, access: Access, request: Request): Promise<Access | undefined> {
  if (access.token === undefined || request.credentials !== 'valid') return access;
  const current = await tokenFor(journey, async () => undefined);
  return current.kind === 'token' ? { ...access, credentials: current.credentials, token: current.label } : undefined;
}

const tokenFor = ({ world, user }: JourneyState, issue: Issue): Promise<TokenResult> =>
  world.tokens.tokenFor({ application: user.application, user: user.label }, issue);

function basicOf({ world, user }: JourneyState, request: Request): Credentials {
  if (request.credentials === 'invalid') return { kind: 'basic', clientId: 'spillway', clientSecret: 'not-a-secret' };
  return world.participants.credentials.get(user.application) ?? { kind: 'none' };
}

/** The body of an implicit or explicit issueToken for the journey's user. */
export function issueTokenRequest(
  journey: JourneyState,
  overrides: { locale?: string; timezone?: string } = {},
): Request {
  const { externalId, locale, timezone } = journey.user;
  const body = {
    external_user_id: externalId,
    ...(locale === undefined ? {} : { locale }),
    ...(timezone === undefined ? {} : { timezone }),
    ...overrides,
  };
  return { operation: 'issueToken', body, credentials: 'valid' };
}
