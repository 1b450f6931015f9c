import type { Send } from '../gather/messages.ts';
import { type ConversationPages, conversationKey } from '../gather/pages.ts';
import type { EndSighting } from '../gather/turn-sightings.ts';
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
    const shownIn = new Map<string, Reads>();
    for (const [key, read] of look.conversations) {
      const shown = wholeReads(read).map((one) => shownBy(one, read));
      if (shown.length > 0) shownIn.set(key, { shown, find: read.find });
    }
    if (shownIn.size === 0) return;
    const isShared = sharedTurns(look);
    for (const sends of ofOneMessage(look)) {
      for (const send of firstOfEachTurn(sends)) {
        const reads = shownIn.get(conversationKey(send));
        const { result, completed } = (reads && look.turns.get(send.turn ?? '')) ?? {};
        if (!reads || !result || !completed) continue;
        for (const found of missing(look, send, result, completed, reads)) {
          const basis = isShared(send) ? basisOfShared(look, found) : found.basis;
          if (basis) yield { ...found, basis };
        }
      }
    }
  },
  ({ conversation, message, role, accepted }) =>
    `the ${role === 'user' ? 'message' : 'answer to the message'} of request ${accepted}, ${message}, is not in the history of conversation ${conversation}, which was read whole after its turn had completed`,
);

interface Shown {
  readonly read: WholeRead;
  readonly isEmpty: boolean;
  /** Whether an item with the id that `find` has this number for was shown. */
  readonly has: (found: number) => boolean;
  readonly hasDigest: (digest: string) => boolean;
}

/** What was read of one conversation, whole, each time. */
interface Reads extends Pick<ConversationPages, 'find'> {
  readonly shown: readonly Shown[];
}

function shownBy(read: WholeRead, { items, base }: ConversationPages): Shown {
  // By number of the first item with an id.
  const isShown = new Uint8Array(items.length);
  for (const page of read.pages) for (const number of page.items) isShown[base[number] as number] = 1;
  return {
    read,
    isEmpty: read.pages.every((page) => page.items.length === 0),
    has: (found) => isShown[found] === 1,
    hasDigest: (digest) => read.pages.some((page) => page.items.some((number) => items[number]?.digest === digest)),
  };
}

const NONE: readonly Found<Data>[] = [];

function missing(
  look: Look,
  send: Send,
  result: { readonly user: string; readonly assistant: string },
  completed: EndSighting,
  { shown, find }: Reads,
): readonly Found<Data>[] {
  const [user, assistant] = [find(result.user) ?? -1, find(result.assistant) ?? -1];
  const isAfter = ({ read }: Shown) => read.sentAt > completed.receivedAt;
  const absent = {
    user: shown.find((one) => !one.has(user) && isAfter(one) && !one.hasDigest(send.textDigest)),
    assistant: shown.find((one) => !one.has(assistant) && isAfter(one)),
  };
  if (!absent.user && !absent.assistant) return NONE;
  const found: Found<Data>[] = [];
  for (const role of ['user', 'assistant'] as const) {
    const from = absent[role];
    if (!from) continue;
    found.push({
      basis: basisOf(look, from),
      at: from.read.sentAt,
      exchanges: [refOf(send), refOf(completed), ...from.read.pages.map(refOf)],
      data: {
        conversation: inert(send.conversation),
        message: inert(result[role]),
        role,
        accepted: refOf(send),
      },
    });
  }
  return found;
}

/**
 * Tells whether a turn answered several messages, of one id in several places or of several contents. Asked for what is missing
 * only, which is rare.
 */
function sharedTurns(look: Look): (send: Send) => boolean {
  let shared: Set<string> | undefined;
  return ({ turn }) => {
    if (!shared) {
      shared = new Set();
      const messageOf = new Map<string, readonly Send[]>();
      for (const sends of ofOneMessage(look)) {
        for (const { turn: id } of firstOfEachTurn(sends)) {
          if (id === undefined) continue;
          if (messageOf.has(id)) shared.add(id);
          else messageOf.set(id, sends);
        }
      }
    }
    return turn !== undefined && shared.has(turn);
  };
}

/** Where an id is unique more widely than in a conversation, the message may be another's resend, and stand in another's history. */
function basisOfShared({ promises }: Look, { basis }: Found<Data>): Found<Data>['basis'] | undefined {
  const { scope, sameTurn } = promises.idempotency;
  if (scope !== 'conversation') return undefined;
  return sameTurn ? basis : 'observation';
}

/**
 * Whether a page is full is known where its size was asked for. A size that may be the service's own default is the profile's
 * word, and only an empty page is whole whatever that is.
 */
function basisOf({ promises }: Look, { read, isEmpty }: Shown): 'profile' | 'observation' {
  const isAsked = read.pages.every(({ limit }) => limit !== promises.history.defaultLimit);
  return isAsked || isEmpty ? 'profile' : 'observation';
}
