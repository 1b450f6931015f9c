import type { EndRecord, Header, ProfileWords } from '../history/index.ts';
import type { ExchangeRef } from './certificate.ts';
import type { Skipped } from './doubt.ts';
import type { Places } from './labels.ts';
import type { Rows } from './rows.ts';
import type { Timeline } from './timeline.ts';
import type { TurnTimes } from './turn-times.ts';

/**
 * What came of an attempt. `admitted`: a success of its operation, with a usable body. `refused`: a 429. `maybe`: anything
 * else, also an answer of success that an intermediary may have made (another status, or a body that cannot be used).
 */
export const Answer = { admitted: 0, refused: 1, maybe: 2 } as const;
export type Answer = (typeof Answer)[keyof typeof Answer];

/**
 * Whether an attempt at a message only repeats one that was decided before. `no`: of all attempts it was the first to be sent, so
 * that whichever of them counted, it did while this one was under way. `marked`: the client says so, and the message may be older
 * than the history.
 */
export const Replay = { no: 0, perhaps: 1, marked: 2 } as const;

/** Identifiers of turns behind their numbers, from 1. */
export interface TurnIds {
  readonly name: (turn: number) => string | undefined;
  /** 0 when no record names it. */
  readonly find: (id: string) => number;
}

/** What of the rows is known while records still come. */
export interface KnownRows {
  readonly columns: Pick<Rows, 'sentAt' | 'until' | 'seq' | 'worker'>;
  /** Number of the conversation (`Places`); 0: it names none. */
  readonly conversationOf: (row: number) => number;
}

/** Every attempt of a history, a row each, in columns (some seventy bytes a row), and what is needed to judge them. */
export interface Evidence extends Rows {
  readonly header: Header;
  readonly end?: EndRecord;
  readonly words: ProfileWords;
  readonly timeline: Timeline;
  readonly size: number;
  /** Limits of which a refusal's code shows that they have one (`LimitSet`). */
  readonly withCodes: number;
  /** Rows in rising order of `from`. */
  readonly order: Uint32Array;
  /** The service decided within [from, to], service µs since run time 0; −∞ and ∞ for doubtful records. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly places: Places;
  readonly refOf: (row: number) => ExchangeRef;
  readonly turns: TurnTimes;
  readonly turnIds: TurnIds;
  /** Every request that was sent has its record, and every line of the history could be read. */
  readonly complete: boolean;
  readonly skipped: Skipped;
}
