import { operations, TokenRequest } from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { ApplicationCredentials } from '../config.ts';
import { success } from '../replies.ts';
import { type Handler, handler } from '../service.ts';
import { nothing } from '../validate.ts';

/** Issues an opaque user token. Every call gives a new one; older ones stay good until they expire. */
export const issueToken: Handler<ApplicationCredentials> = handler(
  { parameters: nothing, query: nothing, body: TokenRequest },
  ({ body }, { service, caller, now }) => {
    const { store, ids, config } = service;
    const secret = ids.token();
    store.addToken(secret, {
      label: `t${store.tokensIssued + 1}`,
      application: caller.label,
      user: body.external_user_id,
      owner: JSON.stringify([caller.label, body.external_user_id]),
      ...(body.locale !== undefined && { locale: body.locale }),
      timezone: body.timezone ?? 'UTC',
      issuedAt: now,
      expiresAt: (now + microsFromMillis(config.tokenLifetime)) as Micros,
    });
    return success(operations.issueToken.success, {
      access_token: secret,
      token_type: 'Bearer',
      expires_in: config.tokenLifetime / 1_000,
    });
  },
);
