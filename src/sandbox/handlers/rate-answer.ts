import { z } from 'zod';
import { FeedbackRequest, operations, Uuid } from '../../api/index.ts';
import { success } from '../replies.ts';
import { admitOrRefuse, type Handler, handler, refuse } from '../service.ts';
import type { TokenRecord } from '../store.ts';
import { nothing } from '../validate.ts';

/** Rates an answer of the assistant; a new rating replaces the old one. Messages of users and unfinished answers are not found. */
export const rateAnswer: Handler<TokenRecord> = handler(
  { parameters: z.strictObject({ message_id: Uuid }), query: nothing, body: FeedbackRequest },
  ({ parameters, body }, call) => {
    const { store } = call.service;
    const turn = store.findTurnByAnswer(parameters.message_id);
    if (!turn || turn.conversation.owner !== call.caller.owner || call.now < turn.schedule.finishedAt) {
      return refuse(call, 'not_found', 'no such answer');
    }
    const refused = admitOrRefuse(call, 'ordinary');
    if (refused) return refused;
    store.rate(turn.assistantMessageId, body.rating);
    return success(operations.rateAnswer.success, { success: true, feedback: { rating: body.rating } });
  },
);
