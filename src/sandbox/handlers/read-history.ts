import { z } from 'zod';
import { operations, Uuid } from '../../api/index.ts';
import { success } from '../replies.ts';
import { admitOrRefuse, type Handler, handler, refuse } from '../service.ts';
import type { TokenRecord } from '../store.ts';
import { entryView } from '../views.ts';

/** Inclusive bounds and defaults of the query parameters. */
export const historyPage = {
  limit: { minimum: 1, maximum: 100, default: 20 },
  offset: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
} as const;

/** A query parameter that is a whole number in decimal digits. */
function wholeNumber({ minimum, maximum, default: absent }: (typeof historyPage)[keyof typeof historyPage]) {
  const wrong = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, wrong)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, wrong)
    .default(absent);
}

const Page = z.strictObject({ limit: wholeNumber(historyPage.limit), offset: wholeNumber(historyPage.offset) });

/** The messages of a conversation, oldest first; `offset` skips the oldest. An answer appears once its turn has completed. */
export const readHistory: Handler<TokenRecord> = handler(
  { parameters: z.strictObject({ conversation_id: Uuid }), query: Page, body: 'none' },
  ({ parameters, query }, call) => {
    const { store, config } = call.service;
    const conversation = store.findConversation(call.caller.owner, parameters.conversation_id);
    if (!conversation) return refuse(call, 'not_found', 'no such conversation');
    const refused = admitOrRefuse(call, 'ordinary');
    if (refused) return refused;
    const at = call.passage.servedAt;
    const entries = store.history(conversation, at, query);
    return success(operations.readHistory.success, {
      messages: entries.map((entry) => entryView(entry, at, config.seed)),
    });
  },
);
