import type { Exchange, ProfileWords, StreamRecord } from '../../history/index.ts';
import { floatRegister, rowRegister } from './columns.ts';
import type { KnownRows } from './rows.ts';
import { type TurnStatus, turnStatuses } from './turn-statuses.ts';

/**
 * A poll: its row, and the run time (µs) for which its status is certain. By default this is when it was sent, less the time for
 * which a status may be stale.
 */
export interface SightingPoll {
  readonly row: number;
  readonly at: number;
}

/** What polls and the stream showed of a turn before it ended, with the exchanges that prove it. */
export interface Sighted {
  /** Of the polls that saw it open, the one sent last. */
  readonly open: SightingPoll | undefined;
  /** Of the polls that saw it queued, the one sent last. */
  readonly queued: SightingPoll | undefined;
  /** Of the polls that saw it neither certainly in process nor ended, the one sent last: a status in no list may be of one that waits. */
  readonly mayWait: SightingPoll | undefined;
  /**
   * Run time of the first answer, or event, that showed it neither certainly waiting nor ended; ∞ if there is none. Of answers to
   * messages, only a status that is open counts: many say in a word of their own that the message was accepted.
   */
  readonly mayWorkBy: number;
  /** Of the polls that saw it processing, the one sent last. */
  readonly processing: SightingPoll | undefined;
  /** Of the polls that saw it processing, the one answered first; `at` is the arrival of the answer. */
  readonly processingBy: SightingPoll | undefined;
  /** Run time of the first stream event that occurs only during processing. */
  readonly streamedBy: number | undefined;
  /** Run time of the last stream event that told a status with which it may wait; −∞ if there is none. */
  readonly streamedWaitingBy: number;
}

/** What is known of turns, by number. */
export interface TurnTimes {
  /** False if nothing can be said of the turn: see `suspectTurns`. */
  readonly isKnown: (turn: number) => boolean;
  /**
   * Run time of the first observation of its end, by any source; ∞ if nobody saw the end, or if the service contradicted it later.
   * If it was seen completed and failed, it may have been tried again in between: then the later of both.
   */
  readonly finishedAt: (turn: number) => number;
  /** `undefined` if nobody saw it in process, or if a poll sent after its end had been seen still showed it open. */
  readonly sighted: (turn: number) => Sighted | undefined;
}

/** Collects what records say of turns; their order does not matter. Takes some sixty bytes per turn and nothing per poll. */
export class TurnTimesFold {
  readonly #success: readonly number[];
  readonly #statusOf: (status: string) => TurnStatus;
  readonly #rows: Pick<KnownRows, 'columns'>;
  readonly #staleUs: number;
  readonly #open = rowRegister();
  readonly #queued = rowRegister();
  readonly #mayWait = rowRegister();
  readonly #mayWorkBy = floatRegister(Number.POSITIVE_INFINITY);
  readonly #processing = rowRegister();
  readonly #processingBy = rowRegister();
  readonly #streamedBy = floatRegister(Number.POSITIVE_INFINITY);
  readonly #streamedWaitingBy = floatRegister(Number.NEGATIVE_INFINITY);
  readonly #completedAt = floatRegister(Number.POSITIVE_INFINITY);
  readonly #failedAt = floatRegister(Number.POSITIVE_INFINITY);
  readonly #saidOpenAt = floatRegister(Number.NEGATIVE_INFINITY);

  constructor(words: ProfileWords, rows: Pick<KnownRows, 'columns'>) {
    this.#success = words.success.readTurn;
    this.#statusOf = turnStatuses(words);
    this.#rows = rows;
    this.#staleUs = words.turns.staleUs;
  }

  /** @param row row of the exchange in the evidence, its times already set */
  addExchange(exchange: Exchange, row: number, turn: number): void {
    const { operation, outcome, headersAt, sentAt, turn: shown } = exchange;
    if (outcome !== 'answered' || headersAt === undefined || shown?.status === undefined) return;
    const isPoll = operation === 'readTurn';
    if (!isPoll && operation !== 'sendMessage') return;
    const { open, queued, processing, completed, failed } = this.#statusOf(shown.status);
    if (completed) keepFirst(this.#completedAt, turn, headersAt);
    if (failed) keepFirst(this.#failedAt, turn, headersAt);
    // A 202 may be a copy of the first answer, which says in what state the turn was, and not that it still is.
    if (!isPoll && open && !queued) keepFirst(this.#mayWorkBy, turn, headersAt + 1);
    if (!isPoll || (!open && (completed || failed))) return;
    if (open && sentAt > this.#saidOpenAt.get(turn)) this.#saidOpenAt.set(turn, sentAt);
    if (exchange.bodyProblem !== undefined || !this.#success.includes(exchange.status ?? 0)) return;
    if (open) this.#keepLastSent(this.#open, row, turn);
    if (queued) this.#keepLastSent(this.#queued, row, turn);
    else keepFirst(this.#mayWorkBy, turn, headersAt + 1);
    if (processing) this.#seeProcessing(row, turn);
    else this.#keepLastSent(this.#mayWait, row, turn);
  }

  #seeProcessing(row: number, turn: number): void {
    this.#keepLastSent(this.#processing, row, turn);
    const known = this.#processingBy.get(turn);
    // One microsecond after the headers, because stamps are rounded down.
    const { until } = this.#rows.columns;
    if (known === 0 || (until[row] as number) < (until[known - 1] as number)) this.#processingBy.set(turn, row + 1);
  }

  #keepLastSent(register: ReturnType<typeof rowRegister>, row: number, turn: number): void {
    const known = register.get(turn);
    const { sentAt } = this.#rows.columns;
    if (known === 0 || (sentAt[row] as number) > (sentAt[known - 1] as number)) register.set(turn, row + 1);
  }

  /** An event was sent at an unknown time before it arrived: it shows since when, never until when. */
  addStream({ event, status, at }: StreamRecord, turn: number): void {
    if (event === 'completed') keepFirst(this.#completedAt, turn, at);
    if (event === 'failed') keepFirst(this.#failedAt, turn, at);
    if (event === 'delta') keepFirst(this.#streamedBy, turn, at + 1);
    if (event !== 'status' || status === undefined) return;
    const { open, queued, processing, completed, failed } = this.#statusOf(status);
    if (!open && (completed || failed)) return;
    if (!queued) keepFirst(this.#mayWorkBy, turn, at + 1);
    if (processing) keepFirst(this.#streamedBy, turn, at + 1);
    else if (at + 1 > this.#streamedWaitingBy.get(turn)) this.#streamedWaitingBy.set(turn, at + 1);
  }

  /** Run time of the first observation of its end; ∞ if nobody saw the end. */
  readonly seenFinishedAt = (turn: number): number => Math.min(this.#completedAt.get(turn), this.#failedAt.get(turn));

  #finishedAt(turn: number): number {
    const later = Math.max(this.#completedAt.get(turn), this.#failedAt.get(turn));
    return Number.isFinite(later) ? later : this.seenFinishedAt(turn);
  }

  /** @param suspect turns of which nothing can be said: see `suspectTurns` */
  finish(suspect: ReadonlySet<number>): TurnTimes {
    // That a status may be stale makes nothing more certain: such a poll may still be right.
    const regressed = (turn: number) => this.#saidOpenAt.get(turn) > this.seenFinishedAt(turn);
    return {
      isKnown: (turn) => turn !== 0 && !suspect.has(turn),
      finishedAt: (turn) => (regressed(turn) ? Number.POSITIVE_INFINITY : this.#finishedAt(turn)),
      sighted: (turn) => (regressed(turn) ? undefined : this.#sighted(turn)),
    };
  }

  #sighted(turn: number): Sighted | undefined {
    const open = this.#poll(this.#open, 'sentAt', turn);
    const streamedBy = this.#streamedBy.get(turn);
    if (!open && streamedBy === Number.POSITIVE_INFINITY) return undefined;
    return {
      open,
      queued: this.#poll(this.#queued, 'sentAt', turn),
      mayWait: this.#poll(this.#mayWait, 'sentAt', turn),
      mayWorkBy: this.#mayWorkBy.get(turn),
      processing: this.#poll(this.#processing, 'sentAt', turn),
      processingBy: this.#poll(this.#processingBy, 'until', turn),
      streamedBy: streamedBy === Number.POSITIVE_INFINITY ? undefined : streamedBy,
      streamedWaitingBy: this.#streamedWaitingBy.get(turn),
    };
  }

  #poll(register: ReturnType<typeof rowRegister>, at: 'sentAt' | 'until', turn: number): SightingPoll | undefined {
    const row = register.get(turn) - 1;
    if (row < 0) return undefined;
    // What a poll shows was true when it was sent, or up to `staleUs` before; and in any case before its answer came.
    return { row, at: (this.#rows.columns[at][row] as number) - (at === 'sentAt' ? this.#staleUs : 0) };
  }
}

function keepFirst(register: ReturnType<typeof floatRegister>, turn: number, at: number): void {
  if (at < register.get(turn)) register.set(turn, at);
}
