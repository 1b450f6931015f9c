import type { ExchangeRef } from '../../certificate.ts';
import { grouped } from '../idempotency/same-message.ts';
import type { Look } from '../kind.ts';
import { refOf } from '../reference.ts';

/** A message without an answer that the history shows, so it was accepted. */
export interface AcceptedUnseen {
  readonly exchange: ExchangeRef;
  /** Run µs: it was decided between its sending and this instant. */
  readonly beforeUs: number;
  readonly shownBy: ExchangeRef;
}

/**
 * Attempts without a usable answer that the history proves accepted: nobody else writes to the conversation, only one id was sent
 * with this content, only one attempt at it may have been accepted, and the history has it.
 */
export function* acceptedUnseen(look: Look): Generator<AcceptedUnseen> {
  if (!look.header.exclusive) return;
  const all = [...look.sends.values()].flat();
  for (const same of grouped(all, ({ conversationNumber, textDigest }) => `${conversationNumber} ${textDigest}`)) {
    const [attempt, another] = same.filter(({ outcome }) => outcome === 'unknown');
    if (!attempt || another || same.some(({ outcome }) => outcome === 'accepted')) continue;
    if (new Set(same.map(({ message }) => message)).size > 1) continue;
    const read = look.conversations.get(attempt.conversationNumber);
    const isIt = (number: number) =>
      read?.items[number]?.role === 'user' && read.items[number]?.digest === attempt.textDigest;
    const page = read?.pages.find(({ items, receivedAt }) => receivedAt >= attempt.sentAt && items.some(isIt));
    if (page) yield { exchange: refOf(attempt), beforeUs: page.receivedAt, shownBy: refOf(page) };
  }
}
