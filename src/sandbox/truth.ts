import type { LimitName, OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { Gate } from './gate/index.ts';
import type { Decision } from './limiters/index.ts';
import type { Rating, Store, StoreSizes, TurnRecord } from './store.ts';
import { statusAt, type TurnSchedule, type TurnStatus } from './turns.ts';

/** How one request was decided. */
export interface DecisionRecord {
  readonly at: Micros;
  /** Undefined for an unknown route. */
  readonly operation: OperationId | undefined;
  /** Labels; undefined if the caller is unknown. */
  readonly application: string | undefined;
  readonly user: string | undefined;
  readonly token: string | undefined;
  readonly status: number;
  /** Error code of a refusal. */
  readonly code: string | undefined;
}

/**
 * What really happened at the service, for tests and for calibrating clients. Contains no credentials, tokens or texts of messages.
 * Counts (requests, limits, decisions, replays) are of this process; records also of earlier processes with the same store.
 */
export interface TruthReport {
  /** Service time of the report. */
  readonly at: Micros;
  readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly limits: Readonly<Record<LimitName, { readonly admitted: number; readonly refused: number }>>;
  /** By application label, what the next request would get from the limits with scope `application`. */
  readonly standings: Readonly<Record<string, readonly LimitStanding[]>>;
  readonly tokens: { readonly issued: number; readonly good: number };
  readonly conversations: number;
  /** Number of records that retention has kept. `turns` lists those turns. */
  readonly remembered: StoreSizes;
  readonly turns: readonly TurnTruth[];
  /** The most recent decisions, oldest first. `decisionsForgotten` counts those before them. */
  readonly decisions: readonly DecisionRecord[];
  readonly decisionsForgotten: number;
  /** How often each fault has struck, by rule; absent without faults. */
  readonly faults?: Readonly<Record<string, number>>;
}

interface LimitStanding {
  readonly limit: LimitName;
  /** The limit's name in the headers. */
  readonly name: string;
  readonly decision: Decision;
}

/** A turn with its true instants, including future ones. */
export interface TurnTruth extends TurnSchedule {
  readonly turnId: string;
  readonly conversationId: string;
  readonly application: string;
  readonly user: string;
  readonly clientMessageId: string;
  readonly status: TurnStatus;
  /** How often the message was sent again. */
  readonly replays: number;
  readonly rating?: Rating;
}

const DECISIONS_KEPT = 10_000;

/** Records the decisions of the core. */
export class Truth {
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #limits: Record<LimitName, { admitted: number; refused: number }> = {
    rate: { admitted: 0, refused: 0 },
    concurrency: { admitted: 0, refused: 0 },
    daily: { admitted: 0, refused: 0 },
  };
  /** Weak, so that forgotten turns are collected. */
  readonly #replays = new WeakMap<TurnRecord, number>();
  readonly #decisions: DecisionRecord[] = [];
  #decided = 0;

  admitted(limit: LimitName): void {
    this.#limits[limit].admitted++;
  }

  refused(limit: LimitName): void {
    this.#limits[limit].refused++;
  }

  replayed(turn: TurnRecord): void {
    this.#replays.set(turn, (this.#replays.get(turn) ?? 0) + 1);
  }

  decided(decision: DecisionRecord): void {
    // A ring buffer: the newest overwrites the oldest.
    this.#decisions[this.#decided++ % DECISIONS_KEPT] = decision;
    const operation = decision.operation ?? 'unknown';
    const counts = this.#requests.get(operation) ?? new Map<number, number>();
    counts.set(decision.status, (counts.get(decision.status) ?? 0) + 1);
    this.#requests.set(operation, counts);
  }

  report(store: Store, gate: Gate, applications: readonly string[], now: Micros): TruthReport {
    const oldest = this.#decided > DECISIONS_KEPT ? this.#decided % DECISIONS_KEPT : 0;
    const good = [...store.tokens()].filter((token) => token.revokedAt === undefined && now < token.expiresAt);
    return {
      at: now,
      requests: Object.fromEntries(
        [...this.#requests].map(([operation, counts]) => [operation, Object.fromEntries(counts)]),
      ),
      limits: structuredClone(this.#limits),
      standings: Object.fromEntries(
        applications.map((label) => [
          label,
          gate.standings(label, now).map(({ rule: { limit, name }, decision }) => ({ limit, name, decision })),
        ]),
      ),
      tokens: { issued: store.tokensIssued, good: good.length },
      conversations: store.sizes.conversations,
      remembered: store.sizes,
      turns: [...store.turns()].map((turn): TurnTruth => {
        const rating = store.ratingOf(turn.assistantMessageId);
        return {
          turnId: turn.id,
          conversationId: turn.conversation.id,
          application: turn.conversation.application,
          user: turn.conversation.user,
          clientMessageId: turn.clientMessageId,
          ...turn.schedule,
          status: statusAt(turn.schedule, now),
          replays: this.#replays.get(turn) ?? 0,
          ...(rating !== undefined && { rating }),
        };
      }),
      decisions: [...this.#decisions.slice(oldest), ...this.#decisions.slice(0, oldest)],
      decisionsForgotten: Math.max(0, this.#decided - DECISIONS_KEPT),
    };
  }
}
