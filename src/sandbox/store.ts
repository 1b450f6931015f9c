import type { Micros } from '../base/index.ts';
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

/** All that the service remembers, besides its limits. Synchronous, so that a decision and its record are one step. */
export interface Store {
  addToken(secret: string, token: TokenRecord): void;
  findToken(secret: string): TokenRecord | undefined;
  /** @returns how many tokens were good until now */
  revoke(selector: RevokeSelector, now: Micros): number;
  tokens(): Iterable<TokenRecord>;
  /** How many were ever issued. */
  readonly tokensIssued: number;

  addConversation(conversation: ConversationRecord): void;
  findConversation(owner: string, id: string): ConversationRecord | undefined;
  readonly conversationCount: number;

  addTurn(turn: TurnRecord): void;
  findTurn(id: string): TurnRecord | undefined;
  findTurnByClientMessage(conversation: ConversationRecord, clientMessageId: string): TurnRecord | undefined;
  turns(): Iterable<TurnRecord>;
  readonly turnCount: number;

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
}
