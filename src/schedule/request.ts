import type { ApiCall } from '../api/index.ts';
import type { MessageSent } from '../history/index.ts';
import type { Expect } from '../scenario/index.ts';

/** What a step wants sent, before token, slots and times. */
export interface Request {
  readonly operation: ApiCall['operation'];
  readonly parameters: ApiCall['parameters'] | undefined;
  readonly query: ApiCall['query'];
  /** Absent members are left out, not undefined: the sandbox's core takes it as it is. */
  readonly body: unknown;
  /** As `ApiCall.bodyText`. */
  readonly bodyText: string | undefined;
  readonly credentials: 'valid' | 'none' | 'invalid';
  readonly conversation: string | undefined;
  /** Turn that is read or streamed: known before the answer, and also where none comes. */
  readonly turn: string | undefined;
  readonly message: MessageSent | undefined;
  readonly resend: 'same' | 'other' | undefined;
  readonly page: { readonly limit: number; readonly offset: number } | undefined;
  /** Holds a slot of the openTurns cap if the service accepts it. */
  readonly opensTurn: boolean;
  /** Is sent also after a gentle stop, even if it has to wait for its slots: it sees the end of what is open. */
  readonly outlastsFinish: boolean;
  readonly expect: Expect | undefined;
}

/** What a step of any operation may say of its request. */
export interface RequestSettings {
  readonly credentials?: Request['credentials'] | undefined;
  readonly expect?: Expect | undefined;
}

type Members = Pick<Request, 'operation'> & Partial<Omit<Request, 'operation' | keyof RequestSettings>>;

/**
 * A request with what its step says of it. Every member is there, so that all requests are of one shape (see `exchangeRecord`);
 * spreading one into another costs more than sending it.
 * @param step absent: valid credentials, and nothing is expected
 */
export const requestOf = (members: Members, step: RequestSettings = {}): Request => ({
  operation: members.operation,
  parameters: members.parameters,
  query: members.query,
  body: members.body,
  bodyText: members.bodyText,
  credentials: step.credentials ?? 'valid',
  conversation: members.conversation,
  turn: members.turn,
  message: members.message,
  resend: members.resend,
  page: members.page,
  opensTurn: members.opensTurn ?? false,
  outlastsFinish: members.outlastsFinish ?? false,
  expect: step.expect,
});
