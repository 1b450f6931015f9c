import { type ApiReply, answerReaders, type Credentials, type TokenResponse } from '../api/index.ts';

export type TokenResult =
  | { readonly kind: 'token'; readonly label: string; readonly credentials: Extract<Credentials, { kind: 'bearer' }> }
  | {
      readonly kind: 'none';
      /**
       * `rejected`: a fresh token was refused, and none is requested any more. `not-sent`: the token request was not made.
       * `wrong-shape`: a 2xx without an access_token. Otherwise the status (`status 429`) or the failure of the token request.
       */
      readonly because: string;
      /** The reply to the token request; absent if none was made. */
      readonly reply?: ApiReply;
    };

type NoToken = Extract<TokenResult, { kind: 'none' }>;

/** Reads the reply to a token request. */
export function readToken(reply: ApiReply): { readonly kind: 'issued'; readonly token: TokenResponse } | NoToken {
  if (reply.kind !== 'answer') return { kind: 'none', because: reply.failure, reply };
  if (reply.status < 200 || reply.status > 299) return { kind: 'none', because: `status ${reply.status}`, reply };
  const token = answerReaders.issueToken(reply.body, reply.bodyForm);
  return token ? { kind: 'issued', token } : { kind: 'none', because: 'wrong-shape', reply };
}
