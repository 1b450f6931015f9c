/**
 * handlers/ implements each operation after authentication and the rate limit: validity, existence, replay, daily quota,
 * concurrency, in this order. One file per operation; the record below does not compile if one is missing.
 * It must not know HTTP nor the wall clock.
 */
import type { OperationId, operations } from '../../api/index.ts';
import type { Application } from '../authenticate.ts';
import type { Handler } from '../service.ts';
import type { TokenRecord } from '../store.ts';
import { createConversation } from './create-conversation.ts';
import { issueToken } from './issue-token.ts';
import { openStream } from './open-stream.ts';
import { rateAnswer } from './rate-answer.ts';
import { readHistory } from './read-history.ts';
import { readTurn } from './read-turn.ts';
import { sendMessage } from './send-message.ts';

type CallerOf<Id extends OperationId> = (typeof operations)[Id]['auth'] extends 'basic' ? Application : TokenRecord;

/** The handler of each operation. */
export type Handlers = { readonly [Id in OperationId]: Handler<CallerOf<Id>> };

export const handlers: Handlers = {
  issueToken,
  createConversation,
  sendMessage,
  readTurn,
  openStream,
  readHistory,
  rateAnswer,
};
