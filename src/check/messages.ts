import type { Exchange } from '../history/index.ts';
import { bytes, Names } from './columns.ts';
import { Contents } from './contents.ts';
import { Replay } from './evidence.ts';
import { Pairs } from './pairs.ts';
import type { Rows } from './rows.ts';

/** Numbers messages and turns. */
export class Messages {
  readonly turns = new Names<string>();
  /** Those of which there are several attempts. */
  readonly repeated = new Set<number>();
  /** By row: 1 is a later attempt than the first. */
  readonly #later = bytes();
  readonly #ids = new Names<string>();
  readonly #messages = new Pairs();
  readonly #contents = new Contents();
  /** The turn that was last named at each place: a turn is polled again and again, and comparing is quicker than finding. */
  readonly #lastTurn: { readonly id: string; readonly number: number }[] = [];

  /** @param within number of what the client_message_id is unique in; `row` is the last of the columns, its place there already */
  add({ message, resend, attempt, turn }: Exchange, within: number, columns: Rows, row: number): void {
    if (turn !== undefined) columns.turn[row] = this.#turn(turn.id, columns.place[row] as number);
    this.#later.push(attempt > 1 ? 1 : 0);
    if (message === undefined) return;
    const known = this.#messages.size;
    const number = this.#messages.of(within, this.#ids.of(message.id));
    columns.message[row] = number;
    // A later attempt of which the records lack the first may be one, too.
    const isAgain = resend !== undefined || (attempt > 1 && number > known);
    if (isAgain) columns.replay[row] = Replay.marked;
    if (number <= known) this.repeated.add(number);
    if (this.#contents.differs(number, message.digest)) columns.otherContent[row] = 1;
  }

  get later(): Uint8Array {
    return this.#later.values();
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
 * where the records lack it.
 */
export function markRepeats(
  { replay, message, sentAt, seq, doubtful }: Rows,
  { repeated, later }: Pick<Messages, 'repeated' | 'later'>,
): void {
  if (repeated.size === 0) return;
  const first = new Map<number, number>();
  const when = (row: number) => (doubtful[row] === 1 ? Number.NEGATIVE_INFINITY : (sentAt[row] as number));
  const isBefore = (a: number, b: number) =>
    when(a) < when(b) || (when(a) === when(b) && (seq[a] as number) < (seq[b] as number));
  for (let row = 0; row < message.length; row++) {
    const number = message[row] as number;
    if (!repeated.has(number)) continue;
    const known = first.get(number);
    if (known === undefined || isBefore(row, known)) first.set(number, row);
    if (replay[row] === Replay.no) replay[row] = Replay.perhaps;
  }
  for (const row of first.values()) {
    if (later[row] === 1) replay[row] = Replay.marked;
    else if (replay[row] === Replay.perhaps && doubtful[row] === 0) replay[row] = Replay.no;
  }
}
