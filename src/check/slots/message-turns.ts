import type { Turn } from '../../history/index.ts';
import { Answer, type Evidence } from '../evidence.ts';
import { idempotencyOf } from '../idempotency.ts';

export interface KnownTurn {
  readonly turn: Turn;
  /** Row of the acceptance that was sent first. */
  readonly first: number;
  /** Seen finished by then, service µs; +∞ when not. */
  readonly end: number;
}

/** What a message's other attempts say of one of them. */
export interface Standing {
  /** Every answer to the message names one turn, and all its attempts belong to one token and one conversation. */
  readonly alone: boolean;
  /** No attempt may have made the turn before this one. */
  readonly first: boolean;
}

/**
 * Answers that say that no turn came of the message (specification section 7; 404 as every service has it). It may have held
 * a slot until then, not longer.
 */
const NO_TURN: readonly number[] = [401, 404, 413, 422];

export function mayBecomeTurn({ answer, doubtful, status }: Evidence, row: number): boolean {
  if (answer[row] === Answer.refused) return false;
  return doubtful[row] === 1 || answer[row] === Answer.admitted || !NO_TURN.includes(status[row] as number);
}

interface MessageFacts {
  /** Of all attempts, and of those that may have become a turn: the first. */
  readonly firstAttempt: number;
  firstHolder: number | undefined;
  /** The turn that every answer names; `undefined` where none does or they differ. */
  turn: KnownTurn | undefined;
  answered: boolean;
  /** Its attempts belong to several tokens or conversations. */
  spread: boolean;
  /** Some attempt had another content. */
  changed: boolean;
}

/** Which turn each message became, over all its attempts. */
export class MessageTurns {
  readonly #evidence: Evidence;
  readonly #known = new Map<string, KnownTurn>();
  readonly #messages = new Map<number, MessageFacts>();
  readonly #sameTurn: boolean;

  /** @param rows of messages sent, rising in `from` */
  constructor(evidence: Evidence, rows: readonly number[]) {
    this.#evidence = evidence;
    this.#sameTurn = idempotencyOf(evidence.header.profile).sameTurn;
    const turns = new Map(evidence.turns().map((turn) => [turn.id, turn]));
    for (const row of rows) {
      this.#addTurn(row, turns);
      if (evidence.message[row] !== 0) this.#addAttempt(row);
    }
  }

  #addTurn(row: number, turns: ReadonlyMap<string, Turn>): void {
    const { answer, timeline } = this.#evidence;
    const id = this.#idOf(row);
    if (answer[row] !== Answer.admitted || id === undefined || this.#known.has(id)) return;
    const turn = turns.get(id);
    if (!turn) return;
    const { to } = turn.possible;
    this.#known.set(id, { turn, first: row, end: to === undefined ? Number.POSITIVE_INFINITY : timeline.at(to + 1) });
  }

  #addAttempt(row: number): void {
    const { message, token, conversation, answer, doubtful, otherContent } = this.#evidence;
    const number = message[row] as number;
    const facts = this.#messages.get(number) ?? newFacts(row);
    this.#messages.set(number, facts);
    const other = facts.firstAttempt;
    if (token[other] !== token[row] || conversation[other] !== conversation[row]) facts.spread = true;
    if (otherContent[row] === 1) facts.changed = true;
    if (doubtful[row] === 0 && mayBecomeTurn(this.#evidence, row)) facts.firstHolder ??= row;
    if (answer[row] !== Answer.admitted) return;
    const turn = this.of(row);
    facts.turn = facts.answered && facts.turn !== turn ? undefined : turn;
    facts.answered = true;
  }

  #idOf(row: number): string | undefined {
    return this.#evidence.turnOf(this.#evidence.turn[row] as number);
  }

  /** The turn that the answer to an attempt names. */
  of(row: number): KnownTurn | undefined {
    const id = this.#idOf(row);
    return id === undefined ? undefined : this.#known.get(id);
  }

  /**
   * Until when the attempt may hold a slot: its own turn's end, if its answer names one; else for ever. Where resends surely
   * return the same turn, all attempts hold one slot together, which the first of them stands for; the others then hold none.
   */
  heldUntil(row: number): number {
    const facts = this.#messages.get(this.#evidence.message[row] as number);
    const believed = this.#evidence.doubtful[row] === 0;
    if (this.#sameTurn && facts?.turn && !facts.changed && facts.firstHolder !== undefined && believed)
      return facts.firstHolder === row ? facts.turn.end : Number.NEGATIVE_INFINITY;
    const answered = this.#evidence.answer[row] === Answer.admitted;
    return (answered ? this.of(row)?.end : undefined) ?? Number.POSITIVE_INFINITY;
  }

  /** Of a message with several turns, or sent for several buckets, nobody knows which turn took which slot. */
  isAlone(row: number): Standing {
    const facts = this.#messages.get(this.#evidence.message[row] as number);
    if (!facts) return { alone: false, first: false };
    const alone = !facts.spread && facts.turn !== undefined && facts.turn === this.of(row);
    return { alone, first: alone && facts.firstAttempt === row && this.#evidence.replay[row] === 0 };
  }
}

const newFacts = (row: number): MessageFacts => ({
  firstAttempt: row,
  firstHolder: undefined,
  turn: undefined,
  answered: false,
  spread: false,
  changed: false,
});
