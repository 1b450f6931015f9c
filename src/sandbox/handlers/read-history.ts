import { z } from 'zod';
import { operations } from '../../api/index.ts';
import { success } from '../replies.ts';
import { type Handler, handler, refuse } from '../service.ts';
import type { TokenRecord } from '../store.ts';
import { entryView } from '../views.ts';

/** A query parameter that is a whole number in decimal digits, within bounds (both included). */
const wholeNumber = (min: number, max: number, absent: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .default(absent);

const Page = z.strictObject({ limit: wholeNumber(1, 100, 20), offset: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0) });

/** The messages of a conversation, oldest first; `offset` skips from the oldest. An answer appears when its turn has completed. */
export const readHistory: Handler<TokenRecord> = handler(
  { parameters: z.strictObject({ conversation_id: z.uuid() }), query: Page, body: 'none' },
  ({ parameters, query }, call) => {
    const { store, config } = call.service;
    const conversation = store.findConversation(call.caller.owner, parameters.conversation_id);
    if (!conversation) return refuse(call, 'not_found', 'no such conversation');
    const entries = store.history(conversation, call.now, query);
    return success(operations.readHistory.success, {
      messages: entries.map((entry) => entryView(entry, call.now, config.seed)),
    });
  },
);
