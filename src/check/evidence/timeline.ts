import type { ClockRecord } from '../../history/index.ts';

/**
 * Records with at most this uncertainty come from a clock that is known exactly; a jump between two of them means that the clock
 * was set.
 */
const EXACT_US = 100_000;

/**
 * Uncertainty of a Date header that an evenly running clock need not have. A Date header gives one second, but is recorded as
 * two, for servers that keep sending the last one for a while; an evenly running clock is behind by the same amount at all times.
 * If records agree only thanks to this spare second, the clock may have been set in between.
 */
const SPARE_US = 500_000;

/** Used if records of the clock are missing: longer than any run, and finite, because infinities would cancel out to NaN. */
const UNKNOWN_STEP_US = 1e15;

interface ErrorRange {
  low: number;
  high: number;
  /** Whether records contradict one another; if so, a further record that agrees with one of them makes the clock no more certain. */
  isContradicted: boolean;
}

/** A stretch of run time in which the service's clock runs evenly: service = serviceUs + (t − at) × rate + error. */
interface Piece {
  readonly at: number;
  readonly serviceUs: number;
  readonly rate: number;
  readonly exact: boolean;
  /** Range of the error, which is constant throughout the piece. */
  readonly error: ErrorRange;
  /** Range of the error without the spare uncertainty (`SPARE_US`). */
  readonly narrow: ErrorRange;
}

/**
 * Maps run time to service time. Differences between two instants are exact up to the clock's drift and `stepUs`. Only absolute
 * instants (aligned windows, UTC days) are uncertain by `phaseUncertaintyUs`, because the unknown offset is the same for all.
 */
export interface Timeline {
  /** Service µs since run time 0: small numbers, so that doubles keep fractions of a microsecond. Never decreases. */
  readonly at: (t: number) => number;
  /** Service time of run time 0, µs since 1970; its error is at most `phaseUncertaintyUs`. */
  readonly originUs: number;
  /** Infinite if no record shows the service's time. */
  readonly phaseUncertaintyUs: number;
  /** Beside drift, the possible error of any duration, due to records that contradict one another. */
  readonly stepUs: number;
  /** See `ClockTerms`. */
  readonly mayLackRecords: boolean;
}

/** For a service whose clock was never seen: it runs like ours. */
export const unknownTimeline: Timeline = {
  at: (t) => t,
  originUs: 0,
  phaseUncertaintyUs: Number.POSITIVE_INFINITY,
  stepUs: 0,
  mayLackRecords: false,
};

/** What is known about a clock beside its records. */
export interface ClockTerms {
  /** How far it may run fast or slow compared with ours; widens the range that an early record gives for later times. */
  readonly driftPpm: number;
  /** Whether a record may be missing, such as the one that says how fast the clock runs. */
  readonly mayLackRecords: boolean;
}

/**
 * One consistent mapping from all records. Within an even stretch the offset is the intersection of the ranges that the records
 * allow, so the mapping never jumps from record to record.
 */
export function timelineOf(records: readonly ClockRecord[], { driftPpm, mayLackRecords }: ClockTerms): Timeline {
  const timeline = evenTimeline(records, driftPpm);
  if (!mayLackRecords) return timeline;
  return { ...timeline, stepUs: UNKNOWN_STEP_US, phaseUncertaintyUs: Number.POSITIVE_INFINITY, mayLackRecords };
}

function evenTimeline(records: readonly ClockRecord[], driftPpm: number): Timeline {
  const sorted = records.filter(({ rate, plusMinusUs }) => rate > 0 && plusMinusUs >= 0).sort((a, b) => a.at - b.at);
  const first = sorted[0];
  if (!first) return unknownTimeline;
  const pieces = [pieceOf(first)];
  let stepUs = 0;
  for (const record of sorted.slice(1)) {
    const piece = pieces[pieces.length - 1] as Piece;
    const step = add(pieces, piece, record, driftPpm / 1e6);
    stepUs = Math.max(stepUs, step);
  }
  return mappingOf(pieces, stepUs, driftPpm / 1e6);
}

const pieceOf = (record: ClockRecord): Piece => ({
  at: record.at,
  serviceUs: record.serviceUs,
  rate: record.rate,
  exact: record.plusMinusUs < EXACT_US,
  error: rangeOf(record.plusMinusUs),
  narrow: rangeOf(certainUs(record)),
});

const rangeOf = (plusMinusUs: number): ErrorRange => ({ low: -plusMinusUs, high: plusMinusUs, isContradicted: false });

const middleOf = ({ low, high }: ErrorRange): number => (low + high) / 2;
const widthOf = ({ low, high }: ErrorRange): number => high - low;

const certainUs = ({ plusMinusUs }: ClockRecord): number =>
  plusMinusUs < 2 * SPARE_US ? plusMinusUs : plusMinusUs - SPARE_US;

/** Adds a record to the current piece, or begins a new one. @returns the difference that it leaves unexplained, µs */
function add(pieces: Piece[], piece: Piece, record: ClockRecord, drift: number): number {
  const predicted = piece.serviceUs + (record.at - piece.at) * piece.rate;
  const slack = record.plusMinusUs + Math.abs(record.at - piece.at) * piece.rate * drift;
  const low = record.serviceUs - predicted - slack;
  const high = record.serviceUs - predicted + slack;
  if (record.rate !== piece.rate) {
    pieces.push(pieceOf(record));
    // Where two pieces meet, each has its own uncertainty; a difference beyond that means that the clock was set.
    return widthOf(piece.error) + 2 * record.plusMinusUs + Math.max(0, piece.error.low - high);
  }
  if (piece.exact && record.plusMinusUs < EXACT_US && low > piece.error.high) {
    pieces.push(pieceOf(record));
    return widthOf(piece.error) + 2 * record.plusMinusUs;
  }
  const spare = record.plusMinusUs - certainUs(record);
  const isEven = meet(piece.narrow, low + spare, high - spare);
  const agrees = meet(piece.error, low, high);
  return Math.max(isEven ? 0 : widthOf(piece.narrow), agrees ? 0 : widthOf(piece.error));
}

/** Intersects two ranges; if they are disjoint, takes the hull of both. @returns whether they intersect */
function meet(range: ErrorRange, low: number, high: number): boolean {
  const agrees = low <= range.high && high >= range.low;
  if (agrees && range.isContradicted) return true;
  range.isContradicted ||= !agrees;
  const [atLeast, atMost] = agrees ? [Math.max, Math.min] : [Math.min, Math.max];
  range.low = atLeast(range.low, low);
  range.high = atMost(range.high, high);
  return agrees;
}

function mappingOf(pieces: readonly Piece[], stepUs: number, drift: number): Timeline {
  const first = pieces[0] as Piece;
  const absolute = (piece: Piece, t: number) => piece.serviceUs + (t - piece.at) * piece.rate + middleOf(piece.error);
  const originUs = Math.round(absolute(first, 0));
  // Relative to the origin from the start, so that large numbers cost no precision.
  const starts = pieces.map((piece) => piece.serviceUs - originUs + middleOf(piece.error));
  const floors = pieces.map((piece, i) => {
    const before = pieces[i - 1];
    return before === undefined
      ? Number.NEGATIVE_INFINITY
      : (starts[i - 1] as number) + (piece.at - before.at) * before.rate;
  });
  for (let i = 1; i < floors.length; i++) floors[i] = Math.max(floors[i] as number, floors[i - 1] as number);
  const at = (t: number) => {
    let i = pieces.length - 1;
    while (i > 0 && (pieces[i] as Piece).at > t) i -= 1;
    const piece = pieces[i] as Piece;
    return Math.max((starts[i] as number) + (t - piece.at) * piece.rate, floors[i] as number);
  };
  const widest = Math.max(...pieces.map((piece) => widthOf(piece.error) / 2));
  // The first record shows the time when it came; how far the clock had drifted by then is unknown.
  const unseen = Math.max(0, first.at) * first.rate * drift;
  return {
    at,
    originUs,
    phaseUncertaintyUs: widest + 0.5 + unseen + (pieces.length > 1 ? stepUs : 0),
    stepUs,
    mayLackRecords: false,
  };
}
