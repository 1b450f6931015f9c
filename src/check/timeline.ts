import type { ClockRecord } from '../history/index.ts';

/** Records no less certain than this come from a clock that we know exactly; a jump between them is a clock set by hand. */
const EXACT_US = 100_000;

/** A stretch of run time in which the service's clock runs evenly: service = serviceUs + (t − at) × rate + error. */
interface Piece {
  readonly at: number;
  readonly serviceUs: number;
  readonly rate: number;
  readonly exact: boolean;
  /** The error lies in here; it is the same throughout the piece. */
  low: number;
  high: number;
  /** Whether records of it contradict one another: what else agrees with one of them makes it no more certain. */
  isContradicted: boolean;
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
}

/** A service whose clock nobody saw: it runs as ours does. */
export const unknownTimeline: Timeline = {
  at: (t) => t,
  originUs: 0,
  phaseUncertaintyUs: Number.POSITIVE_INFINITY,
  stepUs: 0,
};

/**
 * One consistent mapping from all records: within an even stretch the offset is the intersection of what the records allow,
 * so the mapping never jumps from record to record.
 * @param driftPpm how far the service's clock may run fast or slow against ours; widens what an early record says of later times
 */
export function timelineOf(records: readonly ClockRecord[], driftPpm: number): Timeline {
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
  low: -record.plusMinusUs,
  high: record.plusMinusUs,
  isContradicted: false,
});

/** Takes a record into the present piece, or begins a new one. @returns how much of a difference it leaves unexplained, µs */
function add(pieces: Piece[], piece: Piece, record: ClockRecord, drift: number): number {
  const predicted = piece.serviceUs + (record.at - piece.at) * piece.rate;
  const slack = record.plusMinusUs + Math.abs(record.at - piece.at) * piece.rate * drift;
  const low = record.serviceUs - predicted - slack;
  const high = record.serviceUs - predicted + slack;
  const agrees = low <= piece.high && high >= piece.low;
  if (record.rate !== piece.rate) {
    pieces.push(pieceOf(record));
    // Where the two stretches meet, each is known to its own uncertainty; beyond that the clock was set.
    const backwards = Math.max(0, piece.low - high);
    return piece.high - piece.low + 2 * record.plusMinusUs + backwards;
  }
  if (agrees && piece.isContradicted) return 0;
  if (agrees) {
    piece.low = Math.max(piece.low, low);
    piece.high = Math.min(piece.high, high);
    return 0;
  }
  if (piece.exact && record.plusMinusUs < EXACT_US && low > piece.high) {
    pieces.push(pieceOf(record));
    return piece.high - piece.low + 2 * record.plusMinusUs;
  }
  piece.isContradicted = true;
  piece.low = Math.min(piece.low, low);
  piece.high = Math.max(piece.high, high);
  return piece.high - piece.low;
}

function mappingOf(pieces: readonly Piece[], stepUs: number, drift: number): Timeline {
  const first = pieces[0] as Piece;
  const absolute = (piece: Piece, t: number) =>
    piece.serviceUs + (t - piece.at) * piece.rate + (piece.low + piece.high) / 2;
  const originUs = Math.round(absolute(first, 0));
  // Relative to the origin from the start, so that no precision is lost in large numbers.
  const starts = pieces.map((piece) => piece.serviceUs - originUs + (piece.low + piece.high) / 2);
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
  const widest = Math.max(...pieces.map((piece) => (piece.high - piece.low) / 2));
  // The first record says what time it was when it came; how far the clock had drifted by then nobody saw.
  const unseen = Math.max(0, first.at) * first.rate * drift;
  return { at, originUs, phaseUncertaintyUs: widest + 0.5 + unseen + (pieces.length > 1 ? stepUs : 0), stepUs };
}
