import type { ApiCall } from '../../api/index.ts';
import type { MessageSent } from '../../history/index.ts';
import type { Expect } from '../../scenario/index.ts';
import type { PageRequest } from './answer-seen.ts';

/** A request as a step wants it sent, before token, slots and times. */
export interface Request {
  readonly operation: ApiCall['operation'];
  readonly parameters: ApiCall['parameters'] | undefined;
  readonly query: ApiCall['query'];
  /** Absent members are left out, not undefined: the sandbox's core takes the body as it is. */
  readonly body: unknown;
  /** See `ApiCall.bodyText`. */
  readonly bodyText: string | undefined;
  readonly credentials: 'valid' | 'none' | 'invalid';
  readonly conversation: string | undefined;
  /** The turn that is read or streamed: known before the answer, and even without one. */
  readonly turn: string | undefined;
  readonly message: MessageSent | undefined;
  readonly resend: 'same' | 'other' | undefined;
  readonly page: PageRequest | undefined;
  /** Holds a slot of the openTurns cap if the service accepts it. */
  readonly opensTurn: boolean;
  /** Sent even after a gentle stop, and even if it has to wait for its slots, because it follows something that is open. */
  readonly outlastsFinish: boolean;
  readonly expect: Expect | undefined;
  /** The step's name, which unmet expectations are told with. */
  readonly named: string | undefined;
}

/** What a step of any operation may set for its request. */
export interface RequestSettings {
  readonly credentials?: Request['credentials'] | undefined;
  readonly expect?: Expect | undefined;
  readonly name?: string | undefined;
}

type Members = Pick<Request, 'operation'> & Partial<Omit<Request, 'operation' | keyof RequestSettings>>;

/**
 * A request with the settings of its step. Every member is present, so that all requests have one shape (see `exchangeRecord`);
 * spreading one into another costs more than sending it.
 * @param step absent: valid credentials and no expectations
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
  named: step.name,
});
