import { type Micros, microsFromMillis, TimeQueue } from '../../base/index.ts';
import type { Retention } from '../config/retention.ts';
import type {
  ConversationRecord,
  HistoryEntry,
  HistoryPage,
  Rating,
  RevokeSelector,
  Store,
  StoreSizes,
  TokenRecord,
  TurnRecord,
} from '../store.ts';

import { isChosen } from './selector.ts';
import { Thread } from './thread.ts';

const keyOf = (owner: string, id: string) => `${owner}\n${id.toLowerCase()}`;

/** How many turns are forgotten at once beyond the maximum. Batching amortizes the filtering of long conversations. */
const batchOf = (cap: number) => Math.ceil(cap / 1_000);

/**
 * Keeps everything in memory, within the bounds of retention. A token is forgotten once it has been expired for as long as it was
 * valid; until then clients are told that it has expired rather than that it is invalid. Open turns are never forgotten.
 */
export class MemoryStore implements Store {
  readonly #retention: Retention;
  readonly #retentionUs: Micros;
  readonly #tokens = new Map<string, TokenRecord>();
  readonly #tokensByEnd = new TimeQueue<string>();
  readonly #threads = new Map<string, Thread>();
  /** Each thread once, by a lower bound of the instant from which it has been idle. */
  readonly #threadsByIdleness = new TimeQueue<Thread>();
  readonly #turns = new Map<string, TurnRecord>();
  readonly #turnsByEnd = new TimeQueue<TurnRecord>();
  readonly #answers = new Map<string, TurnRecord>();
  readonly #ratings = new Map<string, Rating>();
  #tokensIssued = 0;
  #turnsAccepted = 0;

  constructor(retention: Retention) {
    this.#retention = retention;
    this.#retentionUs = microsFromMillis(retention.time);
  }

  expire(now: Micros): void {
    while (this.#tokensByEnd.next <= now) this.#forgetToken();
    while (this.#threadsByIdleness.next + this.#retentionUs <= now) this.#forgetIdlest();
    const { turns, conversations, tokens } = this.#retention;
    while (this.#tokens.size > tokens) this.#forgetToken();
    while (this.#threads.size > conversations && this.#threadsByIdleness.next <= now) this.#forgetIdlest();
    if (this.#turns.size > turns) this.#forgetTurns(this.#turns.size - turns + batchOf(turns) - 1, now);
  }

  addToken(secret: string, token: TokenRecord): void {
    this.#tokens.set(secret, token);
    this.#tokensByEnd.push((2 * token.expiresAt - token.issuedAt) as Micros, secret);
    this.#tokensIssued++;
  }

  findToken(secret: string): TokenRecord | undefined {
    return this.#tokens.get(secret);
  }

  revoke(selector: RevokeSelector, now: Micros): number {
    return this.revokeAll(selector, now).length;
  }

  /** @returns the secrets of the valid tokens that were revoked */
  protected revokeAll(selector: RevokeSelector, now: Micros): readonly string[] {
    const chosen = [...this.#tokens].filter(
      ([secret, token]) => isChosen(selector, secret, token) && token.revokedAt === undefined && now < token.expiresAt,
    );
    for (const [secret, token] of chosen) this.#tokens.set(secret, { ...token, revokedAt: now });
    return chosen.map(([secret]) => secret);
  }

  tokens(): Iterable<TokenRecord> {
    return this.#tokens.values();
  }

  get tokensIssued(): number {
    return this.#tokensIssued;
  }

  addConversation(conversation: ConversationRecord): void {
    const thread = new Thread(conversation);
    this.#threads.set(keyOf(conversation.owner, conversation.id), thread);
    this.#threadsByIdleness.push(thread.idleFrom, thread);
  }

  findConversation(owner: string, id: string): ConversationRecord | undefined {
    return this.#threads.get(keyOf(owner, id))?.conversation;
  }

  addTurn(turn: TurnRecord): void {
    this.#turns.set(turn.id, turn);
    this.#turnsByEnd.push(turn.schedule.finishedAt, turn);
    this.#turnsAccepted++;
    this.#threadOf(turn.conversation).add(turn);
    if (turn.schedule.outcome === 'completed') this.#answers.set(turn.assistantMessageId, turn);
  }

  findTurn(id: string): TurnRecord | undefined {
    return this.#turns.get(id.toLowerCase());
  }

  findTurnByClientMessage(conversation: ConversationRecord, clientMessageId: string): TurnRecord | undefined {
    return this.#threadOf(conversation).turnOf(clientMessageId);
  }

  turns(): Iterable<TurnRecord> {
    return this.#turns.values();
  }

  get turnsAccepted(): number {
    return this.#turnsAccepted;
  }

  history(conversation: ConversationRecord, now: Micros, page: HistoryPage): readonly HistoryEntry[] {
    return this.#threadOf(conversation).visible(now, page);
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

  get sizes(): StoreSizes {
    return { tokens: this.#tokens.size, conversations: this.#threads.size, turns: this.#turns.size };
  }

  /** Called for everything that is forgotten; for subclasses that store it elsewhere, too. */
  protected tokenForgotten(_secret: string): void {}
  protected conversationForgotten(_conversation: ConversationRecord): void {}
  protected turnForgotten(_turn: TurnRecord): void {}

  /** Continues the counts of an earlier process, which include forgotten records. */
  protected countFrom(tokensIssued: number, turnsAccepted: number): void {
    this.#tokensIssued = tokensIssued;
    this.#turnsAccepted = turnsAccepted;
  }

  #threadOf(conversation: ConversationRecord): Thread {
    const thread = this.#threads.get(keyOf(conversation.owner, conversation.id));
    if (!thread) throw new Error('the conversation is not of this store');
    return thread;
  }

  /** Forgets the token that expires first. */
  #forgetToken(): void {
    const secret = this.#tokensByEnd.pop();
    if (secret !== undefined && this.#tokens.delete(secret)) this.tokenForgotten(secret);
  }

  /** Forgets the conversation that has been idle longest. If the first in the queue was used meanwhile, only requeues it. */
  #forgetIdlest(): void {
    const queuedAt = this.#threadsByIdleness.next;
    const thread = this.#threadsByIdleness.pop();
    if (!thread) return;
    if (thread.idleFrom > queuedAt) return this.#threadsByIdleness.push(thread.idleFrom, thread);
    const { conversation } = thread;
    for (const turn of thread.turns()) this.#forgetTurn(turn);
    this.#turnsByEnd.prune(this.#turns.size, (turn) => this.#turns.has(turn.id));
    this.#threads.delete(keyOf(conversation.owner, conversation.id));
    this.conversationForgotten(conversation);
  }

  /** Forgets the `count` turns that finished first, or fewer if fewer have finished. */
  #forgetTurns(count: number, now: Micros): void {
    const chosen = new Map<Thread, Set<TurnRecord>>();
    for (let left = count; left > 0 && this.#turnsByEnd.next <= now; ) {
      const turn = this.#turnsByEnd.pop();
      if (!turn || !this.#turns.has(turn.id)) continue;
      const thread = this.#threadOf(turn.conversation);
      const dropped = chosen.get(thread) ?? new Set();
      chosen.set(thread, dropped.add(turn));
      this.#forgetTurn(turn);
      left--;
    }
    for (const [thread, dropped] of chosen) thread.drop(dropped);
  }

  #forgetTurn(turn: TurnRecord): void {
    this.#turns.delete(turn.id);
    this.#answers.delete(turn.assistantMessageId);
    this.#ratings.delete(turn.assistantMessageId);
    this.turnForgotten(turn);
  }
}
