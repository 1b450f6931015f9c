import { ErrorEnvelope, NamedError } from './errors.ts';
import type { OperationId } from './operations.ts';
import { ReadableAcceptance, ReadableHistory, ReadableMessage, ReadableTurn } from './readable.ts';
import { shapeReader } from './shape-reader.ts';
import { Conversation, Feedback, TokenResponse } from './shapes.ts';

/** Successful answers by operation; a handshake has no body to read. */
const answerShapes = {
  issueToken: TokenResponse,
  createConversation: Conversation,
  sendMessage: ReadableAcceptance,
  readTurn: ReadableTurn,
  readHistory: ReadableHistory,
  rateAnswer: Feedback,
} satisfies Record<Exclude<OperationId, 'openStream'>, unknown>;

/** Readers of successful answers. Built once, because building one costs as much as some thousand reads. */
export const answerReaders = {
  issueToken: shapeReader(answerShapes.issueToken),
  createConversation: shapeReader(answerShapes.createConversation),
  sendMessage: shapeReader(answerShapes.sendMessage),
  readTurn: shapeReader(answerShapes.readTurn),
  readHistory: shapeReader(answerShapes.readHistory),
  rateAnswer: shapeReader(answerShapes.rateAnswer),
} satisfies Record<keyof typeof answerShapes, unknown>;

export const readErrorEnvelope = shapeReader(ErrorEnvelope);
/** For an error that deviates from the specification but has a code. */
export const readNamedError = shapeReader(NamedError);
export const readTurnMessage = shapeReader(ReadableMessage);

/**
 * Why the body of an answer has not the shape that it must have: a phrase for each member, without its value. Empty if it has, and
 * for answers that need none.
 */
export function shapeFaults(operation: OperationId, status: number, body: unknown): string[] {
  const shape = status >= 400 ? ErrorEnvelope : operation === 'openStream' ? undefined : answerShapes[operation];
  if (shape === undefined || status < 200 || (status >= 300 && status < 400)) return [];
  const issues = shape.safeParse(body).error?.issues ?? [];
  return issues.map(({ path, message }) => {
    const fault = memberAt(body, path) === undefined ? 'missing' : message.replace(/^Invalid input: /, '');
    return `${path.join('.') || 'the body'}: ${fault}`;
  });
}

const memberAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((inner: unknown, name) => (inner as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name], value);
