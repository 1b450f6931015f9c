import { ErrorEnvelope, NamedError } from './errors.ts';
import type { OperationId } from './operations.ts';
import { ReadableAcceptance, ReadableHistory, ReadableMessage, ReadableTurn } from './readable.ts';
import { shapeReader } from './shape-reader.ts';
import { Conversation, Feedback, TokenResponse } from './shapes.ts';

/**
 * Readers of successful answers by operation; a handshake has no body to read. Built once, because building one costs as much as
 * some thousand reads.
 */
export const answerReaders = {
  issueToken: shapeReader(TokenResponse),
  createConversation: shapeReader(Conversation),
  sendMessage: shapeReader(ReadableAcceptance),
  readTurn: shapeReader(ReadableTurn),
  readHistory: shapeReader(ReadableHistory),
  rateAnswer: shapeReader(Feedback),
} satisfies Record<Exclude<OperationId, 'openStream'>, unknown>;

export const readErrorEnvelope = shapeReader(ErrorEnvelope);
/** For an error that deviates from the specification but has a code. */
export const readNamedError = shapeReader(NamedError);
export const readTurnMessage = shapeReader(ReadableMessage);
