/**
 * handlers/ implements each operation after authentication and the rate limit: validity, existence, replay, daily quota,
 * concurrency, in this order. One file per operation; the record below does not compile if one is missing.
 * It must not know HTTP nor the wall clock.
 */
import type { Handlers } from '../service.ts';
import { createConversation } from './create-conversation.ts';
import { issueToken } from './issue-token.ts';
import { openStream } from './open-stream.ts';
import { rateAnswer } from './rate-answer.ts';
import { readHistory } from './read-history.ts';
import { readTurn } from './read-turn.ts';
import { sendMessage } from './send-message.ts';

export const handlers: Handlers = {
  issueToken,
  createConversation,
  sendMessage,
  readTurn,
  openStream,
  readHistory,
  rateAnswer,
};
