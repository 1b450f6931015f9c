import { canonicalUuid } from '../../../api/index.ts';
import type { Exchange, ProfileWords, StreamRecord } from '../../../history/index.ts';
import { floatRegister, Names, rowRegister } from '../../columns.ts';
import type { Evidence } from '../../evidence.ts';
import type { KnownRows } from '../../rows.ts';
import { type TurnStatus, turnStatuses } from '../../turn-statuses.ts';
import {
  rowOf,
  type Seen,
  type Shown,
  type ShownTurns,
  SightingsOfTurn,
  seen,
  type TurnSightings,
} from './turn-sightings.ts';

export interface TurnBook {
  readonly get: (id: string) => TurnSightings | undefined;
  /** The turns with all of these sightings, in order of their first mention. */
  readonly having: (...shown: readonly Shown[]) => Iterable<TurnSightings>;
}

type ShownTurn = NonNullable<Exchange['turn']>;

/** Rows by number of turn, from 1; some hundred bytes per turn, and none for a poll that shows nothing new. */
type Registers = Readonly<Record<Seen, ReturnType<typeof rowRegister>>>;

export class TurnGatherer {
  readonly #statusOf: (status: string) => TurnStatus;
  readonly #rows: Pick<KnownRows, 'columns'>;
  readonly #seen = Object.fromEntries(seen.map((name) => [name, rowRegister()])) as unknown as Registers;
  readonly #streamed = {
    completedOnStream: floatRegister(Number.POSITIVE_INFINITY),
    failedOnStream: floatRegister(Number.POSITIVE_INFINITY),
  };
  readonly #receivedAt = {
    completed: floatRegister(Number.POSITIVE_INFINITY),
    failed: floatRegister(Number.POSITIVE_INFINITY),
  };
  /** The statuses in the answers. */
  readonly #statuses = new Names<string>();
  readonly #status = { open: rowRegister(), completed: rowRegister(), failed: rowRegister() };
  readonly #results: (readonly [user: string, assistant: string] | undefined)[] = [];
  readonly #elsewhere = new Map<number, string>();
  /** The highest number of a turn that showed anything. */
  #last = 0;

  constructor(words: ProfileWords, rows: Pick<KnownRows, 'columns'>) {
    this.#statusOf = turnStatuses(words);
    this.#rows = rows;
  }

  /** @param row of the exchange in the evidence; `turn`: number of the turn that it names */
  addExchange(exchange: Exchange, row: number, turn: number): void {
    if (turn > this.#last) this.#last = turn;
    if (exchange.turn !== undefined && exchange.outcome === 'answered') this.#see(exchange, exchange.turn, row, turn);
  }

  addStream({ event, at }: StreamRecord, turn: number): void {
    if (turn > this.#last) this.#last = turn;
    if (event !== 'completed' && event !== 'failed') return;
    const register = this.#streamed[event === 'completed' ? 'completedOnStream' : 'failedOnStream'];
    register.set(turn, Math.min(register.get(turn), at));
  }

  #see(exchange: Exchange, shown: ShownTurn, row: number, turn: number): void {
    const { operation } = exchange;
    if (operation === 'openStream') this.#keepFirst('handshake', row, turn);
    if (operation !== 'readTurn' && operation !== 'sendMessage') return;
    const { conversation, status = '' } = shown;
    if (conversation !== undefined && this.#keepFirst('elsewhere', row, turn)) this.#elsewhere.set(turn, conversation);
    const { open, completed, failed } = this.#statusOf(status);
    const state = completed ? 'completed' : failed ? 'failed' : undefined;
    if (state) this.#keepEnd(state, exchange, row, turn);
    // A 202 may be a copy of the first answer to this message: that it says "queued" shows nothing.
    if (operation !== 'readTurn') return;
    if (!state && open) this.#keepOpen(status, row, turn);
    const namesNone = shown.userMessageId === undefined && shown.assistantMessageId === undefined;
    if (state === 'completed' && namesNone) this.#keepFirst('completedBare', row, turn);
    if (state === 'failed' && shown.error === undefined) this.#keepFirst('failedBare', row, turn);
    this.#seeResult(shown, row, turn);
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

  #seeResult(shown: ShownTurn, row: number, turn: number): void {
    if (shown.userMessageId === undefined || shown.assistantMessageId === undefined) return;
    const user = canonicalUuid(shown.userMessageId);
    const assistant = canonicalUuid(shown.assistantMessageId);
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
    const { sentAt } = this.#rows.columns;
    return ((sentAt[a] as number) - (sentAt[b] as number) || this.#compare(a, b)) < 0;
  }

  #compare(a: number, b: number): number {
    const { worker, seq } = this.#rows.columns;
    return (worker[a] as number) - (worker[b] as number) || (seq[a] as number) - (seq[b] as number);
  }

  /** Without what doubtful records showed; a turn then has fewer sightings, which is only in its favour. */
  finish(evidence: Evidence): TurnBook {
    const turns: ShownTurns = {
      seen: this.#seen,
      streamed: this.#streamed,
      receivedAt: this.#receivedAt,
      statuses: this.#statuses,
      status: this.#status,
      results: this.#results,
      elsewhere: this.#elsewhere,
    };
    const last = this.#last;
    return {
      get: (id) => {
        const turn = evidence.turnIds.find(id);
        return turn === 0 || turn > last ? undefined : new SightingsOfTurn(turns, turn, evidence);
      },
      *having(...shown) {
        const has = shown.map((name) => shows(turns, name, evidence));
        for (let turn = 1; turn <= last; turn++)
          if (has.every((one) => one(turn))) yield new SightingsOfTurn(turns, turn, evidence);
      },
    };
  }
}

const isSeen = (name: Shown): name is Seen => (seen as readonly string[]).includes(name);

/** Whether a turn has this sighting. */
const shows = (turns: ShownTurns, name: Shown, evidence: Evidence): ((turn: number) => boolean) =>
  isSeen(name)
    ? (turn) => rowOf(turns, name, turn, evidence) >= 0
    : (turn) => Number.isFinite(turns.streamed[name].get(turn));
