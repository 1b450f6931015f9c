import type { Micros } from '../base/index.ts';
import { digestOf } from './digest.ts';
import type { Store, TokenRecord } from './store.ts';

/** The authenticated caller, or the reason why there is none. */
export type Authentication<Caller> =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly message: string; readonly challenge: 'Basic' | 'Bearer' };

/** A partner application. The service stores only a digest of its credentials (`Directory`). */
export interface Application {
  readonly label: string;
}
/** The applications, keyed by the `pairDigest` of their credentials. */
export type Directory = ReadonlyMap<string, Application>;

/**
 * Digest of a client id and its secret. Looking credentials up by digest leaks nothing through timing, because a caller cannot
 * choose the digest of a guess.
 */
export const pairDigest = (clientId: string, clientSecret: string): string => digestOf(`${clientId}:${clientSecret}`);

/** The application of an HTTP Basic header (RFC 7617): client id as user name, client secret as password. */
export function authenticateApplication(
  authorization: string | undefined,
  applications: Directory,
): Authentication<Application> {
  const refused = (message: string) => ({ ok: false, message, challenge: 'Basic' }) as const;
  if (authorization === undefined || authorization === '') return refused('application credentials are absent');
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return refused('application credentials must be sent as HTTP Basic');
  const application = applications.get(digestOf(Buffer.from(encoded, 'base64').toString('utf8')));
  return application ? { ok: true, caller: application } : refused('application credentials are invalid');
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
