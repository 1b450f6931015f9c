import { operations, TokenRequest } from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { Application } from '../authenticate.ts';
import { ownerOf } from '../owner.ts';
import { success } from '../replies.ts';
import { admitOrRefuse, type Handler, handler } from '../service.ts';
import { nothing } from '../validate.ts';

/** Issues an opaque user token. Every call returns a new one; older ones stay valid until they expire. */
export const issueToken: Handler<Application> = handler(
  { parameters: nothing, query: nothing, body: TokenRequest },
  ({ body }, call) => {
    const refused = admitOrRefuse(call, 'ordinary');
    if (refused) return refused;
    const { service, caller, passage } = call;
    const { store, ids, config } = service;
    const issuedAt = passage.servedAt;
    const secret = ids.token();
    store.addToken(secret, {
      label: `t${store.tokensIssued + 1}`,
      application: caller.label,
      user: body.external_user_id,
      owner: ownerOf({ application: caller.label, user: body.external_user_id }),
      timezone: body.timezone ?? 'UTC',
      issuedAt,
      expiresAt: (issuedAt + microsFromMillis(config.tokenLifetime)) as Micros,
    });
    return success(operations.issueToken.success, {
      access_token: secret,
      token_type: 'Bearer',
      expires_in: config.tokenLifetime / 1_000,
    });
  },
);
