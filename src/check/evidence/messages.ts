import type { Exchange } from '../../history/index.ts';
import { bytes, Names, words } from './columns.ts';
import { Contents } from './contents.ts';
import { Answer, Replay } from './evidence.ts';
import { Pairs } from './pairs.ts';
import type { Rows } from './rows.ts';

/** `resend`: the client says that it sends the message again. `attempt`: the client says that there were earlier attempts. */
const AGAIN = { attempt: 1, resend: 2 } as const;

/** Assigns numbers to messages and turns. */
export class Messages {
  readonly turns = new Names<string>();
  /** Messages with several attempts. */
  readonly repeated = new Set<number>();
  /**
   * Messages that have the same client_message_id as an earlier one, with the first that has it, according to the profile or if
   * the profile is silent. The specification (section 4.3) does not say within what scope an id is unique, and the service may
   * treat them as one.
   */
  readonly sameId = new Map<number, number>();
  /** By row, a content that differs from the one recorded first: few rows have one. */
  readonly others = new Map<number, number>();
  /** By row, what the record says about itself: `AGAIN` bits. */
  readonly #again = bytes();
  readonly #ids = new Names<string>();
  /** By number of the id, from 1: the first message that has it. */
  readonly #firstWithId = words();
  readonly #messages = new Pairs();
  readonly #contents = new Contents();
  /** The last turn named at each place: a turn is polled again and again, and comparing is faster than a look-up. */
  readonly #lastTurn: { readonly id: string; readonly number: number }[] = [];

  /**
   * @param within number of the scope within which the client_message_id is unique; `row` is the last row of the columns, its
   * place already set
   */
  add({ operation, message, resend, attempt, turn }: Exchange, within: number, columns: Rows, row: number): void {
    if (turn !== undefined) columns.turn[row] = this.#turn(turn.id, columns.place[row] as number);
    this.#again.push((attempt > 1 ? AGAIN.attempt : 0) | (resend !== undefined ? AGAIN.resend : 0));
    if (message === undefined || operation !== 'sendMessage') return;
    const known = this.#messages.size;
    const id = this.#ids.of(message.id);
    const number = this.#messages.of(within, id);
    if (number > known) this.#noteId(id, number);
    columns.message[row] = number;
    // A later attempt is marked too, unless the records turn out to contain the first.
    if (resend !== undefined || attempt > 1) columns.replay[row] = Replay.marked;
    if (number <= known) this.repeated.add(number);
    const content = this.#contents.another(number, message.digest);
    if (content === undefined) return;
    columns.otherContent[row] = 1;
    this.others.set(row, content);
  }

  #noteId(id: number, message: number): void {
    if (id > this.#firstWithId.size) {
      this.#firstWithId.push(message);
      return;
    }
    const first = this.#firstWithId.at(id - 1);
    this.sameId.set(message, first);
    this.repeated.add(first).add(message);
  }

  /** See `Evidence.sameId`: the group is named by its first message. */
  groupsOfId(): ReadonlyMap<number, number> {
    const firsts = [...new Set(this.sameId.values())].map((first) => [first, first] as const);
    return new Map([...this.sameId, ...firsts]);
  }

  get again(): Uint8Array {
    return this.#again.values();
  }

  #turn(id: string, place: number): number {
    const last = this.#lastTurn[place];
    if (last?.id === id) return last.number;
    const number = this.turns.of(id);
    this.#lastTurn[place] = { id, number };
    return number;
  }
}

/**
 * Of several attempts at one message, only the first to be sent is certainly no replay; none is, if it is unknown which was first
 * or if its record is missing. Nor is it, if another attempt from another place or with another content was sent before this one
 * was decided: that one may have counted in its own bucket, or may be the reason for the refusal.
 */
export function markRepeats(
  rows: Rows,
  { repeated, sameId, again, others }: Pick<Messages, 'repeated' | 'sameId' | 'again' | 'others'>,
): void {
  if (repeated.size === 0) return;
  const { replay, message, doubtful } = rows;
  const oneOf = (number: number) => sameId.get(number) ?? number;
  const first = firstOfEach(rows, repeated, oneOf);
  markOthers(rows, sameId.size === 0 ? first : firstOfEach(rows, repeated, (number) => number), others);
  for (let row = 0; row < message.length; row++)
    if (repeated.has(message[row] as number))
      replay[row] = ((again[row] as number) & AGAIN.resend) === 0 ? Replay.perhaps : Replay.marked;
  const rivalled = rivalledIn(rows, first, oneOf);
  for (const [number, row] of first) {
    if (((again[row] as number) & AGAIN.attempt) !== 0) replay[row] = Replay.marked;
    else if (replay[row] === Replay.perhaps && doubtful[row] === 0 && !rivalled.has(number)) replay[row] = Replay.no;
  }
  markSameId(rows, first, sameId);
}

/**
 * If messages share an id, attempts at the others may repeat the first message. So may the attempts at the first message itself,
 * unless its first attempt was certainly sent first and accepted: the service may have charged another message for a later
 * attempt.
 */
function markSameId(
  { replay, message, answer }: Rows,
  first: ReadonlyMap<number, number>,
  sameId: ReadonlyMap<number, number>,
): void {
  if (sameId.size === 0) return;
  const groups = new Set(sameId.values());
  for (let row = 0; row < message.length; row++) {
    const number = message[row] as number;
    const group = sameId.get(number) ?? number;
    const one = groups.has(group) ? first.get(group) : undefined;
    if (one === undefined) continue;
    const isSure = replay[one] === Replay.no && answer[one] === Answer.admitted;
    if (message[one] !== number || !isSure) replay[row] = Replay.marked;
  }
}

/** The other contents of a message are those with which it was not sent first, whichever was recorded first. */
function markOthers(
  { message, otherContent }: Rows,
  first: ReadonlyMap<number, number>,
  others: ReadonlyMap<number, number>,
): void {
  const changed = new Set([...others.keys()].map((row) => message[row] as number));
  const turned = new Map(
    [...changed].flatMap((number) => {
      const content = others.get(first.get(number) ?? -1);
      return content === undefined ? [] : [[number, content] as const];
    }),
  );
  if (turned.size === 0) return;
  for (let row = 0; row < message.length; row++) {
    const content = turned.get(message[row] as number);
    if (content !== undefined) otherContent[row] = others.get(row) === content ? 0 : 1;
  }
}

/** Row of the first attempt to be sent, by message. */
function firstOfEach(
  { message, sentAt, seq, doubtful }: Rows,
  repeated: ReadonlySet<number>,
  oneOf: (message: number) => number,
): Map<number, number> {
  const first = new Map<number, number>();
  const when = (row: number) => (doubtful[row] === 1 ? Number.NEGATIVE_INFINITY : (sentAt[row] as number));
  const isBefore = (a: number, b: number) =>
    when(a) < when(b) || (when(a) === when(b) && (seq[a] as number) < (seq[b] as number));
  for (let row = 0; row < message.length; row++) {
    const number = message[row] as number;
    if (!repeated.has(number)) continue;
    const known = first.get(oneOf(number));
    if (known === undefined || isBefore(row, known)) first.set(oneOf(number), row);
  }
  return first;
}

/** Messages for which an attempt of another place or content was sent before the first attempt may have been decided. */
function rivalledIn(
  { message, place, otherContent, sentAt, until, doubtful }: Rows,
  first: ReadonlyMap<number, number>,
  oneOf: (message: number) => number,
): ReadonlySet<number> {
  const rivalled = new Set<number>();
  for (let row = 0; row < message.length; row++) {
    const number = oneOf(message[row] as number);
    const one = first.get(number);
    if (one === undefined || one === row) continue;
    // If neither of two contents is the one recorded first, it is not stored which of them a row has.
    const differs = place[row] !== place[one] || otherContent[row] === 1 || otherContent[one] === 1;
    if (differs && (doubtful[row] === 1 || (sentAt[row] as number) <= (until[one] as number))) rivalled.add(number);
  }
  return rivalled;
}
