import { type Micros, microsFromSeconds } from '../../../base/index.ts';
import type { ConversationRecord, Store, TurnRecord } from '../../store.ts';
import { alteredStore } from '../altered.ts';
import type { Circumstances, Defect } from '../defect.ts';

/** A store that no longer finds some turns by client_message_id. @param knows whether it still finds the turn */
const forgetting =
  (knows: (turn: TurnRecord, now: Micros, circumstances: Circumstances) => boolean): Defect['breaks'] =>
  (circumstances) => ({
    store(honest) {
      let now = 0 as Micros;
      return alteredStore(honest, {
        // Called before every decision, so it tells the time.
        expire(at) {
          now = at;
          honest.expire(at);
        },
        findTurnByClientMessage(conversation, id) {
          const turn = honest.findTurnByClientMessage(conversation, id);
          return turn && knows(turn, now, circumstances) ? turn : undefined;
        },
      });
    },
  });

const TTL_US = microsFromSeconds(10);
const slow = { distribution: 'constant', value: 60_000 } as unknown as NonNullable<
  NonNullable<Defect['requires']>['processing']
>;

const keyOf = ({ owner, id }: ConversationRecord, clientMessageId: string) =>
  `${owner}\n${id.toLowerCase()}\n${clientMessageId}`;

/** Size of the cache. */
const CACHED = 256;

/** Finds messages only if their key is among the last used ones (LRU). */
function cached(honest: Store): Store {
  const used = new Set<string>();
  const touch = (key: string) => {
    used.delete(key);
    used.add(key);
    for (const oldest of used) {
      if (used.size <= CACHED) break;
      used.delete(oldest);
    }
  };
  return alteredStore(honest, {
    addTurn(turn) {
      touch(keyOf(turn.conversation, turn.clientMessageId));
      honest.addTurn(turn);
    },
    findTurnByClientMessage(conversation, id) {
      const key = keyOf(conversation, id);
      if (!used.has(key)) return undefined;
      touch(key);
      return honest.findTurnByClientMessage(conversation, id);
    },
  });
}

/** Finds messages by client_message_id alone, whoever sent them. */
function unscoped(honest: Store): Store {
  const first = new Map<string, TurnRecord>();
  const find = (id: string) => {
    const turn = first.get(id);
    return turn && honest.findTurn(turn.id);
  };
  const remember = (turn: TurnRecord) => {
    if (!find(turn.clientMessageId)) first.set(turn.clientMessageId, turn);
    // Drops what the service has forgotten, once it may be half of all.
    if (first.size <= 2 * honest.sizes.turns + CACHED) return;
    for (const id of first.keys()) if (!find(id)) first.delete(id);
  };
  for (const turn of honest.turns()) remember(turn);
  return alteredStore(honest, {
    addTurn(turn) {
      honest.addTurn(turn);
      remember(turn);
    },
    findTurnByClientMessage: (conversation, id) => honest.findTurnByClientMessage(conversation, id) ?? find(id),
  });
}

const I1: Defect = {
  says: 'A message that is sent again while the first one is still being accepted is accepted again: two equal messages in parallel give two turns.',
  breaks: forgetting(({ schedule }, now, { lagUs }) => now >= schedule.acceptedAt + lagUs),
};
const I2: Defect = {
  says: 'The lock of a message expires after 10 s even if its turn still runs: sent again during a slow turn, the message is accepted again.',
  requires: { processing: slow },
  breaks: forgetting(({ schedule }, now) => now < schedule.acceptedAt + TTL_US || now >= schedule.finishedAt),
};
const I7: Defect = {
  says: "Messages are identified by client_message_id alone, without conversation and user: another user's message with the same id and content returns the first user's turn.",
  breaks: () => ({ store: unscoped }),
};
const I9: Defect = {
  says: 'Only the last 256 client_message_ids are remembered: a message that is sent again after 256 others is accepted again.',
  breaks: () => ({ store: cached }),
};
const I11: Defect = {
  says: 'A turn that takes more than 10 s counts as timed out and its message as never sent: sent again after that, even after the turn has completed, it is accepted again.',
  requires: { processing: slow },
  breaks: forgetting(
    ({ schedule }, now) => now < schedule.acceptedAt + TTL_US || schedule.finishedAt - schedule.acceptedAt <= TTL_US,
  ),
};

export const memory = { I1, I2, I7, I9, I11 };
