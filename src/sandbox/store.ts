import type { Micros } from '../base/index.ts';
import type { LimitChange, SavedLimits } from './gate/index.ts';
import type { TurnSchedule } from './turns.ts';

/** A user token, without the secret itself. */
export interface TokenRecord {
  /** Name in the truth: `t1`, `t2`, … in the order of issue. */
  readonly label: string;
  /** Label of the application. */
  readonly application: string;
  /** external_user_id. */
  readonly user: string;
  /** Application and user in one: who owns what. Tokens of one user share it. */
  readonly owner: string;
  readonly locale?: string;
  readonly timezone: string;
  readonly issuedAt: Micros;
  /** The first instant at which it is no longer good. */
  readonly expiresAt: Micros;
  readonly revokedAt?: Micros;
}

export interface ConversationRecord {
  readonly id: string;
  readonly application: string;
  readonly user: string;
  readonly owner: string;
  readonly title: string;
  readonly createdAt: Micros;
}

/** What a user said, as compared when a client_message_id comes again. */
export interface MessageContent {
  readonly message: string;
  readonly city?: string;
  readonly commune?: string;
}

export interface TurnRecord {
  readonly id: string;
  /** 0, 1, 2, … in the order of acceptance; the random streams of a turn hang on it. */
  readonly number: number;
  readonly conversation: ConversationRecord;
  readonly clientMessageId: string;
  readonly content: MessageContent;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
  /** Of the request that was accepted; a failed turn's error carries it. */
  readonly requestId: string;
  readonly schedule: TurnSchedule;
}

/** One message in a conversation's history, visible from `at` on. */
export interface HistoryEntry {
  readonly role: 'user' | 'assistant';
  readonly at: Micros;
  readonly turn: TurnRecord;
}

export type Rating = 'up' | 'down';

/** Which tokens to revoke: one, all of a user (of one application or of all), or all of an application (its label). */
export type RevokeSelector =
  | { readonly token: string }
  | { readonly user: string; readonly application?: string }
  | { readonly application: string };

/** The store cannot be reached: nothing was read or written. The service answers 500, or 503 where it says that it is unavailable. */
export class StoreUnavailable extends Error {
  readonly code: 'internal' | 'unavailable';

  constructor(code: 'internal' | 'unavailable', message = 'the store cannot be reached') {
    super(message);
    this.name = 'StoreUnavailable';
    this.code = code;
  }
}

/** Where a service's clock stood, for the process that goes on with its store. */
export interface SavedClock {
  /** The machine's time of day when the clock showed `serviceUs`. */
  readonly wallUs: Micros;
  readonly serviceUs: Micros;
  /** Service seconds per second from then on; 0: moved by hand. */
  readonly rate: number;
  /** The latest instant that the service has acted on. */
  readonly latestUs: Micros;
}

/** All that the service remembers. Synchronous, so that a decision and its record are one step. */
export interface Store {
  /**
   * Forgets what retention no longer keeps at `now` (config/retention.ts). What is kept is a function of the requests and
   * their instants, never of when somebody looks, because it is called before every decision.
   */
  expire(now: Micros): void;

  addToken(secret: string, token: TokenRecord): void;
  findToken(secret: string): TokenRecord | undefined;
  /** @returns how many tokens were good until now */
  revoke(selector: RevokeSelector, now: Micros): number;
  tokens(): Iterable<TokenRecord>;
  /** How many were ever issued. */
  readonly tokensIssued: number;

  addConversation(conversation: ConversationRecord): void;
  findConversation(owner: string, id: string): ConversationRecord | undefined;

  addTurn(turn: TurnRecord): void;
  findTurn(id: string): TurnRecord | undefined;
  findTurnByClientMessage(conversation: ConversationRecord, clientMessageId: string): TurnRecord | undefined;
  turns(): Iterable<TurnRecord>;
  /** How many were ever accepted; the next one's number. */
  readonly turnsAccepted: number;

  /** Entries visible at `now`, oldest first. */
  history(
    conversation: ConversationRecord,
    now: Micros,
    page: { readonly limit: number; readonly offset: number },
  ): readonly HistoryEntry[];
  /** The turn whose assistant message this is. */
  findTurnByAnswer(messageId: string): TurnRecord | undefined;
  rate(messageId: string, rating: Rating): void;
  ratingOf(messageId: string): Rating | undefined;

  /** How much is remembered at present. */
  readonly sizes: StoreSizes;

  /** Keeps the limits' states beside everything else. Absent: they live in the limiters' memory only. */
  readonly limits?: LimitKeeper;
}

/** What the limits remember, on its way to the next process. */
export interface LimitKeeper {
  /**
   * What an earlier process left.
   * @param settings by the limit's name, all that its states depend on; a limit whose settings have changed begins anew
   */
  saved(settings: Readonly<Record<string, string>>): SavedLimits;
  changed(change: LimitChange): void;
  /** Hands over the way to all that still matters, for when what was written down has grown far beyond it. */
  compactWith(save: (now: Micros) => SavedLimits): void;
}

export interface StoreSizes {
  readonly tokens: number;
  readonly conversations: number;
  readonly turns: number;
}
