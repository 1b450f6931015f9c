import { type OperationId, operationIds } from '../../api/index.ts';
import {
  type ClockRecord,
  type EndRecord,
  type Exchange,
  type Header,
  type JournalRecord,
  type ProfileWords,
  profileWords,
  recordedAllSent,
  type StreamRecord,
} from '../../history/index.ts';
import type { ExchangeRef } from '../certificates/certificate.ts';
import { limitsNamed, settleRefusals } from './attribution.ts';
import { decidedBy, serviceIntervals } from './decided.ts';
import { doubtAbout, type Skipped } from './doubt.ts';
import { Answer, type Evidence } from './evidence.ts';
import { PlaceNames } from './labels.ts';
import { markAfterLost } from './lost-sends.ts';
import { Messages, markRepeats } from './messages.ts';
import { type Promises, promisesOf } from './promises.ts';
import { RequestsSeen } from './requests-seen.ts';
import type { KnownRows } from './rows.ts';
import { GrowingRows, type Rows, risingOrder } from './rows.ts';
import { suspectTurns } from './suspect-turns.ts';
import { timelineOf } from './timeline.ts';
import { TurnTimesFold } from './turn-times.ts';

const OPERATION_INDEX = Object.fromEntries(operationIds.map((id, i) => [id, i])) as Readonly<
  Record<OperationId, number>
>;

/** What the journal's reader knows about completeness; absent for records that were never in a file. */
export interface Wholeness {
  readonly complete: boolean;
  readonly skipped: Skipped;
  /** See `JournalReport`. */
  readonly mayLackClock: boolean;
}

/** Collects records as evidence; their order does not matter. */
export class EvidenceFold {
  readonly #rows = new GrowingRows();
  readonly #places = new PlaceNames();
  readonly #messages = new Messages();
  readonly #messageScope: NonNullable<Promises['idempotency']['scope']>;
  readonly #clocks: ClockRecord[] = [];
  readonly #requests = new RequestsSeen();
  readonly #skipped: Record<string, number> = {};
  readonly #header: Header;
  readonly #words: ProfileWords;
  readonly #turns: TurnTimesFold;
  #end: EndRecord | undefined;

  constructor(header: Header) {
    this.#header = header;
    this.#words = profileWords(header.profile);
    this.#messageScope = promisesOf(header.profile).idempotency.scope ?? 'conversation';
    this.#turns = new TurnTimesFold(this.#words, this.#rows);
  }

  get rows(): KnownRows {
    const [rows, places] = [this.#rows, this.#places];
    return {
      get columns() {
        return rows.columns;
      },
      conversationOf: (row) => places.within(rows.columns.place[row] as number, 'conversation'),
    };
  }

  add(record: JournalRecord): void {
    if (record.kind === 'exchange') this.addExchange(record, doubtAbout(record, this.#words));
    else if (record.kind === 'clock') this.#clocks.push(record);
    else if (record.kind === 'end') this.#end = record;
    else if (record.kind === 'stream') this.addStream(record);
    else if (record.kind === 'sent') this.#requests.sent(record.worker ?? 0, record.seq);
  }

  /** @returns the number of its turn */
  addStream(record: StreamRecord): number {
    const turn = this.#messages.turns.of(record.turn);
    this.#turns.addStream(record, turn);
    return turn;
  }

  /** @param doubt result of `doubtAbout` @returns its row */
  addExchange(exchange: Exchange, doubt: string | undefined): number {
    const worker = exchange.worker ?? 0;
    this.#requests.recorded(worker, exchange.seq);
    if (doubt) this.#skip(doubt);
    const answer = doubt ? Answer.maybe : answerOf(exchange, this.#words);
    const row = this.#rows.add();
    const { columns } = this.#rows;
    columns.sentAt[row] = exchange.sentAt;
    columns.until[row] = decidedBy(exchange, this.#header.clock.maxServerDelayUs);
    columns.answer[row] = answer;
    if (exchange.outcome === 'refused' && !doubt) {
      const named = limitsNamed(exchange, this.#words);
      columns.unnamed[row] = named === 0 ? 1 : 0;
      // Which limits may have refused it is settled when all codes are known.
      if (answer === Answer.refused) columns.refusedBy[row] = named;
      else columns.foreign[row] = 1;
    }
    if (exchange.bodyProblem === undefined) columns.status[row] = exchange.status ?? 0;
    columns.operation[row] = OPERATION_INDEX[exchange.operation];
    columns.doubtful[row] = doubt ? 1 : 0;
    columns.attempt[row] = exchange.attempt > 255 ? 0 : exchange.attempt;
    columns.seq[row] = exchange.seq;
    columns.worker[row] = worker;
    const place = this.#places.of(exchange);
    columns.place[row] = place;
    this.#messages.add(exchange, this.#places.within(place, this.#messageScope), columns, row);
    if (!doubt && exchange.turn !== undefined) this.#turns.addExchange(exchange, row, columns.turn[row] as number);
    return row;
  }

  #skip(reason: string, count = 1): void {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + count;
  }

  /** @param file what the journal's reader knows; absent for records that were never in a file */
  finish(file?: Wholeness): Evidence {
    const rows = this.#rows.finish();
    this.#doubtDuplicates(rows);
    const withCodes = settleRefusals(rows);
    const { pending } = this.#requests;
    if (pending > 0) this.#skip('sent without an exchange', pending);
    const timeline = timelineOf(this.#clocks, {
      driftPpm: this.#header.clock.driftPpm,
      mayLackRecords: file?.mayLackClock === true || this.#lacksClock(),
    });
    const { from, to } = serviceIntervals(rows, timeline, this.#header.clock.maxServerDelayUs);
    markRepeats(rows, this.#messages);
    const size = rows.seq.length;
    const complete = this.#complete(size, file);
    const { workers = 1 } = this.#header;
    if (!complete) markAfterLost(rows, (worker, seq) => this.#requests.has(worker, seq), workers);
    return {
      header: this.#header,
      ...(this.#end && { end: this.#end }),
      words: this.#words,
      timeline,
      size,
      order: risingOrder(from, rows.seq),
      ...rows,
      withCodes,
      from,
      to,
      places: this.#places.finish(),
      refOf: (row) => refOf(rows.worker[row] as number, rows.seq[row] as number),
      sameId: this.#messages.groupsOfId(),
      turns: this.#turns.finish(suspectTurns(rows, this.#messages, this.#turns.seenFinishedAt)),
      turnIds: this.#messages.turns,
      complete,
      skipped: { ...file?.skipped, ...this.#skipped },
    };
  }

  /** If several records have the same sequence number, it is unknown which is true. */
  #doubtDuplicates(rows: Rows): void {
    if (!this.#requests.hasTwice) return;
    for (let row = 0; row < rows.seq.length; row++) {
      if (!this.#requests.isTwice(rows.worker[row] as number, rows.seq[row] as number)) continue;
      if (rows.doubtful[row] === 0) this.#skip('duplicate sequence number');
      rows.doubtful[row] = 1;
      rows.answer[row] = Answer.maybe;
      rows.refusedBy[row] = 0;
      rows.unnamed[row] = 0;
      rows.foreign[row] = 0;
    }
  }

  /** Whether the header promises records of the service's clock, and there are none, or one that contradicts it. */
  #lacksClock(): boolean {
    const { rate } = this.#header.clock;
    if (rate === undefined) return false;
    const others = this.#clocks.filter((record) => record.rate !== rate).length;
    if (others > 0) this.#skip('clock of another speed than the header says', others);
    return others > 0 || this.#clocks.length === 0;
  }

  #complete(exchanges: number, file: Wholeness | undefined): boolean {
    const isWhole = recordedAllSent(this.#header, this.#end, exchanges) && (file?.complete ?? true);
    return isWhole && this.#requests.pending === 0;
  }
}

const refOf = (worker: number, seq: number): ExchangeRef => (worker === 0 ? seq : `${worker}:${seq}`);

function answerOf(exchange: Exchange, words: ProfileWords): Answer {
  // As for every other status: an answer whose body is not the service's may come from an intermediary.
  if (exchange.outcome === 'refused') return exchange.bodyProblem === undefined ? Answer.refused : Answer.maybe;
  const success = exchange.outcome === 'answered' && words.success[exchange.operation].includes(exchange.status ?? 0);
  return success && exchange.bodyProblem === undefined ? Answer.admitted : Answer.maybe;
}
