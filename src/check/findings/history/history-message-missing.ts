import type { Send } from '../gather/messages.ts';
import type { ConversationPages } from '../gather/pages.ts';
import type { EndSighting } from '../gather/turn-sightings.ts';
import { firstOfEachTurn, ofOneMessage } from '../idempotency/same-message.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';
import { isKept, mayHaveMovedUp } from './kept.ts';
import { type WholeRead, wholeReads } from './whole-reads.ts';

type Data = { conversation: string; message: string; role: 'user' | 'assistant'; accepted: string | number };

/**
 * A message is missing in a complete reading of a history that began after an answer had reported its turn as completed. Nothing
 * is reported for turns that are open or failed.
 */
export const historyMessageMissing = kindOf<Data>(
  'A message of a completed turn is missing in the history, which was read completely afterwards.',
  function* (look) {
    const shownIn = new Map<number, Reads>();
    for (const [number, read] of look.conversations) {
      const reads = wholeReads(read);
      if (reads.length > 0) shownIn.set(number, { reads, shown: shownBy(reads, read), ...read });
    }
    if (shownIn.size === 0) return;
    const isShared = sharedTurns(look);
    const isElsewhere = sentElsewhere(look);
    for (const sends of ofOneMessage(look)) {
      for (const send of firstOfEachTurn(sends)) {
        const reads = shownIn.get(send.conversationNumber);
        const { result, completed } = (reads && look.turns.get(send.turn ?? '')) ?? {};
        if (!reads || !result || !completed || isElsewhere(send)) continue;
        for (const found of missing(look, send, result, completed, reads)) {
          const basis = isShared(send) ? basisOfShared(look, found) : found.basis;
          if (basis) yield { ...found, basis };
        }
      }
    }
  },
  ({ conversation, message, role, accepted }) =>
    `the ${role === 'user' ? 'message' : 'answer to the message'} of request ${accepted}, ${message}, is not in the history of conversation ${conversation}, which was read completely after its turn had ended`,
);

/** All complete readings of one conversation. */
interface Reads extends ConversationPages {
  readonly reads: readonly WholeRead[];
  /** By number of the first item with an id: one bit for each reading that showed an item with this id. */
  readonly shown: Uint16Array;
}

/** There is a bit for each reading: `wholeReads` returns ten at most. */
function shownBy(reads: readonly WholeRead[], { items, base }: ConversationPages): Uint16Array {
  const shown = new Uint16Array(items.length);
  for (const [index, { pages }] of reads.entries())
    for (const page of pages)
      for (const number of page.items) {
        const first = base[number] as number;
        shown[first] = (shown[first] as number) | (1 << index);
      }
  return shown;
}

/** An item without a text may have any. */
const mayHaveDigest = ({ pages }: WholeRead, { items }: ConversationPages, digest: string): boolean =>
  pages.some((page) => page.items.some((number) => (items[number]?.digest ?? digest) === digest));

const NONE: readonly Found<Data>[] = [];

function missing(
  look: Look,
  send: Send,
  result: { readonly user: string; readonly assistant: string },
  completed: EndSighting,
  conversation: Reads,
): readonly Found<Data>[] {
  const { reads, shown, find } = conversation;
  // A service that answers polls from replicas may also answer histories from them.
  const visibleAt = completed.receivedAt + look.evidence.words.turns.staleUs;
  const firstWithout = (id: string, isShown: (read: WholeRead) => boolean) => {
    const showing = shown[find(id) ?? -1] ?? 0;
    return reads.find((read, index) => (showing & (1 << index)) === 0 && read.sentAt > visibleAt && !isShown(read));
  };
  const absent = {
    user: firstWithout(result.user, (read) => mayHaveDigest(read, conversation, send.textDigest)),
    assistant: firstWithout(result.assistant, () => false),
  };
  if (!absent.user && !absent.assistant) return NONE;
  const found: Found<Data>[] = [];
  for (const role of ['user', 'assistant'] as const) {
    const from = absent[role];
    if (!from) continue;
    found.push({
      basis: basisOf(look, send, from, conversation),
      at: from.sentAt,
      exchanges: [refOf(send), refOf(completed), ...from.pages.map(refOf)],
      data: {
        conversation: plainWord(send.conversation),
        message: plainWord(result[role]),
        role,
        accepted: refOf(send),
      },
    });
  }
  return found;
}

/**
 * Whether a turn answered several messages: of one id in several places, or with several contents. Only asked for missing
 * messages, which are rare.
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

/**
 * Whether a message was also sent to another conversation, if one id is one message in all of them: its turn may belong to any
 * that did not reject it.
 */
function sentElsewhere({ sends, promises }: Look): (send: Send) => boolean {
  if (promises.idempotency.scope === 'conversation') return () => false;
  return ({ message, conversationNumber }) =>
    (sends.get(message) ?? []).some(
      (one) => one.conversationNumber !== conversationNumber && one.outcome !== 'rejected' && one.outcome !== 'refused',
    );
}

/** If an id is unique beyond a conversation, the message may be another's resend, and be in another's history. */
function basisOfShared({ promises }: Look, { basis }: Found<Data>): Found<Data>['basis'] | undefined {
  const { scope, sameTurn } = promises.idempotency;
  if (scope !== 'conversation') return undefined;
  return sameTurn ? basis : 'observation';
}

/**
 * The profile has to promise that everything is shown, and for how long. Whether a page is full is known if its size was
 * requested. If the size may be the service's default, it is only known from the profile, and only an empty page is complete in
 * any case. The specification does not tell the names of the parameters: the profile has to.
 */
function basisOf(look: Look, send: Send, { pages }: WholeRead, read: Reads): 'profile' | 'observation' {
  const { history } = look.promises;
  if (!isKept(look, send, pages.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY)) return 'observation';
  if (mayHaveMovedUp(look, pages, read)) return 'observation';
  if (pages.some(({ offset }) => offset > 0) && history.offsetParameter === undefined) return 'observation';
  const isSizeKnown =
    history.limitParameter !== undefined && pages.every(({ limit }) => limit !== history.defaultLimit);
  return isSizeKnown || pages.every(({ items }) => items.length === 0) ? 'profile' : 'observation';
}
