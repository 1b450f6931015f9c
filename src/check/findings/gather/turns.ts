import type { Exchange, JournalRecord, ProfileWords } from '../../../history/index.ts';
import { floatRegister, Names, rowRegister } from '../../columns.ts';
import type { Evidence, KnownRows } from '../../evidence.ts';
import type { Reference } from '../reference.ts';

/** A turn as one answer showed it. */
export interface Sighting extends Reference {
  readonly sentAt: number;
  readonly status: string;
}

/** An end as one answer showed it. */
export interface EndSighting extends Sighting {
  /** The last byte: by then the service had said it. */
  readonly receivedAt: number;
}

/** A result: the messages that an answer names. */
export interface ResultSighting extends Sighting {
  readonly user: string;
  readonly assistant: string;
}

/**
 * What showed of one turn. Of each sort of sighting the one that proves most is kept: of an open turn the poll sent last, of an
 * end the answer received first, else the answer sent first.
 */
export interface TurnSightings {
  readonly id: string;
  readonly open?: Sighting;
  readonly completed?: EndSighting;
  readonly failed?: EndSighting;
  /** First event of the stream, run µs. */
  readonly completedOnStream?: number;
  readonly failedOnStream?: number;
  /** Completed without a message; failed without an error. */
  readonly completedBare?: Sighting;
  readonly failedBare?: Sighting;
  /** The first answer that had a result, and one that had another. */
  readonly result?: ResultSighting;
  readonly otherResult?: Sighting;
  /** An answer that names another conversation than the one asked about. */
  readonly elsewhere?: Sighting & { readonly conversation: string };
  /** The handshake of the stream that was sent first. */
  readonly handshake?: Sighting;
}

/** What may have showed of a turn. */
export type Shown = Exclude<keyof TurnSightings, 'id'>;

export interface TurnBook {
  readonly get: (id: string) => TurnSightings | undefined;
  /** The turns of which all of these showed, in order of their first mention. */
  readonly having: (...shown: readonly Shown[]) => Iterable<TurnSightings>;
}

/** Members that are an exchange each. */
const seen = [
  'open',
  'completed',
  'failed',
  'completedBare',
  'failedBare',
  'result',
  'otherResult',
  'elsewhere',
  'handshake',
] as const satisfies readonly Shown[];
type Seen = (typeof seen)[number];
const onStream = ['completedOnStream', 'failedOnStream'] as const satisfies readonly Shown[];
type ShownTurn = NonNullable<Exchange['turn']>;

/** Rows by number of turn, from 1; some hundred bytes a turn, and none for a poll that shows nothing new. */
type Registers = Readonly<Record<Seen, ReturnType<typeof rowRegister>>>;

export class TurnGatherer {
  readonly #words: ProfileWords['turns'];
  readonly #rows: KnownRows;
  readonly #seen = Object.fromEntries(seen.map((name) => [name, rowRegister()])) as unknown as Registers;
  readonly #streamed = {
    completedOnStream: floatRegister(Number.POSITIVE_INFINITY),
    failedOnStream: floatRegister(Number.POSITIVE_INFINITY),
  };
  readonly #receivedAt = {
    completed: floatRegister(Number.POSITIVE_INFINITY),
    failed: floatRegister(Number.POSITIVE_INFINITY),
  };
  /** What answers called it, where that is told. */
  readonly #statuses = new Names<string>();
  readonly #status = { open: rowRegister(), completed: rowRegister(), failed: rowRegister() };
  readonly #results: (readonly [user: string, assistant: string] | undefined)[] = [];
  readonly #elsewhere = new Map<number, string>();
  /** The highest number of a turn that showed anything. */
  #last = 0;

  constructor(words: ProfileWords, rows: KnownRows) {
    this.#words = words.turns;
    this.#rows = rows;
  }

  /** @param row of an exchange in the evidence; `turn`: number of the turn that the record names */
  add(record: JournalRecord, row: number, turn: number): void {
    if (turn > this.#last) this.#last = turn;
    if (record.kind === 'stream') {
      if (record.event !== 'completed' && record.event !== 'failed') return;
      const register = this.#streamed[record.event === 'completed' ? 'completedOnStream' : 'failedOnStream'];
      register.set(turn, Math.min(register.get(turn), record.at));
    } else if (record.kind === 'exchange' && record.turn && record.outcome === 'answered')
      this.#see(record, record.turn, row, turn);
  }

  #see(exchange: Exchange, shown: ShownTurn, row: number, turn: number): void {
    const { operation } = exchange;
    if (operation === 'openStream') this.#keepFirst('handshake', row, turn);
    if (operation !== 'readTurn' && operation !== 'sendMessage') return;
    const { conversation, status = '' } = shown;
    if (conversation !== undefined && this.#keepFirst('elsewhere', row, turn)) this.#elsewhere.set(turn, conversation);
    const state = this.#endOf(status);
    if (state) this.#keepEnd(state, exchange, row, turn);
    // A 202 may be a copy of the first answer to this message: that it says "queued" shows nothing.
    if (operation !== 'readTurn') return;
    if (!state && this.#words.open.includes(status)) this.#keepOpen(status, row, turn);
    if (state === 'completed' && shown.userMessageId === undefined) this.#keepFirst('completedBare', row, turn);
    if (state === 'failed' && shown.error === undefined) this.#keepFirst('failedBare', row, turn);
    this.#seeResult(shown, row, turn);
  }

  #endOf(status: string): 'completed' | 'failed' | undefined {
    if (this.#words.completed.includes(status)) return 'completed';
    return this.#words.failed.includes(status) ? 'failed' : undefined;
  }

  #keepOpen(status: string, row: number, turn: number): void {
    const known = this.#seen.open.get(turn);
    if (known !== 0 && !this.#isSentEarlier(known - 1, row)) return;
    this.#seen.open.set(turn, row + 1);
    this.#status.open.set(turn, this.#statuses.of(status));
  }

  #keepEnd(state: 'completed' | 'failed', exchange: Exchange, row: number, turn: number): void {
    const known = this.#seen[state].get(turn);
    const laterBy = exchange.receivedAt - this.#receivedAt[state].get(turn);
    if (known !== 0 && (laterBy > 0 || (laterBy === 0 && this.#compare(row, known - 1) > 0))) return;
    this.#seen[state].set(turn, row + 1);
    this.#receivedAt[state].set(turn, exchange.receivedAt);
    this.#status[state].set(turn, this.#statuses.of(exchange.turn?.status ?? ''));
  }

  #seeResult({ userMessageId: user, assistantMessageId: assistant }: ShownTurn, row: number, turn: number): void {
    if (user === undefined || assistant === undefined) return;
    const before = this.#results[turn];
    const known = this.#seen.result.get(turn);
    const isFirst = known === 0 || this.#isSentEarlier(row, known - 1);
    if (before && (before[0] !== user || before[1] !== assistant)) {
      if (!isFirst) this.#keepFirst('otherResult', row, turn);
      else this.#seen.otherResult.set(turn, known);
    }
    if (!isFirst) return;
    this.#seen.result.set(turn, row + 1);
    this.#results[turn] = before && before[0] === user && before[1] === assistant ? before : [user, assistant];
  }

  /** Keeps the exchange that was sent first. @returns whether it is this one */
  #keepFirst(name: Seen, row: number, turn: number): boolean {
    const known = this.#seen[name].get(turn);
    if (known !== 0 && !this.#isSentEarlier(row, known - 1)) return false;
    this.#seen[name].set(turn, row + 1);
    return true;
  }

  #isSentEarlier(a: number, b: number): boolean {
    const { sentAt } = this.#rows;
    return (sentAt.at(a) - sentAt.at(b) || this.#compare(a, b)) < 0;
  }

  #compare(a: number, b: number): number {
    const { worker, seq } = this.#rows;
    return worker.at(a) - worker.at(b) || seq.at(a) - seq.at(b);
  }

  /** Without what doubtful records showed; a turn then has less to show, which is only ever in its favour. */
  finish(evidence: Evidence): TurnBook {
    const rowOf = (name: Seen, turn: number) => {
      const row = this.#seen[name].get(turn) - 1;
      return row >= 0 && evidence.doubtful[row] === 0 ? row : -1;
    };
    const isSeen = (name: Shown): name is Seen => (seen as readonly string[]).includes(name);
    const has = (name: Shown, turn: number) =>
      isSeen(name) ? rowOf(name, turn) >= 0 : Number.isFinite(this.#streamed[name].get(turn));
    const sightings = (turn: number) => this.#sightings(turn, rowOf, evidence);
    const last = this.#last;
    return {
      get: (id) => {
        const turn = evidence.turnIds.find(id);
        return turn === 0 || turn > last ? undefined : sightings(turn);
      },
      *having(...shown) {
        for (let turn = 1; turn <= last; turn++) if (shown.every((name) => has(name, turn))) yield sightings(turn);
      },
    };
  }

  #sightings(turn: number, rowOf: (name: Seen, turn: number) => number, evidence: Evidence): TurnSightings {
    const { worker, seq, sentAt } = evidence;
    const members: Record<string, unknown> = { id: evidence.turnIds.name(turn) ?? '' };
    for (const name of seen) {
      const row = rowOf(name, turn);
      if (row < 0) continue;
      const [user, assistant] = this.#results[turn] ?? [];
      const isEnd = name === 'completed' || name === 'failed';
      const status = isEnd || name === 'open' ? (this.#statuses.name(this.#status[name].get(turn)) ?? '') : '';
      members[name] = {
        worker: worker[row],
        seq: seq[row],
        sentAt: sentAt[row],
        status,
        ...(isEnd && { receivedAt: this.#receivedAt[name].get(turn) }),
        ...(name === 'result' && { user, assistant }),
        ...(name === 'elsewhere' && { conversation: this.#elsewhere.get(turn) }),
      };
    }
    for (const name of onStream) {
      const at = this.#streamed[name].get(turn);
      if (Number.isFinite(at)) members[name] = at;
    }
    return members as unknown as TurnSightings;
  }
}
