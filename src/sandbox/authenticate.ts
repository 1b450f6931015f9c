import { createHash, timingSafeEqual } from 'node:crypto';
import type { Micros } from '../base/index.ts';
import type { ApplicationCredentials } from './config.ts';
import type { Store, TokenRecord } from './store.ts';

/** Who calls, or why nobody does. */
export type Authentication<Caller> =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly message: string; readonly challenge: 'Basic' | 'Bearer' };

/** The application of an HTTP Basic header (RFC 7617): client id as user name, client secret as password. */
export function authenticateApplication(
  authorization: string | undefined,
  applications: readonly ApplicationCredentials[],
): Authentication<ApplicationCredentials> {
  const refused = (message: string) => ({ ok: false, message, challenge: 'Basic' }) as const;
  if (authorization === undefined || authorization === '') return refused('application credentials are absent');
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return refused('application credentials must be sent as HTTP Basic');
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const application = applications.find(({ clientId }) => clientId === pair.slice(0, colon));
  if (colon < 0 || !application || !sameSecret(application.clientSecret, pair.slice(colon + 1))) {
    return refused('application credentials are invalid');
  }
  return { ok: true, caller: application };
}

/** The user token of a Bearer header (RFC 6750). */
export function authenticateUser(
  authorization: string | undefined,
  store: Store,
  now: Micros,
): Authentication<TokenRecord> {
  const refused = (message: string) => ({ ok: false, message, challenge: 'Bearer' }) as const;
  if (authorization === undefined || authorization === '') return refused('the user token is absent');
  const secret = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (secret === undefined) return refused('the user token must be sent as Bearer');
  const token = store.findToken(secret);
  if (!token) return refused('the user token is invalid');
  if (token.revokedAt !== undefined) return refused('the user token was revoked');
  if (now >= token.expiresAt) return refused('the user token has expired');
  return { ok: true, caller: token };
}

/** Compares in a time that tells nothing of the secret, its length included. */
function sameSecret(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
