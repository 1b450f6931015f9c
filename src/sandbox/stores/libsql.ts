import { ConfigurationError, type Micros } from '../../base/index.ts';
import type { Retention } from '../config/retention.ts';
import { digestOf } from '../digest.ts';
import type { ConversationRecord, Rating, RevokeSelector, SavedClock, TokenRecord, TurnRecord } from '../store.ts';
import type { DurableStore, SavedCredentials } from './durable-store.ts';
import { KeptLimits, type KeptState } from './kept-limits.ts';
import { MemoryStore } from './memory.ts';
import { PendingRecords } from './pending-records.ts';
import { notKept, StoreFile } from './store-file.ts';

type KeptTurn = Omit<TurnRecord, 'conversation'> & {
  /** Number of the conversation in the file. */
  readonly conversation: number;
  readonly rating?: Rating;
};

/**
 * Keeps everything in memory for queries and writes each change to a file. Of tokens, which are 256 random bits, both hold only
 * the digest.
 */
export class LibsqlStore extends MemoryStore implements DurableStore {
  readonly limits: KeptLimits;
  readonly #file: StoreFile;
  readonly #pending = new PendingRecords();
  readonly #meta: ReadonlyMap<string, unknown>;
  readonly #credentials: Map<string, SavedCredentials>;
  /** Number of each conversation in the file. */
  readonly #numbers = new Map<ConversationRecord, number>();
  #lastNumber = 0;
  #latest: Micros;

  /** @throws ConfigurationError if the file cannot be used, or was created with another seed */
  constructor(path: string, retention: Retention, seed: number) {
    super(retention);
    this.#file = new StoreFile(path);
    try {
      this.#meta = this.#recordsOf('meta');
      this.#checkSeed(path, seed);
      this.#latest = (this.#meta.get('latest') ?? 0) as Micros;
      this.#credentials = this.#recordsOf('application');
      this.limits = new KeptLimits(this.#pending, this.#recordsOf<KeptState>('limit').values());
      this.#readAll();
    } catch (error) {
      // A record of another form than its kind has: written by hand, because every write is of this class.
      const told = error instanceof TypeError ? this.#file.damaged('a record of it has another form') : error;
      this.#file.close();
      throw told;
    }
  }

  override expire(now: Micros): void {
    this.#latest = now;
    super.expire(now);
    this.limits.clean(now);
  }

  override addToken(secret: string, token: TokenRecord): void {
    const digest = digestOf(secret);
    super.addToken(digest, token);
    this.#keepToken(digest);
    this.#pending.put('meta', 'tokensIssued', () => this.tokensIssued);
  }

  override findToken(secret: string): TokenRecord | undefined {
    return super.findToken(digestOf(secret));
  }

  override revoke(selector: RevokeSelector, now: Micros): number {
    const digests = super.revokeAll('token' in selector ? { token: digestOf(selector.token) } : selector, now);
    for (const digest of digests) this.#keepToken(digest);
    return digests.length;
  }

  override addConversation(conversation: ConversationRecord): void {
    super.addConversation(conversation);
    const number = ++this.#lastNumber;
    this.#numbers.set(conversation, number);
    this.#pending.put('conversation', number, () => conversation);
  }

  override addTurn(turn: TurnRecord): void {
    super.addTurn(turn);
    this.#keepTurn(turn);
    this.#pending.put('meta', 'turnsAccepted', () => this.turnsAccepted);
  }

  override rate(messageId: string, rating: Rating): void {
    super.rate(messageId, rating);
    const turn = this.findTurnByAnswer(messageId);
    if (turn) this.#keepTurn(turn);
  }

  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  commit(): void {
    if (!this.isPending) return;
    this.#pending.put('meta', 'latest', () => this.#latest);
    this.#pending.writeTo(this.#file);
  }

  get clock(): SavedClock | undefined {
    const saved = this.#meta.get('clock') as SavedClock | undefined;
    return saved && { ...saved, latestUs: Math.max(saved.latestUs, this.#latest) as Micros };
  }

  saveClock(clock: SavedClock): void {
    this.#pending.put('meta', 'clock', () => clock);
  }

  credentialsOf(label: string): SavedCredentials | undefined {
    return this.#credentials.get(label);
  }

  saveCredentials(label: string, credentials: SavedCredentials): void {
    this.#credentials.set(label, credentials);
    this.#pending.put('application', label, () => credentials);
  }

  close(): void {
    try {
      this.commit();
    } catch (error) {
      throw notKept(error);
    } finally {
      this.#file.close();
    }
  }

  abandon(): void {
    this.#file.close();
  }

  protected override tokenForgotten(digest: string): void {
    this.#pending.delete('token', digest);
  }

  protected override conversationForgotten(conversation: ConversationRecord): void {
    this.#pending.delete('conversation', this.#numberOf(conversation));
    this.#numbers.delete(conversation);
  }

  protected override turnForgotten(turn: TurnRecord): void {
    this.#pending.delete('turn', turn.number);
  }

  #keepToken(digest: string): void {
    this.#pending.put('token', digest, () => super.findToken(digest));
  }

  #keepTurn(turn: TurnRecord): void {
    this.#pending.put('turn', turn.number, (): KeptTurn => {
      const rating = this.ratingOf(turn.assistantMessageId);
      return { ...turn, conversation: this.#numberOf(turn.conversation), ...(rating && { rating }) };
    });
  }

  #numberOf(conversation: ConversationRecord): number {
    const number = this.#numbers.get(conversation);
    if (number === undefined) throw new Error('the conversation is not of this store');
    return number;
  }

  #recordsOf<Kept>(kind: 'meta' | 'application' | 'limit'): Map<string, Kept> {
    return new Map([...this.#file.read(kind)].map(({ key, record }) => [String(key), record as Kept]));
  }

  /** Answers are derived from the seed: with another one, old turns would have different answers. */
  #checkSeed(path: string, seed: number): void {
    const kept = this.#meta.get('seed');
    if (kept === undefined) this.#pending.put('meta', 'seed', () => seed);
    else if (kept !== seed) {
      throw new ConfigurationError([
        { path: 'seed', message: `must be ${kept}, the seed with which ${path} was created` },
      ]);
    }
  }

  #readAll(): void {
    for (const { key, record } of this.#file.read('token')) super.addToken(String(key), record as TokenRecord);
    const conversations = new Map<number, ConversationRecord>();
    for (const { key, record } of this.#file.read('conversation')) {
      const conversation = record as ConversationRecord;
      this.#lastNumber = Number(key);
      conversations.set(this.#lastNumber, conversation);
      this.#numbers.set(conversation, this.#lastNumber);
      super.addConversation(conversation);
    }
    for (const { record } of this.#file.read('turn')) {
      const { conversation: number, rating, ...turn } = record as KeptTurn;
      const conversation = conversations.get(number);
      if (!conversation) throw this.#file.damaged(`turn ${turn.number} is of no conversation`);
      super.addTurn({ ...turn, conversation });
      if (rating) super.rate(turn.assistantMessageId, rating);
    }
    const [tokens, turns] = [this.#meta.get('tokensIssued'), this.#meta.get('turnsAccepted')];
    this.countFrom(Number(tokens ?? 0), Number(turns ?? 0));
  }
}
