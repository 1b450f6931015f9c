import type { Exchange, ProfileWords, StreamRecord } from '../history/index.ts';
import { floatRegister, rowRegister } from './columns.ts';
import type { KnownRows } from './evidence.ts';
import { type TurnStatus, turnStatuses } from './turn-statuses.ts';

/** A poll, by its row and by the instant of which it surely speaks: when it was sent, less what a status may be stale, if nothing else is said (run time, µs). */
export interface SightingPoll {
  readonly row: number;
  readonly at: number;
}

/** What polls and the stream saw of a turn that went on, with the exchanges that prove it. */
export interface Sighted {
  /** The last sent of the polls that saw it open. */
  readonly open: SightingPoll | undefined;
  /** The last sent of the polls that saw it queued. */
  readonly queued: SightingPoll | undefined;
  /** The last sent of the polls that saw it processing. */
  readonly processing: SightingPoll | undefined;
  /** The first answered of the polls that saw it processing; `at` is when the answer came. */
  readonly processingBy: SightingPoll | undefined;
  /** Run time at which an event of its stream came that only a turn in process has. */
  readonly streamedBy: number | undefined;
}

/** What is known of turns, by their number. */
export interface TurnTimes {
  /** Whether no doubtful record names it, so that something can be said of it at all. */
  readonly isKnown: (turn: number) => boolean;
  /** Run time of the first observation of its end, by whatever way; ∞ when nobody saw it, or the service took it back. */
  readonly finishedAt: (turn: number) => number;
  /** `undefined` when nobody saw it go on, or a poll that was sent after its end had been seen saw it open. */
  readonly sighted: (turn: number) => Sighted | undefined;
}

const QUEUED = 'queued';

/** Gathers what records say of turns; their order does not matter. Some forty bytes a turn, none for a poll. */
export class TurnTimesFold {
  readonly #success: readonly number[];
  readonly #statusOf: (status: string) => TurnStatus;
  readonly #rows: Pick<KnownRows, 'columns'>;
  readonly #staleUs: number;
  readonly #open = rowRegister();
  readonly #queued = rowRegister();
  readonly #processing = rowRegister();
  readonly #processingBy = rowRegister();
  readonly #streamedBy = floatRegister(Number.POSITIVE_INFINITY);
  readonly #finishedAt = floatRegister(Number.POSITIVE_INFINITY);
  readonly #saidOpenAt = floatRegister(Number.NEGATIVE_INFINITY);

  constructor(words: ProfileWords, rows: Pick<KnownRows, 'columns'>) {
    this.#success = words.success.readTurn;
    this.#statusOf = turnStatuses(words);
    this.#rows = rows;
    this.#staleUs = words.turns.staleUs;
  }

  /** @param row of the exchange in the evidence, its times already there */
  addExchange(exchange: Exchange, row: number, turn: number): void {
    const { operation, outcome, headersAt, sentAt, turn: shown } = exchange;
    if (outcome !== 'answered' || headersAt === undefined || shown?.status === undefined) return;
    const isPoll = operation === 'readTurn';
    if (!isPoll && operation !== 'sendMessage') return;
    const { open, processing, completed, failed } = this.#statusOf(shown.status);
    if (completed || failed) this.#finish(turn, headersAt);
    // A 202 that says "queued" may be a copy of the first answer: it proves nothing of a turn that is open.
    if (!isPoll || !open) return;
    if (sentAt > this.#saidOpenAt.get(turn)) this.#saidOpenAt.set(turn, sentAt);
    if (exchange.bodyProblem !== undefined || !this.#success.includes(exchange.status ?? 0)) return;
    this.#keepLastSent(this.#open, row, turn);
    if (shown.status === QUEUED) this.#keepLastSent(this.#queued, row, turn);
    if (processing) this.#seeProcessing(row, turn);
  }

  #seeProcessing(row: number, turn: number): void {
    this.#keepLastSent(this.#processing, row, turn);
    const known = this.#processingBy.get(turn);
    // One later than the headers: a stamp is rounded down to whole microseconds.
    const { until } = this.#rows.columns;
    if (known === 0 || (until[row] as number) < (until[known - 1] as number)) this.#processingBy.set(turn, row + 1);
  }

  #keepLastSent(register: ReturnType<typeof rowRegister>, row: number, turn: number): void {
    const known = register.get(turn);
    const { sentAt } = this.#rows.columns;
    if (known === 0 || (sentAt[row] as number) > (sentAt[known - 1] as number)) register.set(turn, row + 1);
  }

  #finish(turn: number, at: number): void {
    if (at < this.#finishedAt.get(turn)) this.#finishedAt.set(turn, at);
  }

  /** An event was sent at an unknown time before it came: it says since when, never until when. */
  addStream({ event, status, at }: StreamRecord, turn: number): void {
    if (event === 'completed' || event === 'failed') this.#finish(turn, at);
    const says = event === 'status' && status !== undefined && this.#statusOf(status).processing;
    if (!says && event !== 'delta') return;
    this.#streamedBy.set(turn, Math.min(this.#streamedBy.get(turn), at + 1));
  }

  /** @param suspect turns that a doubtful record names */
  finish(suspect: ReadonlySet<number>): TurnTimes {
    // That a status may be stale makes nothing more certain: such a poll may be right as well.
    const regressed = (turn: number) => this.#saidOpenAt.get(turn) > this.#finishedAt.get(turn);
    return {
      isKnown: (turn) => turn !== 0 && !suspect.has(turn),
      finishedAt: (turn) => (regressed(turn) ? Number.POSITIVE_INFINITY : this.#finishedAt.get(turn)),
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
      processing: this.#poll(this.#processing, 'sentAt', turn),
      processingBy: this.#poll(this.#processingBy, 'until', turn),
      streamedBy: streamedBy === Number.POSITIVE_INFINITY ? undefined : streamedBy,
    };
  }

  #poll(register: ReturnType<typeof rowRegister>, at: 'sentAt' | 'until', turn: number): SightingPoll | undefined {
    const row = register.get(turn) - 1;
    if (row < 0) return undefined;
    // What a poll shows was so when it was sent, or up to `staleUs` before that; it was so before its answer came in any case.
    return { row, at: (this.#rows.columns[at][row] as number) - (at === 'sentAt' ? this.#staleUs : 0) };
  }
}
