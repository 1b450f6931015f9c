import { z } from 'zod';
import { operations, Uuid } from '../../api/index.ts';
import { success } from '../replies.ts';
import { admitOrRefuse, type Call, type Handler, handler, refuse } from '../service.ts';
import type { TokenRecord, TurnRecord } from '../store.ts';
import { nothing } from '../validate.ts';
import { turnView } from '../views.ts';

export const turnParameters = z.strictObject({ turn_id: Uuid });

/** The turn with that id if it is the caller's own. */
export function ownTurn(turnId: string, call: Call<TokenRecord>): TurnRecord | undefined {
  const turn = call.service.store.findTurn(turnId);
  return turn?.conversation.owner === call.caller.owner ? turn : undefined;
}

export const readTurn: Handler<TokenRecord> = handler(
  { parameters: turnParameters, query: nothing, body: 'none' },
  ({ parameters }, call) => {
    const turn = ownTurn(parameters.turn_id, call);
    if (!turn) return refuse(call, 'not_found', 'no such turn');
    const refused = admitOrRefuse(call, 'ordinary');
    if (refused) return refused;
    return success(operations.readTurn.success, turnView(turn, call.passage.servedAt, call.service.config.seed));
  },
);
