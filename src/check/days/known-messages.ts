import { type Evidence, mayBeTaken, Replay } from '../evidence/evidence.ts';

/** What must be known of messages before their attempts are joined; by number of message. */
export interface KnownMessages {
  /** 1: its bucket is unknown. */
  readonly spread: Uint8Array;
  /** From when on another content may have been accepted under its id; infinite: never. */
  readonly changedAt: Float64Array;
}

/** @param rows rows of messages sent, rising in `from` */
export function knownOf(evidence: Evidence, rows: Uint32Array): KnownMessages {
  return { spread: spreadMessages(evidence, rows), changedAt: changesOf(evidence, rows) };
}

/**
 * By message, 1 if its bucket is unknown: attempts were sent with several tokens or to several conversations, or the first
 * attempt lies before the history and may have been charged then.
 */
function spreadMessages({ message, place, replay }: Evidence, rows: Uint32Array): Uint8Array {
  const size = sizeFor(message, rows);
  // Row plus one; 0 is none.
  const first = new Uint32Array(size);
  const spread = new Uint8Array(size);
  for (const row of rows) {
    const number = message[row] as number;
    const other = (first[number] as number) - 1;
    if (other < 0) {
      first[number] = row + 1;
      if (replay[row] === Replay.marked) spread[number] = 1;
    } else if (place[other] !== place[row]) spread[number] = 1;
  }
  return spread;
}

/**
 * A service that keeps one content per id has forgotten the first when it accepts another (section 4.3 does not say what it
 * does), and may charge the first again as if it were new. For the service, another message of the same id may be that other
 * content.
 */
function changesOf(evidence: Evidence, rows: Uint32Array): Float64Array {
  const { message, otherContent, from, sameId } = evidence;
  const changedAt = new Float64Array(sizeFor(message, rows)).fill(Number.POSITIVE_INFINITY);
  for (const row of rows) {
    const number = message[row] as number;
    if (otherContent[row] === 1 && mayBeTaken(evidence, row))
      changedAt[number] = Math.min(changedAt[number] as number, from[row] as number);
  }
  const firsts = firstTakenOf(evidence, rows);
  for (const [number, group] of sameId) {
    const first = firsts.get(group);
    if (!first || number >= changedAt.length) continue;
    const others = first.message === number ? first.nextAt : first.at;
    changedAt[number] = Math.min(changedAt[number] as number, others);
  }
  return changedAt;
}

interface FirstTaken {
  readonly message: number;
  readonly at: number;
  /** When the next of the other messages may have been taken. */
  readonly nextAt: number;
}

/** Which message of each group of one id may have been taken first. */
function firstTakenOf(evidence: Evidence, rows: Uint32Array): ReadonlyMap<number, FirstTaken> {
  const { message, from, sameId } = evidence;
  const firsts = new Map<number, FirstTaken>();
  if (sameId.size === 0) return firsts;
  for (const row of rows) {
    const group = sameId.get(message[row] as number);
    if (group === undefined || !mayBeTaken(evidence, row)) continue;
    const [first, at] = [firsts.get(group), from[row] as number];
    if (!first) firsts.set(group, { message: message[row] as number, at, nextAt: Number.POSITIVE_INFINITY });
    else if (first.message !== message[row] && at < first.nextAt) firsts.set(group, { ...first, nextAt: at });
  }
  return firsts;
}

/** Size of an array indexed by the numbers of these messages, which begin at 1. */
function sizeFor(message: Evidence['message'], rows: Uint32Array): number {
  let most = 0;
  for (const row of rows) most = Math.max(most, message[row] as number);
  return most + 1;
}
