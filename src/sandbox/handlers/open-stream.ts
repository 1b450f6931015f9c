import { admitOrRefuse, type Handler, handler, refuse } from '../service.ts';
import type { TokenRecord } from '../store.ts';
import { streamEvents } from '../stream.ts';
import { nothing } from '../validate.ts';
import { ownTurn, turnParameters } from './read-turn.ts';

/** Accepts the handshake of a turn's stream. Limits count it like any other request. */
export const openStream: Handler<TokenRecord> = handler(
  { parameters: turnParameters, query: nothing, body: 'none' },
  ({ parameters }, call) => {
    if (call.request.webSocket !== true)
      return refuse(call, 'invalid_request', 'must be a WebSocket handshake, version 13');
    const turn = ownTurn(parameters.turn_id, call);
    if (!turn) return refuse(call, 'not_found', 'no such turn');
    const refused = admitOrRefuse(call, 'ordinary');
    if (refused) return refused;
    return { kind: 'stream', status: 101, headers: {}, events: streamEvents(turn, call.service.config.seed) };
  },
);
