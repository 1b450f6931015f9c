import type { Exchange, JournalRecord, ProfileWords } from '../../../history/index.ts';
import type { Reference } from '../reference.ts';

/** A turn as one answer showed it. */
export interface Sighting extends Reference {
  readonly sentAt: number;
  /** The last byte: by then the service had said it. */
  readonly receivedAt: number;
  readonly status: string;
}

/** A result: the messages that an answer names. */
export interface ResultSighting extends Sighting {
  readonly user: string;
  readonly assistant: string;
}

/**
 * What showed of one turn. Of each sort of sighting the one that proves most is kept, so that any number of polls takes one
 * small object: of an open turn the poll sent last, of an end the answer received first.
 */
export interface TurnSightings {
  open?: Sighting;
  completed?: Sighting;
  failed?: Sighting;
  /** First event of the stream, run µs. */
  completedOnStream?: number;
  failedOnStream?: number;
  /** Completed without a message; failed without an error. */
  completedBare?: Sighting;
  failedBare?: Sighting;
  /** The first answer that had a result, and one that had another. */
  result?: ResultSighting;
  otherResult?: Sighting;
  /** An answer that names another conversation than the one asked about. */
  elsewhere?: Sighting & { readonly conversation: string };
  /** The handshake of the stream that was sent first. */
  handshake?: Sighting;
}

type Shown = NonNullable<Exchange['turn']>;
type Plain = 'open' | 'completed' | 'failed' | 'completedBare' | 'failedBare' | 'otherResult' | 'handshake';
const plain: readonly Plain[] = [
  'open',
  'completed',
  'failed',
  'completedBare',
  'failedBare',
  'otherResult',
  'handshake',
];

export class TurnGatherer {
  readonly #words: ProfileWords['turns'];
  readonly #turns = new Map<string, TurnSightings>();

  constructor(words: ProfileWords) {
    this.#words = words.turns;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'stream') {
      if (record.event !== 'completed' && record.event !== 'failed') return;
      const turn = this.#of(record.turn);
      const member = record.event === 'completed' ? 'completedOnStream' : 'failedOnStream';
      turn[member] = Math.min(turn[member] ?? Number.POSITIVE_INFINITY, record.at);
    } else if (record.kind === 'exchange' && record.turn && record.outcome === 'answered')
      this.#see(record, record.turn);
  }

  /** Without what doubtful records showed; a turn then has less to show, which is only ever in its favour. */
  finish(isDoubtful: (reference: Reference) => boolean): ReadonlyMap<string, TurnSightings> {
    for (const turn of this.#turns.values()) {
      for (const member of [...plain, 'result', 'elsewhere'] as const) {
        const seen = turn[member];
        if (seen && isDoubtful(seen)) delete turn[member];
      }
    }
    return this.#turns;
  }

  #of(id: string): TurnSightings {
    let turn = this.#turns.get(id);
    if (!turn) {
      turn = {};
      this.#turns.set(id, turn);
    }
    return turn;
  }

  #see(exchange: Exchange, shown: Shown): void {
    const { operation } = exchange;
    if (operation === 'openStream') keep(this.#of(shown.id), 'handshake', exchange, isSentEarlier);
    if (operation !== 'readTurn' && operation !== 'sendMessage') return;
    const turn = this.#of(shown.id);
    const { conversation, status = '' } = shown;
    if (conversation !== undefined && (!turn.elsewhere || isSentEarlier(exchange, turn.elsewhere)))
      turn.elsewhere = { ...sightingOf(exchange), conversation };
    const state = this.#endOf(status);
    if (state) keep(turn, state, exchange, isReceivedEarlier);
    // A 202 may be a copy of the first answer to this message: that it says "queued" shows nothing.
    if (operation !== 'readTurn') return;
    if (!state && this.#words.open.includes(status)) keep(turn, 'open', exchange, isSentLater);
    if (state === 'completed' && shown.userMessageId === undefined)
      keep(turn, 'completedBare', exchange, isSentEarlier);
    if (state === 'failed' && shown.error === undefined) keep(turn, 'failedBare', exchange, isSentEarlier);
    seeResult(turn, exchange, shown);
  }

  #endOf(status: string): 'completed' | 'failed' | undefined {
    if (this.#words.completed.includes(status)) return 'completed';
    return this.#words.failed.includes(status) ? 'failed' : undefined;
  }
}

function seeResult(turn: TurnSightings, exchange: Exchange, { userMessageId, assistantMessageId }: Shown): void {
  if (userMessageId === undefined || assistantMessageId === undefined) return;
  const before = turn.result;
  const isFirst = !before || isSentEarlier(exchange, before);
  if (before && (before.user !== userMessageId || before.assistant !== assistantMessageId)) {
    if (!isFirst) keep(turn, 'otherResult', exchange, isSentEarlier);
    else turn.otherResult = before;
  }
  if (isFirst) turn.result = { ...sightingOf(exchange), user: userMessageId, assistant: assistantMessageId };
}

const sightingOf = ({ worker, seq, sentAt, receivedAt, turn }: Exchange): Sighting => ({
  worker: worker ?? 0,
  seq,
  sentAt,
  receivedAt,
  status: turn?.status ?? '',
});

type Better = (exchange: Exchange, known: Sighting) => boolean;
const order = (exchange: Exchange, known: Sighting) =>
  (exchange.worker ?? 0) - known.worker || exchange.seq - known.seq;
const isSentEarlier: Better = (exchange, known) => (exchange.sentAt - known.sentAt || order(exchange, known)) < 0;
const isSentLater: Better = (exchange, known) => (exchange.sentAt - known.sentAt || order(exchange, known)) > 0;
const isReceivedEarlier: Better = (exchange, known) =>
  (exchange.receivedAt - known.receivedAt || order(exchange, known)) < 0;

/** Most polls show nothing that was not known: these make no object. */
function keep(turn: TurnSightings, member: Plain, exchange: Exchange, isBetter: Better): void {
  const known = turn[member];
  if (!known || isBetter(exchange, known)) turn[member] = sightingOf(exchange);
}
