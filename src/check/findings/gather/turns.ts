import type { Exchange, JournalRecord, ProfileWords } from '../../../history/index.ts';
import { bySending, type Reference, referenceOf } from '../reference.ts';

/** A turn as one answer showed it. */
export interface Sighting extends Reference {
  readonly sentAt: number;
  /** The last byte: by then the service had said it. */
  readonly receivedAt: number;
  readonly status: string;
}

type EndState = 'completed' | 'failed';

/**
 * What showed of one turn. Of each sort of sighting the one that proves most is kept, so that any number of polls takes one
 * small object: of an open turn the poll sent last, of an end the answer received first.
 */
export interface TurnSightings {
  lastOpen?: Sighting;
  firstEnd: Partial<Record<EndState, Sighting>>;
  /** First event of the stream, run µs. */
  streamEnd: Partial<Record<EndState, number>>;
  /** Completed, without a message; failed, without an error. */
  bare: Partial<Record<EndState, Sighting>>;
  /** The first answer that had a result, and the first that had another. */
  result?: Sighting & { readonly user: string; readonly assistant: string };
  otherResult?: Sighting;
  /** An answer that names another conversation than the one asked about. */
  elsewhere?: Sighting & { readonly conversation: string };
  /** The handshake of the stream that was sent first. */
  handshake?: Sighting;
}

export class TurnGatherer {
  readonly #words: ProfileWords;
  readonly #turns = new Map<string, TurnSightings>();

  constructor(words: ProfileWords) {
    this.#words = words;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'stream' && (record.event === 'completed' || record.event === 'failed')) {
      const { streamEnd } = this.#of(record.turn);
      streamEnd[record.event] = Math.min(streamEnd[record.event] ?? Number.POSITIVE_INFINITY, record.at);
    } else if (record.kind === 'exchange' && record.turn && record.outcome === 'answered')
      this.#see(record, record.turn);
  }

  /** Without what doubtful records showed; a turn then has less to show, which is only ever in its favour. */
  finish(isDoubtful: (reference: Reference) => boolean): ReadonlyMap<string, TurnSightings> {
    const sound = <T extends Sighting>(one: T | undefined) => (one && !isDoubtful(one) ? one : undefined);
    for (const turn of this.#turns.values()) {
      for (const state of ['completed', 'failed'] as const) {
        if (!sound(turn.firstEnd[state])) delete turn.firstEnd[state];
        if (!sound(turn.bare[state])) delete turn.bare[state];
      }
      if (!sound(turn.lastOpen)) delete turn.lastOpen;
      if (!sound(turn.result)) delete turn.result;
      if (!sound(turn.otherResult)) delete turn.otherResult;
      if (!sound(turn.elsewhere)) delete turn.elsewhere;
      if (!sound(turn.handshake)) delete turn.handshake;
    }
    return this.#turns;
  }

  #of(id: string): TurnSightings {
    let turn = this.#turns.get(id);
    if (!turn) {
      turn = { firstEnd: {}, streamEnd: {}, bare: {} };
      this.#turns.set(id, turn);
    }
    return turn;
  }

  #see(exchange: Exchange, shown: NonNullable<Exchange['turn']>): void {
    const { operation, sentAt, receivedAt } = exchange;
    const turn = this.#of(shown.id);
    const sighting: Sighting = { ...referenceOf(exchange), sentAt, receivedAt, status: shown.status ?? '' };
    if (operation === 'openStream') turn.handshake = first(turn.handshake, sighting, bySending);
    if (operation !== 'readTurn' && operation !== 'sendMessage') return;
    if (shown.conversation !== undefined)
      turn.elsewhere = first(turn.elsewhere, { ...sighting, conversation: shown.conversation }, bySending);
    const state = this.#endOf(shown.status);
    if (state) turn.firstEnd[state] = first(turn.firstEnd[state], sighting, byReceipt);
    // A 202 may be a copy of the first answer to this message: that it says "queued" shows nothing.
    if (operation === 'readTurn') this.#poll(turn, sighting, shown, state);
  }

  #poll(
    turn: TurnSightings,
    sighting: Sighting,
    shown: NonNullable<Exchange['turn']>,
    state: EndState | undefined,
  ): void {
    if (this.#words.turns.open.includes(sighting.status))
      turn.lastOpen = first(turn.lastOpen, sighting, (a, b) => -bySending(a, b));
    const lacks = state === 'completed' ? shown.userMessageId : shown.error;
    if (state && lacks === undefined) turn.bare[state] = first(turn.bare[state], sighting, bySending);
    const { userMessageId: user, assistantMessageId: assistant } = shown;
    if (user === undefined || assistant === undefined) return;
    const before = turn.result;
    turn.result = first(before, { ...sighting, user, assistant }, bySending);
    const other = before && (before.user !== user || before.assistant !== assistant);
    if (other) turn.otherResult = first(turn.otherResult, turn.result === before ? sighting : before, bySending);
  }

  #endOf(status: string | undefined): EndState | undefined {
    if (status === undefined) return undefined;
    if (this.#words.turns.completed.includes(status)) return 'completed';
    return this.#words.turns.failed.includes(status) ? 'failed' : undefined;
  }
}

const byReceipt = (a: Sighting, b: Sighting) => a.receivedAt - b.receivedAt || a.worker - b.worker || a.seq - b.seq;

const first = <T>(known: T | undefined, other: T, order: (a: T, b: T) => number): T =>
  known === undefined || order(other, known) < 0 ? other : known;
