import { ErrorEnvelope, NamedError } from './errors.ts';
import { operations } from './operations.ts';
import { shapeReader } from './shape-reader.ts';
import { TurnMessage } from './shapes.ts';

/** Readers of successful answers by operation; a handshake has none. Made once: a reader costs as much as some thousand readings. */
export const answerReaders = {
  issueToken: shapeReader(operations.issueToken.response),
  createConversation: shapeReader(operations.createConversation.response),
  sendMessage: shapeReader(operations.sendMessage.response),
  readTurn: shapeReader(operations.readTurn.response),
  readHistory: shapeReader(operations.readHistory.response),
  rateAnswer: shapeReader(operations.rateAnswer.response),
};

export const readErrorEnvelope = shapeReader(ErrorEnvelope);
/** Of an error that is not as specified, and says its code all the same. */
export const readNamedError = shapeReader(NamedError);
export const readTurnMessage = shapeReader(TurnMessage);
