import { formatCount } from '../../../base/index.ts';
import type { Send } from '../gather/messages.ts';
import type { ConversationPages, Page } from '../gather/pages.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';
import { alike, basisOfSameTurn, firstOfEachTurn, ofOneMessage } from './same-message.ts';

type Data = { message: string; times: number };

/**
 * The history shows one message more often than it was composed: by the user messages that its turns name or, if nobody else
 * writes to the conversation, by its content.
 */
export const messageExecutedTwice = kindOf<Data>(
  'The history shows that one message, sent more than once, was processed as several messages.',
  function* (look) {
    const named = new Set<string>();
    const pageWith = firstPages(look);
    for (const found of byTurns(look, pageWith)) {
      named.add(found.data.message);
      yield found;
    }
    if (!look.header.exclusive) return;
    for (const found of byContent(look, pageWith)) if (!named.has(found.data.message)) yield found;
  },
  ({ message, times }) => `message ${message} is in the history ${formatCount(times)} times, as separate messages`,
);

function* byTurns(look: Look, pageWith: FirstPages): Generator<Found<Data>> {
  for (const sends of ofOneMessage(look)) {
    const turns = firstOfEachTurn(sends);
    const [first] = turns;
    if (!first || turns.length < 2) continue;
    const shown = new Map<string, Send>();
    for (const send of turns) {
      const id = look.turns.get(send.turn ?? '')?.result?.user;
      if (id !== undefined && !shown.has(id) && pageWith(first, id)) shown.set(id, send);
    }
    if (shown.size < 2) continue;
    const pages = [...shown.keys()].flatMap((id) => pageWith(first, id) ?? []);
    const at = Math.max(...pages.map(({ receivedAt }) => receivedAt));
    yield {
      basis: basisOfSameTurn(look, first, at),
      at,
      exchanges: [...new Set([...[...shown.values()].map(refOf), ...pages.map(refOf)])],
      data: { message: plainWord(first.message), times: shown.size },
    };
  }
}

/**
 * More user messages with one content than ids sent with it. A text without a nonce may have been sent under many ids, and may be
 * in the conversation from before the run, when others wrote. One of these ids may be in a record that is missing.
 */
function* byContent(look: Look, pageWith: FirstPages): Generator<Found<Data>> {
  const { isWhole } = look;
  const isDated = Number.isFinite(look.evidence.timeline.phaseUncertaintyUs);
  const sinceUs = isDated ? ownSince(look) : Number.NEGATIVE_INFINITY;
  const isOfSeveral = sentUnderSeveral(look);
  const idsIn = new Map<number, ReadonlyMap<string, ReadonlySet<string>>>();
  for (const all of look.sends.values()) {
    // A single attempt cannot be executed twice because of a resend.
    if (all.length < 2) continue;
    for (const same of alike(all, ({ conversationNumber, textDigest }) => `${conversationNumber} ${textDigest}`)) {
      const [first] = same;
      const read = first && look.conversations.get(first.conversationNumber);
      if (!first || !read || same.length < 2) continue;
      const known = idsIn.get(first.conversationNumber) ?? userMessagesByContent(read, sinceUs);
      idsIn.set(first.conversationNumber, known);
      const ids = known.get(first.textDigest) ?? new Set();
      const pages = [...ids].flatMap((id) => pageWith(first, id) ?? []);
      if (ids.size < 2 || pages.length < ids.size || isOfSeveral(first)) continue;
      const at = Math.max(...pages.map(({ receivedAt }) => receivedAt));
      yield {
        basis: isDated && isWhole ? basisOfSameTurn(look, first, at) : 'observation',
        at,
        exchanges: [...new Set([...same.map(refOf), ...pages.map(refOf)])],
        data: { message: plainWord(first.message), times: ids.size },
      };
    }
  }
}

/** From when on everything was sent within the run, service µs since 1970: earlier requests may be decided as late as any other. */
function ownSince({ header, evidence: { timeline } }: Look): number {
  const delayUs = header.flushed.daily ? 0 : header.clock.maxServerDelayUs;
  return timeline.originUs + timeline.phaseUncertaintyUs + timeline.stepUs + Math.max(timeline.at(delayUs), delayUs);
}

/** Whether a text was sent to a conversation under several ids. The texts are put together on first use: most histories do not need it. */
function sentUnderSeveral({ sends }: Look): (send: Send) => boolean {
  const keyOf = ({ conversation, textDigest }: Send) => JSON.stringify([conversation, textDigest]);
  let idOf: Map<string, string> | undefined;
  const several = new Set<string>();
  return (send) => {
    if (!idOf) {
      idOf = new Map();
      for (const [id, all] of sends)
        for (const key of all.map(keyOf)) {
          if ((idOf.get(key) ?? id) !== id) several.add(key);
          idOf.set(key, id);
        }
    }
    return several.has(keyOf(send));
  };
}

/** @param sinceUs messages created earlier are left out, service µs since 1970 */
function userMessagesByContent(
  { items }: ConversationPages,
  sinceUs: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { id, role, digest, createdUs } of items) {
    if (role !== 'user' || digest === undefined || createdUs < sinceUs) continue;
    const known = ids.get(digest);
    if (known) known.add(id);
    else ids.set(digest, new Set([id]));
  }
  return ids;
}

/** The first page of the message's conversation that shows the item with this id. */
type FirstPages = (send: Send, id: string) => Page | undefined;

function firstPages({ conversations }: Look): FirstPages {
  const known = new Map<number, ReadonlyMap<number, Page>>();
  return ({ conversationNumber }, id) => {
    const read = conversations.get(conversationNumber);
    const number = read?.find(id);
    if (!read || number === undefined) return undefined;
    const pages = known.get(conversationNumber) ?? firstPageOfEach(read);
    known.set(conversationNumber, pages);
    return pages.get(number);
  };
}

/** By number of the first item with an id. */
function firstPageOfEach({ pages, base }: ConversationPages): ReadonlyMap<number, Page> {
  const first = new Map<number, Page>();
  for (const page of pages)
    for (const number of page.items) {
      const item = base[number] as number;
      if (!first.has(item)) first.set(item, page);
    }
  return first;
}
