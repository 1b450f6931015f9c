import type { Send } from '../gather/messages.ts';
import { conversationKey, type Item } from '../gather/pages.ts';
import type { EndSighting } from '../gather/turns.ts';
import { firstOfEachTurn, ofOneMessage } from '../idempotency/same-message.ts';
import { inert } from '../inert.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
import { refOf } from '../reference.ts';
import { type WholeRead, wholeReads } from './whole-reads.ts';

type Data = { conversation: string; message: string; role: 'user' | 'assistant'; accepted: string | number };

/**
 * A message whose turn an answer had called completed is not in a history that was read, whole, after that. When a message
 * of a turn that goes on is to be seen is left open, and so is a failed turn's.
 */
export const historyMessageMissing = kindOf<Data>(
  'A completed turn has a message that the whole history, read afterwards, does not show.',
  function* (look) {
    const shownIn = new Map<string, readonly Shown[]>();
    for (const [key, read] of look.conversations) {
      const shown = wholeReads(read).map((one) => ({ read: one, ...shownBy(one, read.items) }));
      if (shown.length > 0) shownIn.set(key, shown);
    }
    if (shownIn.size === 0) return;
    for (const sends of ofOneMessage(look)) {
      for (const send of firstOfEachTurn(sends)) {
        const shown = shownIn.get(conversationKey(send));
        const turn = shown && look.turns.get(send.turn ?? '');
        if (shown && turn?.result && turn.completed) yield* missing(look, send, turn.result, turn.completed, shown);
      }
    }
  },
  ({ conversation, message, role, accepted }) =>
    `the ${role === 'user' ? 'message' : 'answer to the message'} of request ${accepted}, ${message}, is not in the history of conversation ${conversation}, which was read whole after its turn had completed`,
);

interface Shown {
  readonly read: WholeRead;
  readonly ids: ReadonlySet<string>;
  readonly digests: ReadonlySet<string>;
}

function shownBy({ pages }: WholeRead, items: readonly Item[]): Omit<Shown, 'read'> {
  const shown = pages.flatMap((page) => Array.from(page.items, (number) => items[number] as Item));
  return { ids: new Set(shown.map(({ id }) => id)), digests: new Set(shown.map(({ digest }) => digest)) };
}

function* missing(
  look: Look,
  send: Send,
  result: { readonly user: string; readonly assistant: string },
  completed: EndSighting,
  shown: readonly Shown[],
): Generator<Found<Data>> {
  const after = shown.filter(({ read }) => read.sentAt > completed.receivedAt);
  const absent = {
    user: after.find(({ ids, digests }) => !ids.has(result.user) && !digests.has(send.textDigest)),
    assistant: after.find(({ ids }) => !ids.has(result.assistant)),
  };
  for (const role of ['user', 'assistant'] as const) {
    const from = absent[role];
    if (!from) continue;
    yield {
      basis: basisOf(look, from),
      at: from.read.sentAt,
      exchanges: [refOf(send), refOf(completed), ...from.read.pages.map(refOf)],
      data: {
        conversation: inert(send.conversation),
        message: inert(result[role]),
        role,
        accepted: refOf(send),
      },
    };
  }
}

/**
 * Whether a page is full is known where its size was asked for. A size that may be the service's own default is the profile's
 * word, and only an empty page is whole whatever that is.
 */
function basisOf({ promises }: Look, { read, ids }: Shown): 'profile' | 'observation' {
  const isAsked = read.pages.every(({ limit }) => limit !== promises.history.defaultLimit);
  return isAsked || ids.size === 0 ? 'profile' : 'observation';
}
