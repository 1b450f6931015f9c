import type { ClockRecord } from '../history/index.ts';

/** Records no less certain than this come from a clock that we know exactly; a jump between them is a clock set by hand. */
const EXACT_US = 100_000;

/**
 * What others are unsure of that a clock that runs evenly need not be: a Date header tells one second, and is recorded as two for
 * servers that send the last one a while longer, by which a clock that runs evenly is behind at all times alike. Records that agree but for this may be of
 * a clock that was set in between.
 */
const SPARE_US = 500_000;

/** Of a clock of which records are missing: longer than any run, and finite, as infinities cancel out to nothing. */
const UNKNOWN_STEP_US = 1e15;

interface ErrorRange {
  low: number;
  high: number;
  /** Whether records of it contradict one another: what else agrees with one of them makes it no more certain. */
  isContradicted: boolean;
}

/** A stretch of run time in which the service's clock runs evenly: service = serviceUs + (t − at) × rate + error. */
interface Piece {
  readonly at: number;
  readonly serviceUs: number;
  readonly rate: number;
  readonly exact: boolean;
  /** The error lies in here; it is the same throughout the piece. */
  readonly error: ErrorRange;
  /** Where it would lie if records had nothing to spare. */
  readonly narrow: ErrorRange;
}

/**
 * Run time → service time. Differences between two instants are exact up to the clock's drift and `stepUs`; only absolute
 * instants (aligned windows, UTC days) carry `phaseUncertaintyUs`, because the unknown offset is one and the same for all.
 */
export interface Timeline {
  /** Service µs since run time 0: small numbers, so that doubles keep fractions of a microsecond. Never decreases. */
  readonly at: (t: number) => number;
  /** Service time of run time 0, µs since 1970; its error is at most `phaseUncertaintyUs`. */
  readonly originUs: number;
  /** Infinite when no record says what time it is at the service. */
  readonly phaseUncertaintyUs: number;
  /** By how much the length of any interval may be wrong beside drift: records that contradict one another. */
  readonly stepUs: number;
  /** As of `ClockTerms`. */
  readonly mayLackRecords: boolean;
}

/** A service whose clock nobody saw: it runs as ours does. */
export const unknownTimeline: Timeline = {
  at: (t) => t,
  originUs: 0,
  phaseUncertaintyUs: Number.POSITIVE_INFINITY,
  stepUs: 0,
  mayLackRecords: false,
};

/** What is known of a clock beside its records. */
export interface ClockTerms {
  /** How far it may run fast or slow against ours; widens what an early record says of later times. */
  readonly driftPpm: number;
  /** Whether some record of it may be missing, such as the one that says how fast it runs. */
  readonly mayLackRecords: boolean;
}

/**
 * One consistent mapping from all records: within an even stretch the offset is the intersection of what the records allow,
 * so the mapping never jumps from record to record.
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

/** Takes a record into the present piece, or begins a new one. @returns how much of a difference it leaves unexplained, µs */
function add(pieces: Piece[], piece: Piece, record: ClockRecord, drift: number): number {
  const predicted = piece.serviceUs + (record.at - piece.at) * piece.rate;
  const slack = record.plusMinusUs + Math.abs(record.at - piece.at) * piece.rate * drift;
  const low = record.serviceUs - predicted - slack;
  const high = record.serviceUs - predicted + slack;
  if (record.rate !== piece.rate) {
    pieces.push(pieceOf(record));
    // Where the two stretches meet, each is known to its own uncertainty; beyond that the clock was set.
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

/** What two say together; where they contradict one another, both. @returns whether they agree */
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
  // Relative to the origin from the start, so that no precision is lost in large numbers.
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
  // The first record says what time it was when it came; how far the clock had drifted by then nobody saw.
  const unseen = Math.max(0, first.at) * first.rate * drift;
  return {
    at,
    originUs,
    phaseUncertaintyUs: widest + 0.5 + unseen + (pieces.length > 1 ? stepUs : 0),
    stepUs,
    mayLackRecords: false,
  };
}
