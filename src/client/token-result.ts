import { type ApiReply, answerReaders, type Credentials, type TokenResponse } from '../api/index.ts';

export type TokenResult =
  | { readonly kind: 'token'; readonly label: string; readonly credentials: Extract<Credentials, { kind: 'bearer' }> }
  | {
      readonly kind: 'none';
      /**
       * `rejected`: a fresh token was refused, none is asked for any more. `not-sent`: the issuing call was not made.
       * `wrong-shape`: a 2xx without an access_token. Otherwise the status (`status 429`) or the failure of the issuing call.
       */
      readonly because: string;
      /** The issuing call's reply; absent when none was made. */
      readonly reply?: ApiReply;
    };

type NoToken = Extract<TokenResult, { kind: 'none' }>;

/** What the reply to an issuing call holds. */
export function readToken(reply: ApiReply): { readonly kind: 'issued'; readonly token: TokenResponse } | NoToken {
  if (reply.kind !== 'answer') return { kind: 'none', because: reply.failure, reply };
  if (reply.status < 200 || reply.status > 299) return { kind: 'none', because: `status ${reply.status}`, reply };
  const token = answerReaders.issueToken(reply.body, reply.bodyForm);
  return token ? { kind: 'issued', token } : { kind: 'none', because: 'wrong-shape', reply };
}
