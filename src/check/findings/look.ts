import { type Exchange, type Header, profileWords, type StreamRecord } from '../../history/index.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { promisesOf } from '../evidence/promises.ts';
import type { KnownRows } from '../evidence/rows.ts';
import type { DeclaredReadings } from '../reading.ts';
import { AdviceGatherer } from './gather/advice.ts';
import { AnswerGatherer } from './gather/answers.ts';
import { MessageGatherer } from './gather/messages.ts';
import { PageGatherer } from './gather/pages.ts';
import { StreamGatherer } from './gather/streams.ts';
import { TurnGatherer } from './gather/turns.ts';
import type { Look } from './kind.ts';
import { doubtfulIn } from './reference.ts';
import { trafficOf } from './traffic.ts';

/** Collects once what all kinds of findings examine. Doubtful records (`doubtAbout`) are not passed to it. */
export class LookGatherer {
  readonly #header: Header;
  readonly #rows: KnownRows;
  readonly #messages: MessageGatherer;
  readonly #turns: TurnGatherer;
  readonly #streams = new StreamGatherer();
  readonly #pages: PageGatherer;
  readonly #advice: AdviceGatherer;
  readonly #answers: AnswerGatherer;

  constructor(header: Header, rows: KnownRows) {
    const words = profileWords(header.profile);
    this.#header = header;
    this.#rows = rows;
    this.#messages = new MessageGatherer(words);
    this.#turns = new TurnGatherer(words, rows);
    this.#pages = new PageGatherer(words);
    this.#advice = new AdviceGatherer(words);
    this.#answers = new AnswerGatherer(words);
  }

  /** @param row row of the exchange in the evidence, already filled */
  addExchange(exchange: Exchange, row: number): void {
    const conversation = this.#rows.conversationOf(row);
    this.#turns.addExchange(exchange, row, this.#rows.columns.turn[row] as number);
    this.#messages.add(exchange, row, conversation);
    this.#pages.add(exchange, conversation);
    this.#advice.add(exchange, row);
    this.#answers.add(exchange, row);
  }

  /** @param turn number of its turn */
  addStream(record: StreamRecord, turn: number): void {
    this.#streams.add(record);
    this.#turns.addStream(record, turn);
  }

  /** @param declared readings to judge instead of the header's */
  finish(evidence: Evidence, declared: DeclaredReadings): Look {
    const isDoubtful = doubtfulIn(evidence);
    return {
      header: this.#header,
      declared,
      promises: promisesOf(this.#header.profile),
      evidence,
      traffic: trafficOf(evidence),
      isWhole: evidence.complete && !evidence.doubtful.includes(1),
      sends: this.#messages.finish(isDoubtful),
      turns: this.#turns.finish(evidence),
      streams: this.#streams.finish(evidence),
      conversations: this.#pages.finish(isDoubtful),
      advice: this.#advice.finish(evidence),
      answers: this.#answers.finish(evidence),
    };
  }
}
