import { z } from 'zod';
import { operations, SendMessageRequest, Uuid } from '../../api/index.ts';
import { type Micros, seededRandom } from '../../base/index.ts';
import { type Answer, dateTime, success } from '../replies.ts';
import { admitOrRefuse, type Call, type Handler, handler, refuse } from '../service.ts';
import type { ConversationRecord, MessageContent, TokenRecord, TurnRecord } from '../store.ts';
import { begunAt, drawSchedule, statusAt } from '../turns.ts';
import { nothing } from '../validate.ts';

/**
 * Accepts a message as a turn. A client_message_id that was used before in this conversation returns its turn and, by default,
 * consumes no slot and nothing of the daily quota. With other content it is refused.
 */
export const sendMessage: Handler<TokenRecord> = handler(
  { parameters: z.strictObject({ conversation_id: Uuid }), query: nothing, body: SendMessageRequest },
  ({ parameters, body }, call) => {
    const { store, truth } = call.service;
    const conversation = store.findConversation(call.caller.owner, parameters.conversation_id);
    if (!conversation) return refuse(call, 'not_found', 'no such conversation');
    const content = contentOf(body);
    const earlier = store.findTurnByClientMessage(conversation, body.client_message_id);
    if (!earlier) return acceptNew(conversation, body.client_message_id, content, call);
    if (!store.ignoresOtherContent && !sameContent(earlier.content, content)) {
      return refuse(call, 'message_id_reused', 'client_message_id was used before with other content');
    }
    const refused = admitOrRefuse(call, 'replay');
    if (refused) return refused;
    truth.replayed(earlier);
    return accepted(earlier, call.passage.servedAt);
  },
);

function acceptNew(
  conversation: ConversationRecord,
  clientMessageId: string,
  content: MessageContent,
  call: Call<TokenRecord>,
): Answer {
  const { config, store, ids } = call.service;
  const refused = admitOrRefuse(call, 'ordinary');
  if (refused) return refused;
  const at = call.passage.servedAt;
  // The random stream is chosen by the number of accepted turns, so that refusals do not affect later turns.
  const number = store.turnsAccepted;
  const drawn = drawSchedule(config, seededRandom(config.seed, 'turn', number), at);
  const schedule = begunAt(drawn, call.passage.freeFrom(drawn.processingAt, drawn.finishedAt));
  call.passage.hold(schedule.processingAt, schedule.finishedAt);
  const turn: TurnRecord = {
    id: ids.uuid(),
    number,
    conversation,
    clientMessageId,
    content,
    userMessageId: ids.uuid(),
    assistantMessageId: ids.uuid(),
    requestId: call.requestId,
    schedule,
  };
  store.addTurn(turn);
  return accepted(turn, at);
}

/** `status` is the current one: `queued` for a new turn, possibly another one for a replay. */
function accepted(turn: TurnRecord, now: Micros): Answer {
  return success(operations.sendMessage.success, {
    turn_id: turn.id,
    conversation_id: turn.conversation.id,
    client_message_id: turn.clientMessageId,
    status: statusAt(turn.schedule, now),
    created_at: dateTime(turn.schedule.acceptedAt),
  });
}

function contentOf({ message, location }: SendMessageRequest): MessageContent {
  return {
    message,
    ...(location?.city !== undefined && { city: location.city }),
    ...(location?.commune !== undefined && { commune: location.commune }),
  };
}

const sameContent = (a: MessageContent, b: MessageContent): boolean =>
  a.message === b.message && a.city === b.city && a.commune === b.commune;
