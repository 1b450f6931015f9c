import type { RevokeSelector, TokenRecord } from '../store.ts';

/** Whether a revocation applies to this token. */
export function isChosen(selector: RevokeSelector, secret: string, token: TokenRecord): boolean {
  if ('token' in selector) return secret === selector.token;
  if ('user' in selector) {
    return (
      token.user === selector.user && (selector.application === undefined || token.application === selector.application)
    );
  }
  return token.application === selector.application;
}
