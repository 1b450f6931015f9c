import { floatRegister, Names, rowRegister } from '../../evidence/columns.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Reference } from '../reference.ts';

/** A turn as one answer showed it. */
export interface Sighting extends Reference {
  readonly sentAt: number;
  readonly status: string;
}

/** An end as one answer showed it. */
export interface EndSighting extends Sighting {
  /** Arrival of the last byte: by then the service had sent it. */
  readonly receivedAt: number;
}

/** A result: the messages that an answer names. */
export interface ResultSighting extends Sighting {
  readonly user: string;
  readonly assistant: string;
}

/**
 * What was seen of one turn. Of each kind of sighting the strongest is kept: for an open turn the poll sent last, for an end the
 * answer received first, otherwise the answer sent first.
 */
export interface TurnSightings {
  readonly id: string;
  readonly open: Sighting | undefined;
  readonly completed: EndSighting | undefined;
  readonly failed: EndSighting | undefined;
  /** First event of the stream, run µs. */
  readonly completedOnStream: number | undefined;
  readonly failedOnStream: number | undefined;
  /** Completed without a message; failed without an error. */
  readonly completedBare: Sighting | undefined;
  readonly failedBare: Sighting | undefined;
  /** The first answer with a result, and one with a different result. */
  readonly result: ResultSighting | undefined;
  readonly otherResult: Sighting | undefined;
  /** An answer that names another conversation than the one asked about. */
  readonly elsewhere: (Sighting & { readonly conversation: string }) | undefined;
  /** The handshake of the stream that was sent first. */
  readonly handshake: Sighting | undefined;
}

/** Kinds of sightings of a turn. */
export type Shown = Exclude<keyof TurnSightings, 'id'>;

/** Members that are an exchange each. */
export const seen = [
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
export type Seen = (typeof seen)[number];

/**
 * What answers and streams showed of all turns, by number of turn, from 1: some hundred bytes per turn, and none for a poll that
 * shows nothing new.
 */
export type ShownTurns = ReturnType<typeof nothingShown>;

export const nothingShown = () => ({
  /** Rows of the evidence plus one; 0 is none. */
  seen: Object.fromEntries(seen.map((name) => [name, rowRegister()])) as Record<Seen, ReturnType<typeof rowRegister>>,
  /** Run µs; infinite where there was none. */
  streamed: { completedOnStream: instants(), failedOnStream: instants() },
  receivedAt: { completed: instants(), failed: instants() },
  /** By number among `statuses`, the status in the answers that show one. */
  statuses: new Names<string>(),
  status: { open: rowRegister(), completed: rowRegister(), failed: rowRegister() },
  results: [] as (readonly [user: string, assistant: string] | undefined)[],
  elsewhere: new Map<number, string>(),
});

const instants = () => floatRegister(Number.POSITIVE_INFINITY);

/** The row that showed it; −1 if none did, or a doubtful one. */
export function rowOf({ seen }: ShownTurns, name: Seen, turn: number, { doubtful }: Evidence): number {
  const row = seen[name].get(turn) - 1;
  return row >= 0 && doubtful[row] === 0 ? row : -1;
}

/** One turn's sightings, each created on demand: for most turns one or two are used. */
export class SightingsOfTurn implements TurnSightings {
  readonly #turns: ShownTurns;
  readonly #turn: number;
  readonly #evidence: Evidence;

  constructor(turns: ShownTurns, turn: number, evidence: Evidence) {
    this.#turns = turns;
    this.#turn = turn;
    this.#evidence = evidence;
  }

  get id() {
    return this.#evidence.turnIds.name(this.#turn) ?? '';
  }

  get open() {
    return this.#sighting('open', this.#status('open'));
  }

  get completed() {
    return this.#end('completed');
  }

  get failed() {
    return this.#end('failed');
  }

  get completedOnStream() {
    return this.#streamed('completedOnStream');
  }

  get failedOnStream() {
    return this.#streamed('failedOnStream');
  }

  get completedBare() {
    return this.#sighting('completedBare');
  }

  get failedBare() {
    return this.#sighting('failedBare');
  }

  get result() {
    const sighting = this.#sighting('result');
    if (!sighting) return undefined;
    const { worker, seq, sentAt, status } = sighting;
    const [user, assistant] = this.#turns.results[this.#turn] ?? ['', ''];
    return { worker, seq, sentAt, status, user, assistant };
  }

  get otherResult() {
    return this.#sighting('otherResult');
  }

  get elsewhere() {
    const sighting = this.#sighting('elsewhere');
    return sighting && { ...sighting, conversation: this.#turns.elsewhere.get(this.#turn) ?? '' };
  }

  get handshake() {
    return this.#sighting('handshake');
  }

  #sighting(name: Seen, status = ''): Sighting | undefined {
    const { worker, seq, sentAt } = this.#evidence;
    const row = rowOf(this.#turns, name, this.#turn, this.#evidence);
    if (row < 0) return undefined;
    return { worker: worker[row] as number, seq: seq[row] as number, sentAt: sentAt[row] as number, status };
  }

  #end(name: 'completed' | 'failed'): EndSighting | undefined {
    const sighting = this.#sighting(name, this.#status(name));
    if (!sighting) return undefined;
    // Listed member by member, here and above: copying members takes several times as long, and there are as many of these as
    // turns.
    const { worker, seq, sentAt, status } = sighting;
    return { worker, seq, sentAt, status, receivedAt: this.#turns.receivedAt[name].get(this.#turn) };
  }

  #status(name: 'open' | 'completed' | 'failed'): string {
    return this.#turns.statuses.name(this.#turns.status[name].get(this.#turn)) ?? '';
  }

  #streamed(name: 'completedOnStream' | 'failedOnStream'): number | undefined {
    const at = this.#turns.streamed[name].get(this.#turn);
    return Number.isFinite(at) ? at : undefined;
  }
}
