import { ErrorEnvelope, NamedError } from './errors.ts';
import { ReadableAcceptance, ReadableHistory, ReadableMessage, ReadableTurn } from './readable.ts';
import { shapeReader } from './shape-reader.ts';
import { Conversation, Feedback, TokenResponse } from './shapes.ts';

/** Readers of successful answers by operation; a handshake has none. Made once: a reader costs as much as some thousand readings. */
export const answerReaders = {
  issueToken: shapeReader(TokenResponse),
  createConversation: shapeReader(Conversation),
  sendMessage: shapeReader(ReadableAcceptance),
  readTurn: shapeReader(ReadableTurn),
  readHistory: shapeReader(ReadableHistory),
  rateAnswer: shapeReader(Feedback),
};

export const readErrorEnvelope = shapeReader(ErrorEnvelope);
/** Of an error that is not as specified, and says its code all the same. */
export const readNamedError = shapeReader(NamedError);
export const readTurnMessage = shapeReader(ReadableMessage);
