import type { Micros } from '../base/index.ts';
import type { LimitChange, SavedLimits } from './gate/index.ts';
import type { TurnSchedule } from './turns.ts';

/** A user token without its secret. */
export interface TokenRecord {
  /** Name in the truth report: `t1`, `t2`, … in the order of issue. */
  readonly label: string;
  /** Label of the application. */
  readonly application: string;
  /** external_user_id. */
  readonly user: string;
  /** Key of application and user (`ownerOf`). All tokens of a user share it. */
  readonly owner: string;
  readonly timezone: string;
  readonly issuedAt: Micros;
  /** The first instant at which it is no longer valid. */
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

/** Content of a message. Compared when a client_message_id is sent again. */
export interface MessageContent {
  readonly message: string;
  readonly city?: string;
  readonly commune?: string;
}

export interface TurnRecord {
  readonly id: string;
  /** 0, 1, 2, … in the order of acceptance. Seeds the random streams of the turn. */
  readonly number: number;
  readonly conversation: ConversationRecord;
  readonly clientMessageId: string;
  readonly content: MessageContent;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
  /** Id of the accepted request. The error of a failed turn contains it. */
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

/** The store cannot be reached; nothing was read or written. The service answers with `code`: 500 (internal) or 503 (unavailable). */
export class StoreUnavailable extends Error {
  readonly code: 'internal' | 'unavailable';

  constructor(code: 'internal' | 'unavailable') {
    super('the store cannot be reached');
    this.name = 'StoreUnavailable';
    this.code = code;
  }
}

/** State of a service's clock, for a later process with the same store. */
export interface SavedClock {
  /** The machine's wall clock when the clock showed `serviceUs`. */
  readonly wallUs: Micros;
  readonly serviceUs: Micros;
  /** Service seconds per second from then on; 0 for a manual clock. */
  readonly rate: number;
  /** The latest instant at which the service has decided something. */
  readonly latestUs: Micros;
}

/** The part of a history to read. */
export interface HistoryPage {
  /** Most entries. */
  readonly limit: number;
  /** How many entries to skip from the oldest on. */
  readonly offset: number;
}

/** State of the service. Synchronous, so that a decision and its record are one step. */
export interface Store {
  /**
   * Forgets what retention no longer keeps at `now` (config/retention.ts). Called before every decision, so that the state depends
   * only on the requests and their instants.
   */
  expire(now: Micros): void;

  addToken(secret: string, token: TokenRecord): void;
  findToken(secret: string): TokenRecord | undefined;
  /** @returns how many valid tokens were revoked */
  revoke(selector: RevokeSelector, now: Micros): number;
  tokens(): Iterable<TokenRecord>;
  /** How many tokens were ever issued. */
  readonly tokensIssued: number;

  addConversation(conversation: ConversationRecord): void;
  findConversation(owner: string, id: string): ConversationRecord | undefined;

  addTurn(turn: TurnRecord): void;
  findTurn(id: string): TurnRecord | undefined;
  findTurnByClientMessage(conversation: ConversationRecord, clientMessageId: string): TurnRecord | undefined;
  /** True: an id that was used stands for its first message, whatever is sent under it. Absent: other content is refused. */
  readonly ignoresOtherContent?: boolean;
  turns(): Iterable<TurnRecord>;
  /** How many turns were ever accepted; also the number of the next one. */
  readonly turnsAccepted: number;

  /** Entries visible at `now`, oldest first. */
  history(conversation: ConversationRecord, now: Micros, page: HistoryPage): readonly HistoryEntry[];
  /** The turn whose assistant message this is. */
  findTurnByAnswer(messageId: string): TurnRecord | undefined;
  rate(messageId: string, rating: Rating): void;
  ratingOf(messageId: string): Rating | undefined;

  /** Current number of records. */
  readonly sizes: StoreSizes;

  /** Stores the states of limits. Absent: they are in the limiters' memory only. */
  readonly limits?: LimitKeeper;
}

/** Stores the states of limits for the next process. */
export interface LimitKeeper {
  /**
   * The states that an earlier process has stored.
   * @param settings by name of the limit, everything that its states depend on; a limit with other settings than before is reset
   */
  saved(settings: Readonly<Record<string, string>>): SavedLimits;
  changed(change: LimitChange): void;
  /** Sets the function that returns all relevant states, with which the keeper finds stored states that are obsolete. */
  compactWith(save: (now: Micros) => SavedLimits): void;
}

export interface StoreSizes {
  readonly tokens: number;
  readonly conversations: number;
  readonly turns: number;
}
