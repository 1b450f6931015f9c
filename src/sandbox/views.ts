import type { Micros } from '../base/index.ts';
import { answerOf } from './answers.ts';
import { dateTime, errorMembers } from './replies.ts';
import type { HistoryEntry, TurnRecord } from './store.ts';
import { changedAt, latencyMs, statusAt } from './turns.ts';

/** The `message` of a completed turn. */
export function messageView(turn: TurnRecord, seed: number): object {
  const answer = answerOf(seed, turn.number);
  return {
    conversation_id: turn.conversation.id,
    user_message_id: turn.userMessageId,
    assistant_message_id: turn.assistantMessageId,
    answer: answer.text,
    response_type: answer.cards.length + answer.visualizations.length > 0 ? 'rich' : 'text',
    cards: answer.cards,
    visualizations: answer.visualizations,
    sources: answer.sources,
    suggested_actions: answer.suggestedActions,
    metadata: { latency_ms: latencyMs(turn.schedule) },
  };
}

/** The `error` of a failed turn: the four members without the envelope. */
export const turnError = (turn: TurnRecord) =>
  errorMembers('internal', 'the assistant could not answer this message', turn.requestId);

/** A turn as readTurn returns it at `now`: `message` only if completed, `error` only if failed. */
export function turnView(turn: TurnRecord, now: Micros, seed: number): object {
  const status = statusAt(turn.schedule, now);
  return {
    turn_id: turn.id,
    conversation_id: turn.conversation.id,
    status,
    created_at: dateTime(turn.schedule.acceptedAt),
    updated_at: dateTime(changedAt(turn.schedule, now)),
    ...(status === 'completed' && { message: messageView(turn, seed) }),
    ...(status === 'failed' && { error: turnError(turn) }),
  };
}

/** An entry of the history. The user's message is `failed` once its turn has failed; such a turn has no answer. */
export function entryView({ role, at, turn }: HistoryEntry, now: Micros, seed: number): object {
  const answer = role === 'assistant' ? answerOf(seed, turn.number) : undefined;
  return {
    message_id: role === 'assistant' ? turn.assistantMessageId : turn.userMessageId,
    role,
    content: answer?.text ?? turn.content.message,
    status: statusAt(turn.schedule, now) === 'failed' ? 'failed' : 'completed',
    created_at: dateTime(at),
    cards: answer?.cards ?? [],
    visualizations: answer?.visualizations ?? [],
    suggested_actions: answer?.suggestedActions ?? [],
  };
}
