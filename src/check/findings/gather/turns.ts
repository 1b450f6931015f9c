import { canonicalUuid } from '../../../api/index.ts';
import type { Exchange, ProfileWords, StreamRecord } from '../../../history/index.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { KnownRows } from '../../evidence/rows.ts';
import { type TurnStatus, turnStatuses } from '../../evidence/turn-statuses.ts';
import {
  nothingShown,
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

export class TurnGatherer {
  readonly #statusOf: (status: string) => TurnStatus;
  readonly #rows: Pick<KnownRows, 'columns'>;
  readonly #shown = nothingShown();
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
    const register = this.#shown.streamed[event === 'completed' ? 'completedOnStream' : 'failedOnStream'];
    register.set(turn, Math.min(register.get(turn), at));
  }

  #see(exchange: Exchange, shown: ShownTurn, row: number, turn: number): void {
    const { operation } = exchange;
    if (operation === 'openStream') this.#keepFirst('handshake', row, turn);
    if (operation !== 'readTurn' && operation !== 'sendMessage') return;
    const { conversation, status = '' } = shown;
    if (conversation !== undefined && this.#keepFirst('elsewhere', row, turn))
      this.#shown.elsewhere.set(turn, conversation);
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
    const known = this.#shown.seen.open.get(turn);
    if (known !== 0 && !this.#isSentEarlier(known - 1, row)) return;
    this.#shown.seen.open.set(turn, row + 1);
    this.#shown.status.open.set(turn, this.#shown.statuses.of(status));
  }

  #keepEnd(state: 'completed' | 'failed', exchange: Exchange, row: number, turn: number): void {
    const known = this.#shown.seen[state].get(turn);
    const laterBy = exchange.receivedAt - this.#shown.receivedAt[state].get(turn);
    if (known !== 0 && (laterBy > 0 || (laterBy === 0 && this.#compare(row, known - 1) > 0))) return;
    this.#shown.seen[state].set(turn, row + 1);
    this.#shown.receivedAt[state].set(turn, exchange.receivedAt);
    this.#shown.status[state].set(turn, this.#shown.statuses.of(exchange.turn?.status ?? ''));
  }

  #seeResult(shown: ShownTurn, row: number, turn: number): void {
    if (shown.userMessageId === undefined || shown.assistantMessageId === undefined) return;
    const user = canonicalUuid(shown.userMessageId);
    const assistant = canonicalUuid(shown.assistantMessageId);
    const before = this.#shown.results[turn];
    const known = this.#shown.seen.result.get(turn);
    const isFirst = known === 0 || this.#isSentEarlier(row, known - 1);
    if (before && (before[0] !== user || before[1] !== assistant)) {
      if (!isFirst) this.#keepFirst('otherResult', row, turn);
      else this.#shown.seen.otherResult.set(turn, known);
    }
    if (!isFirst) return;
    this.#shown.seen.result.set(turn, row + 1);
    this.#shown.results[turn] = before && before[0] === user && before[1] === assistant ? before : [user, assistant];
  }

  /** Keeps the exchange that was sent first. @returns whether it is this one */
  #keepFirst(name: Seen, row: number, turn: number): boolean {
    const known = this.#shown.seen[name].get(turn);
    if (known !== 0 && !this.#isSentEarlier(row, known - 1)) return false;
    this.#shown.seen[name].set(turn, row + 1);
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
    const turns = this.#shown;
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
