import type { Exchange, ProfileWords, StreamRecord } from '../history/index.ts';

/** A poll, by its row and by when it was sent, if nothing else is said (run time, µs). */
export interface SightingPoll {
  readonly row: number;
  readonly at: number;
}

/** What polls and the stream saw of a turn that went on. `Turn` has the intervals; this has the exchanges that prove them. */
export interface Sighted {
  /** The last sent of the polls that saw it open. */
  readonly open?: SightingPoll;
  /** The last sent of the polls that saw it queued. */
  readonly queued?: SightingPoll;
  /** The last sent of the polls that saw it processing. */
  readonly processing?: SightingPoll;
  /** The first answered of the polls that saw it processing; `at` is when the answer came. */
  readonly processingBy?: SightingPoll;
  /** Run time at which an event of its stream came that only a turn in process has. */
  readonly streamedBy?: number;
}

type Facts = { -readonly [K in keyof Sighted]: Sighted[K] };

/** What services call a turn in process. Other open statuses may mean that it waits, so they prove nothing. */
const PROCESSING = ['processing', 'in_progress', 'running'];
const QUEUED = 'queued';

/** Gathers sightings; their order does not matter. One small object per turn that was followed. */
export class Sightings {
  readonly #words: ProfileWords;
  readonly #turns = new Map<string, Facts>();

  constructor(words: ProfileWords) {
    this.#words = words;
  }

  of(turn: string): Sighted | undefined {
    return this.#turns.get(turn);
  }

  /** @param row of the exchange in the evidence */
  addExchange(exchange: Exchange, row: number): void {
    const { operation, outcome, turn, sentAt, headersAt, bodyProblem } = exchange;
    if (operation !== 'readTurn' || outcome !== 'answered' || headersAt === undefined) return;
    if (!this.#words.success.readTurn.includes(exchange.status ?? 0) || bodyProblem !== undefined) return;
    const status = turn?.status;
    if (turn === undefined || status === undefined || !this.#words.turns.open.includes(status)) return;
    const facts = this.#factsOf(turn.id);
    const poll = { row, at: sentAt };
    facts.open = later(facts.open, poll);
    if (status === QUEUED) facts.queued = later(facts.queued, poll);
    if (!PROCESSING.includes(status)) return;
    facts.processing = later(facts.processing, poll);
    // A stamp is rounded down to whole microseconds.
    facts.processingBy = earlier(facts.processingBy, { row, at: headersAt + 1 });
  }

  /** An event was sent at an unknown time before it came: it says since when, never until when. */
  addStream({ turn, event, status, at }: StreamRecord): void {
    const says = event === 'status' && status !== undefined && PROCESSING.includes(status);
    if (!(says && this.#words.turns.open.includes(status)) && event !== 'delta') return;
    const facts = this.#factsOf(turn);
    facts.streamedBy = Math.min(facts.streamedBy ?? Number.POSITIVE_INFINITY, at + 1);
  }

  #factsOf(turn: string): Facts {
    let facts = this.#turns.get(turn);
    if (!facts) {
      facts = {};
      this.#turns.set(turn, facts);
    }
    return facts;
  }
}

const later = (known: SightingPoll | undefined, poll: SightingPoll) => (known && known.at >= poll.at ? known : poll);
const earlier = (known: SightingPoll | undefined, poll: SightingPoll) => (known && known.at <= poll.at ? known : poll);
