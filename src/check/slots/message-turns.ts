import { Answer, type Evidence, mayBeTaken, Replay } from '../evidence/evidence.ts';
import { promisesOf } from '../evidence/promises.ts';

/** What the other attempts at a message say about one of them. */
export interface Standing {
  /**
   * Every answer to the message names the same turn, and all its attempts, including the first, belong to one token and one
   * conversation.
   */
  readonly alone: boolean;
  /** No other attempt can have made the turn before this one. */
  readonly first: boolean;
}

/** Of a message whose attempts so far are not all refusals, numbered without a gap. */
const NOT_ONLY_REFUSED = 255;

/** Flags of a message. */
const ANSWERED = 1;
/** Its attempts belong to several tokens or conversations, or it was sent before the history began, by an unknown sender. */
const SPREAD = 2;
/** Some attempt had another content, or may have had for the service: another message has the same client_message_id. */
const CHANGED = 4;

/** Which turn each message became, over all its attempts. Columns by number of turn and of message: there may be a million. */
export class MessageTurns {
  readonly #evidence: Evidence;
  readonly #sameTurn: boolean;
  /** By number of turn: 1 + the row of the first-sent attempt whose answer names it, and its end. */
  readonly #firstNaming: Uint32Array;
  readonly #ends: Float64Array;
  /**
   * By number of message: 1 + the row of its first attempt, and 1 + the row of the first attempt that may have become a turn; 0
   * is none.
   */
  readonly #firstAttempt: Uint32Array;
  readonly #firstHolder: Uint32Array;
  /** By number of message: the turn that every answer names; 0 if no answer names one or they differ. */
  readonly #turnOfMessage: Uint32Array;
  readonly #flags: Uint8Array;
  /** By number of message: how many attempts the service has refused if it has answered none otherwise, or `NOT_ONLY_REFUSED`. */
  readonly #refused: Uint8Array;
  /** By number of message: 1 + the row of the attempt that was accepted after all before it were refused; 0 is none. */
  readonly #afterRefusals: Uint32Array;

  /** @param rows of messages sent, rising in `from` */
  constructor(evidence: Evidence, rows: Uint32Array) {
    this.#evidence = evidence;
    this.#sameTurn = promisesOf(evidence.header.profile).idempotency.sameTurn === true;
    let [turns, messages] = [1, 1];
    for (const row of rows) {
      turns = Math.max(turns, (evidence.turn[row] as number) + 1);
      messages = Math.max(messages, (evidence.message[row] as number) + 1);
    }
    this.#firstNaming = new Uint32Array(turns);
    this.#ends = new Float64Array(turns).fill(Number.POSITIVE_INFINITY);
    this.#firstAttempt = new Uint32Array(messages);
    this.#firstHolder = new Uint32Array(messages);
    this.#turnOfMessage = new Uint32Array(messages);
    this.#flags = new Uint8Array(messages);
    this.#refused = new Uint8Array(messages);
    this.#afterRefusals = new Uint32Array(messages);
    for (const row of rows) {
      if (evidence.answer[row] === Answer.admitted) this.#addTurn(row);
      if (evidence.message[row] === 0) continue;
      this.#addAttempt(row);
      this.#followRefusals(row);
    }
  }

  #addTurn(row: number): void {
    const { turn, turns, timeline } = this.#evidence;
    const number = turn[row] as number;
    if (!turns.isKnown(number) || this.#firstNaming[number] !== 0) return;
    this.#firstNaming[number] = row + 1;
    const to = turns.finishedAt(number);
    if (Number.isFinite(to)) this.#ends[number] = timeline.at(to + 1);
  }

  #addAttempt(row: number): void {
    const { message, place, answer, doubtful, otherContent, replay, sameId } = this.#evidence;
    const number = message[row] as number;
    if (this.#firstAttempt[number] === 0) this.#firstAttempt[number] = row + 1;
    const first = (this.#firstAttempt[number] as number) - 1;
    if (place[first] !== place[row] || replay[first] === Replay.marked) this.#flag(number, SPREAD);
    if (otherContent[row] === 1 || sameId.has(number)) this.#flag(number, CHANGED);
    if (this.#firstHolder[number] === 0 && doubtful[row] === 0 && mayBeTaken(this.#evidence, row))
      this.#firstHolder[number] = row + 1;
    if (answer[row] !== Answer.admitted) return;
    const turn = this.of(row);
    const differs = this.#has(number, ANSWERED) && this.#turnOfMessage[number] !== turn;
    this.#turnOfMessage[number] = differs ? 0 : turn;
    this.#flag(number, ANSWERED);
  }

  #followRefusals(row: number): void {
    const { message, answer, attempt, replay } = this.#evidence;
    const number = message[row] as number;
    const before = this.#refused[number] as number;
    const isNext = attempt[row] === before + 1 && replay[row] !== Replay.marked;
    this.#refused[number] = isNext && answer[row] === Answer.refused ? before + 1 : NOT_ONLY_REFUSED;
    if (isNext && before > 0 && answer[row] === Answer.admitted) this.#afterRefusals[number] = row + 1;
  }

  #flag(message: number, flag: number): void {
    this.#flags[message] = (this.#flags[message] as number) | flag;
  }

  #has(message: number, flag: number): boolean {
    return ((this.#flags[message] as number) & flag) !== 0;
  }

  /** Number of the turn that the answer to an attempt names; 0 if nothing is known of it. */
  of(row: number): number {
    const number = this.#evidence.turn[row] as number;
    return this.#firstNaming[number] === 0 ? 0 : number;
  }

  /** Whether no attempt whose answer names the same turn was sent earlier. */
  namesFirst(row: number): boolean {
    return this.#firstNaming[this.of(row)] === row + 1;
  }

  /**
   * Until when the attempt may hold a slot: until the end of the turn that its answer names, or for ever. If resends certainly
   * return the same turn, all attempts share one slot, represented by the first; the others hold none. If attempts are counted in
   * several buckets, it is unknown which made the turn: each may hold a slot until the turn's end.
   */
  heldUntil(row: number): number {
    const message = this.#evidence.message[row] as number;
    const turn = this.#turnOfMessage[message] as number;
    const holder = this.#firstHolder[message] as number;
    const believed = this.#evidence.doubtful[row] === 0;
    if (this.#sameTurn && turn !== 0 && holder !== 0 && believed && !this.#has(message, CHANGED))
      return holder === row + 1 || this.isSpread(row) ? (this.#ends[turn] as number) : Number.NEGATIVE_INFINITY;
    const own = this.#evidence.answer[row] === Answer.admitted ? this.of(row) : 0;
    return own === 0 ? Number.POSITIVE_INFINITY : (this.#ends[own] as number);
  }

  /** Whether attempts at the message may be counted in different buckets. */
  isSpread(row: number): boolean {
    return this.#has(this.#evidence.message[row] as number, SPREAD);
  }

  /** If a message has several turns or was sent for several buckets, it is unknown which turn took which slot. */
  standing(row: number): Standing {
    const message = this.#evidence.message[row] as number;
    const turn = this.#turnOfMessage[message] as number;
    const alone = turn !== 0 && turn === this.of(row) && !this.isSpread(row);
    const isFirst = this.#firstAttempt[message] === row + 1 && this.#evidence.replay[row] === Replay.no;
    const followsRefusals = this.#afterRefusals[message] === row + 1 && !this.#has(message, CHANGED);
    return { alone, first: alone && (isFirst || followsRefusals) };
  }
}
