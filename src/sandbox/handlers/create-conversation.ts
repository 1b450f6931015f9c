import { ConversationRequest, operations } from '../../api/index.ts';
import { dateTime, success } from '../replies.ts';
import { admitOrRefuse, type Handler, handler } from '../service.ts';
import type { ConversationRecord, TokenRecord } from '../store.ts';
import { nothing } from '../validate.ts';

/**
 * Creates a conversation, or resumes the user's existing one with that id and its original title. Each user has a separate
 * namespace of ids, so nobody learns which ids others use.
 */
export const createConversation: Handler<TokenRecord> = handler(
  { parameters: nothing, query: nothing, body: ConversationRequest },
  ({ body }, call) => {
    const refused = admitOrRefuse(call, 'ordinary');
    if (refused) return refused;
    const { service, caller, passage } = call;
    const { store, ids } = service;
    const resumed =
      body.conversation_id === undefined ? undefined : store.findConversation(caller.owner, body.conversation_id);
    const conversation: ConversationRecord = resumed ?? {
      id: body.conversation_id ?? ids.uuid(),
      application: caller.application,
      user: caller.user,
      owner: caller.owner,
      title: body.title ?? 'New conversation',
      createdAt: passage.servedAt,
    };
    if (!resumed) store.addConversation(conversation);
    return success(operations.createConversation.success, {
      conversation_id: conversation.id,
      title: conversation.title,
      created_at: dateTime(conversation.createdAt),
    });
  },
);
