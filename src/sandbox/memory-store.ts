import type { Micros } from '../base/index.ts';
import type {
  ConversationRecord,
  HistoryEntry,
  Rating,
  RevokeSelector,
  Store,
  TokenRecord,
  TurnRecord,
} from './store.ts';

interface Thread {
  readonly conversation: ConversationRecord;
  /** By `at`; equal instants in the order of arrival. */
  readonly entries: HistoryEntry[];
  readonly byClientMessage: Map<string, TurnRecord>;
}

const keyOf = (owner: string, id: string) => `${owner}\n${id.toLowerCase()}`;

/** The index of the first entry after `at`. */
function upperBound(entries: readonly HistoryEntry[], at: Micros): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Keeps everything in memory. Tokens go once they have been expired for as long as they lived; until then a client still hears
 * "expired" rather than "invalid". Conversations stay until the process ends, as the profile promises.
 */
export class MemoryStore implements Store {
  readonly #tokens = new Map<string, TokenRecord>();
  readonly #threads = new Map<string, Thread>();
  readonly #turns = new Map<string, TurnRecord>();
  readonly #answers = new Map<string, TurnRecord>();
  readonly #ratings = new Map<string, Rating>();
  #tokensIssued = 0;

  addToken(secret: string, token: TokenRecord): void {
    // Tokens of one sandbox live equally long and the map keeps their order, so the sweep stops at the first one to keep.
    for (const [old, { issuedAt, expiresAt }] of this.#tokens) {
      if (expiresAt + (expiresAt - issuedAt) > token.issuedAt) break;
      this.#tokens.delete(old);
    }
    this.#tokens.set(secret, token);
    this.#tokensIssued++;
  }

  findToken(secret: string): TokenRecord | undefined {
    return this.#tokens.get(secret);
  }

  revoke(selector: RevokeSelector, now: Micros): number {
    const chosen = [...this.#tokens].filter(
      ([secret, token]) => isChosen(selector, secret, token) && token.revokedAt === undefined && now < token.expiresAt,
    );
    for (const [secret, token] of chosen) this.#tokens.set(secret, { ...token, revokedAt: now });
    return chosen.length;
  }

  tokens(): Iterable<TokenRecord> {
    return this.#tokens.values();
  }

  get tokensIssued(): number {
    return this.#tokensIssued;
  }

  addConversation(conversation: ConversationRecord): void {
    this.#threads.set(keyOf(conversation.owner, conversation.id), {
      conversation,
      entries: [],
      byClientMessage: new Map(),
    });
  }

  findConversation(owner: string, id: string): ConversationRecord | undefined {
    return this.#threads.get(keyOf(owner, id))?.conversation;
  }

  get conversationCount(): number {
    return this.#threads.size;
  }

  addTurn(turn: TurnRecord): void {
    this.#turns.set(turn.id, turn);
    const { entries, byClientMessage } = this.#threadOf(turn.conversation);
    byClientMessage.set(turn.clientMessageId, turn);
    const { acceptedAt, finishedAt, outcome } = turn.schedule;
    entries.splice(upperBound(entries, acceptedAt), 0, { role: 'user', at: acceptedAt, turn });
    if (outcome === 'failed') return;
    this.#answers.set(turn.assistantMessageId, turn);
    entries.splice(upperBound(entries, finishedAt), 0, { role: 'assistant', at: finishedAt, turn });
  }

  findTurn(id: string): TurnRecord | undefined {
    return this.#turns.get(id.toLowerCase());
  }

  findTurnByClientMessage(conversation: ConversationRecord, clientMessageId: string): TurnRecord | undefined {
    return this.#threadOf(conversation).byClientMessage.get(clientMessageId);
  }

  turns(): Iterable<TurnRecord> {
    return this.#turns.values();
  }

  get turnCount(): number {
    return this.#turns.size;
  }

  history(
    conversation: ConversationRecord,
    now: Micros,
    page: { limit: number; offset: number },
  ): readonly HistoryEntry[] {
    const { entries } = this.#threadOf(conversation);
    return entries.slice(page.offset, Math.min(upperBound(entries, now), page.offset + page.limit));
  }

  findTurnByAnswer(messageId: string): TurnRecord | undefined {
    return this.#answers.get(messageId.toLowerCase());
  }

  rate(messageId: string, rating: Rating): void {
    this.#ratings.set(messageId.toLowerCase(), rating);
  }

  ratingOf(messageId: string): Rating | undefined {
    return this.#ratings.get(messageId.toLowerCase());
  }

  #threadOf(conversation: ConversationRecord): Thread {
    const thread = this.#threads.get(keyOf(conversation.owner, conversation.id));
    if (!thread) throw new Error('the conversation is not of this store');
    return thread;
  }
}

function isChosen(selector: RevokeSelector, secret: string, token: TokenRecord): boolean {
  if ('token' in selector) return secret === selector.token;
  if ('user' in selector) {
    return (
      token.user === selector.user && (selector.application === undefined || token.application === selector.application)
    );
  }
  return token.application === selector.application;
}
