import type { Exchange } from '../history/index.ts';
import { bytes, Names, words } from './columns.ts';
import { Contents } from './contents.ts';
import { Answer, Replay } from './evidence.ts';
import { Pairs } from './pairs.ts';
import type { Rows } from './rows.ts';

/** `resend`: the client says that it sends the message again; `attempt`: that there were attempts before. */
const AGAIN = { attempt: 1, resend: 2 } as const;

/** Numbers messages and turns. */
export class Messages {
  readonly turns = new Names<string>();
  /** Those of which there are several attempts. */
  readonly repeated = new Set<number>();
  /**
   * Messages that share their client_message_id with one before, by what the profile says or leaves unsaid, and the first that has it: within
   * what an id is unique the specification does not show (section 4.3), and the service may take them for one.
   */
  readonly sameId = new Map<number, number>();
  /** By row, the content that is not the one recorded first: few have one. */
  readonly others = new Map<number, number>();
  /** By row, what the record says of itself: `AGAIN` bits. */
  readonly #again = bytes();
  readonly #ids = new Names<string>();
  /** By number of the id, from 1: the first message that has it. */
  readonly #firstWithId = words();
  readonly #messages = new Pairs();
  readonly #contents = new Contents();
  /** The turn that was last named at each place: a turn is polled again and again, and comparing is quicker than finding. */
  readonly #lastTurn: { readonly id: string; readonly number: number }[] = [];

  /** @param within number of what the client_message_id is unique in; `row` is the last of the columns, its place there already */
  add({ message, resend, attempt, turn }: Exchange, within: number, columns: Rows, row: number): void {
    if (turn !== undefined) columns.turn[row] = this.#turn(turn.id, columns.place[row] as number);
    this.#again.push((attempt > 1 ? AGAIN.attempt : 0) | (resend !== undefined ? AGAIN.resend : 0));
    if (message === undefined) return;
    const known = this.#messages.size;
    const id = this.#ids.of(message.id);
    const number = this.#messages.of(within, id);
    if (number > known) this.#noteId(id, number);
    columns.message[row] = number;
    // A later attempt is one, too, unless the records turn out to have the first.
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
 * Of several attempts at one message, only the first to be sent is surely no replay; none, where nobody knows which that is, or
 * where the records lack it. Nor is it where another, from another place or with another content, was sent before it was decided: that
 * one may have counted, in a bucket of its own, or may be what it was refused for.
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
 * Of messages that share an id, those that the first attempt of all is none of may be that one again; so may its own where it is not sure that it
 * was the first, or that it was taken: what came of a later attempt, another message may have been charged for.
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

/** The other contents of a message are those that it was not sent with first, whichever was recorded first. */
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

/** Rows of the first attempts to be sent, by message. */
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

/** Messages of which another attempt, of another place or content, was sent before the first may have been decided. */
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
    // Which of two contents a row has that are not the first recorded one, is not kept.
    const differs = place[row] !== place[one] || otherContent[row] === 1 || otherContent[one] === 1;
    if (differs && (doubtful[row] === 1 || (sentAt[row] as number) <= (until[one] as number))) rivalled.add(number);
  }
  return rivalled;
}
