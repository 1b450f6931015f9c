import {
  type Conversation,
  codeOfError,
  type Feedback,
  isSameUuid,
  type ReadableAcceptance,
  type ReadableHistory,
  type ReadableTurn,
} from '../../api/index.ts';
import { digestWith } from '../../base/index.ts';
import type { HistorySeen, ToldOtherwise, TurnSeen } from '../../history/index.ts';

/** A record while it is being made. */
export type Making<R> = { -readonly [K in keyof R]: R[K] };

/** The page of a history that a request asks for, by the service's defaults where it names none. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** Longest text of a service that is kept, in characters, so that a hostile service cannot fill the journal. */
const LONGEST_TEXT = 256;

/** A status text of the service, cut to the length that is kept. */
export const shortened = (text: string): string => (text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text);

export function turnAccepted(accepted: ReadableAcceptance, conversation: string | undefined): TurnSeen {
  const { turn_id, conversation_id, status, created_at } = accepted;
  const turn: Making<TurnSeen> = { id: turn_id };
  if (status !== undefined) turn.status = shortened(status);
  const other = otherConversation(conversation, conversation_id);
  if (other !== undefined) turn.conversation = other;
  if (created_at !== undefined) turn.createdAt = created_at;
  return turn;
}

export function turnSeen(
  id: string,
  { status, conversation_id, created_at, updated_at, message, error }: ReadableTurn,
  asked?: string,
): TurnSeen {
  const turn: Making<TurnSeen> = { id, status: shortened(status) };
  const other = otherConversation(asked, conversation_id);
  if (other !== undefined) turn.conversation = other;
  if (error !== undefined) turn.error = shortened(codeOfError(error));
  if (message !== undefined) addMessage(turn, message);
  if (created_at !== undefined) turn.createdAt = created_at;
  if (updated_at !== undefined) turn.updatedAt = updated_at;
  return turn;
}

function addMessage(turn: Making<TurnSeen>, message: NonNullable<ReadableTurn['message']>): void {
  const { user_message_id, assistant_message_id, metadata } = message;
  if (user_message_id !== undefined) turn.userMessageId = user_message_id;
  if (assistant_message_id !== undefined) turn.assistantMessageId = assistant_message_id;
  if (metadata?.latency_ms !== undefined) turn.latencyMs = metadata.latency_ms;
}

/** The conversation that an answer names, if it is not the one requested. */
function otherConversation(asked: string | undefined, named: string | undefined): string | undefined {
  return asked === undefined || named === undefined || isSameUuid(named, asked) ? undefined : named;
}

/** @param asked requested conversation; absent: the service chose the id */
export function conversationOtherwise(asked: string | undefined, named: Conversation): ToldOtherwise | undefined {
  const other = otherConversation(asked, named.conversation_id);
  return other === undefined ? undefined : { conversation: other };
}

export function ratingOtherwise(sent: string | undefined, answer: Feedback): ToldOtherwise | undefined {
  const { success, feedback } = answer;
  if (sent === undefined || (success && feedback.rating === sent)) return undefined;
  return { rating: { sent, told: shortened(feedback.rating), success } };
}

/** One more than a page may have (specification section 5): so a longer page is recognized, and cannot fill the journal. */
const MOST_ITEMS = 101;

export function historySeen(history: ReadableHistory, page: PageRequest, digestKey: Uint8Array): HistorySeen {
  return {
    limit: page.limit,
    offset: page.offset,
    items: history.messages.slice(0, MOST_ITEMS).map((item) => ({
      id: item.message_id,
      role: shortened(item.role),
      ...(item.content !== undefined && { digest: digestWith(digestKey, item.content) }),
      ...(item.created_at !== undefined && { createdAt: item.created_at }),
    })),
  };
}
