import type { LimitName, OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { Gate } from './gate/index.ts';
import type { Decision } from './limiters/index.ts';
import type { Rating, Store, StoreSizes, TurnRecord } from './store.ts';
import { statusAt, type TurnSchedule, type TurnStatus } from './turns.ts';

/** How one request was decided. */
export interface DecisionRecord {
  readonly at: Micros;
  /** Undefined for a route that does not exist. */
  readonly operation: OperationId | undefined;
  /** Labels, undefined where the caller is unknown. */
  readonly application: string | undefined;
  readonly user: string | undefined;
  readonly token: string | undefined;
  readonly status: number;
  /** Error code of a refusal. */
  readonly code: string | undefined;
}

/**
 * What truly happened, for tests and for calibrating a client. Holds no credential, no token and no message's text. What is
 * counted (requests, limits, decisions, replays) is of this process; what is remembered also of earlier ones of the same store.
 */
export interface TruthReport {
  /** Service time of the report. */
  readonly at: Micros;
  readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly limits: Readonly<Record<LimitName, { readonly admitted: number; readonly refused: number }>>;
  /** Per application label, what the next request would meet of the limits that are counted by application. */
  readonly standings: Readonly<Record<string, readonly LimitStanding[]>>;
  readonly tokens: { readonly issued: number; readonly good: number };
  readonly conversations: number;
  /** What retention has left; `turns` below are those. */
  readonly remembered: StoreSizes;
  readonly turns: readonly TurnTruth[];
  /** The last ones, oldest first; `decisionsForgotten` says how many came before them. */
  readonly decisions: readonly DecisionRecord[];
  readonly decisionsForgotten: number;
  /** How often each configured fault has struck, by its rule; absent without faults. */
  readonly faults?: Readonly<Record<string, number>>;
}

export interface LimitStanding {
  readonly limit: LimitName;
  /** The limit's name in the headers. */
  readonly name: string;
  readonly decision: Decision;
}

/** A turn with its true instants, also those that lie ahead. */
export interface TurnTruth extends TurnSchedule {
  readonly turnId: string;
  readonly conversationId: string;
  readonly application: string;
  readonly user: string;
  readonly clientMessageId: string;
  readonly status: TurnStatus;
  /** How often the same message was sent again. */
  readonly replays: number;
  readonly rating?: Rating;
}

const DECISIONS_KEPT = 10_000;

/** Counts what the core decides. */
export class Truth {
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #limits: Record<LimitName, { admitted: number; refused: number }> = {
    rate: { admitted: 0, refused: 0 },
    concurrency: { admitted: 0, refused: 0 },
    daily: { admitted: 0, refused: 0 },
  };
  /** Goes with the turns themselves. */
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
    // A ring: the newest overwrites the oldest.
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
