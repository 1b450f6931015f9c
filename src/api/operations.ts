import type { z } from 'zod';
import type { LimitName } from './limit-kinds.ts';
import {
  Conversation,
  ConversationRequest,
  Feedback,
  FeedbackRequest,
  History,
  SendMessageAccepted,
  SendMessageRequest,
  TokenRequest,
  TokenResponse,
  Turn,
} from './shapes.ts';

/** A row of the table of operations (specification section 4). */
export interface Operation {
  /** For help and documentation. */
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  /** Relative to the base address; `{name}` marks a path parameter. */
  readonly path: string;
  /** `basic`: client id and secret. `bearer`: user token. */
  readonly auth: 'basic' | 'bearer';
  /** Limits that a successful call counts against, unless the target profile says otherwise. */
  readonly consumes: readonly LimitName[];
  /** Status of a successful answer; a target profile may list others. */
  readonly success: number;
  /** One that is as good, because the specification shows none for this operation. */
  readonly alsoSuccess?: number;
  /** Shape of the request body; absent: no body. */
  readonly request?: z.ZodType;
  /** Shape of a successful answer; absent: a protocol switch without a body. */
  readonly response?: z.ZodType;
}

const root = '/api/partners/v1';

/**
 * The six operations and the stream's handshake, which is an HTTP request too. Routes, clients and tables are derived from this
 * list, and a record keyed by OperationId does not compile unless it has all of them.
 */
export const operations = {
  issueToken: {
    summary: 'Create a user token',
    method: 'POST',
    path: `${root}/tokens`,
    auth: 'basic',
    consumes: [],
    success: 201,
    alsoSuccess: 200,
    request: TokenRequest,
    response: TokenResponse,
  },
  createConversation: {
    summary: 'Create or resume a conversation',
    method: 'POST',
    path: `${root}/conversations`,
    auth: 'bearer',
    consumes: ['rate'],
    success: 201,
    request: ConversationRequest,
    response: Conversation,
  },
  sendMessage: {
    summary: 'Send a message',
    method: 'POST',
    path: `${root}/conversations/{conversation_id}/messages`,
    auth: 'bearer',
    consumes: ['rate', 'concurrency', 'daily'],
    success: 202,
    request: SendMessageRequest,
    response: SendMessageAccepted,
  },
  readTurn: {
    summary: 'Read the status of a turn',
    method: 'GET',
    path: `${root}/turns/{turn_id}`,
    auth: 'bearer',
    consumes: ['rate'],
    success: 200,
    response: Turn,
  },
  openStream: {
    summary: 'Follow a turn over a WebSocket',
    method: 'GET',
    path: `${root}/turns/{turn_id}/stream`,
    auth: 'bearer',
    consumes: ['rate'],
    success: 101,
  },
  readHistory: {
    summary: 'Restore the history of a conversation',
    method: 'GET',
    path: `${root}/conversations/{conversation_id}/messages`,
    auth: 'bearer',
    consumes: ['rate'],
    success: 200,
    response: History,
  },
  rateAnswer: {
    summary: 'Rate an assistant answer',
    method: 'POST',
    path: `${root}/messages/{message_id}/feedback`,
    auth: 'bearer',
    consumes: ['rate'],
    success: 200,
    alsoSuccess: 201,
    request: FeedbackRequest,
    response: Feedback,
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
export const operationIds = Object.keys(operations) as readonly OperationId[];
/** Statuses of success by operation, where a profile lists none. */
export const usualSuccesses = Object.fromEntries(
  Object.entries<Operation>(operations).map(([id, { success, alsoSuccess }]) => [
    id,
    alsoSuccess === undefined ? [success] : [success, alsoSuccess],
  ]),
) as unknown as Readonly<Record<OperationId, readonly number[]>>;
/** Operations that need a user token: all but token requests. */
export const bearerOperationIds = operationIds.filter((id) => operations[id].auth === 'bearer');

/**
 * Inserts the percent-encoded parameters into a path.
 * @throws Error if a parameter is missing, which is a defect of the caller
 */
export function pathOf(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`path ${template} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
