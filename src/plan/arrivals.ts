import type { Micros } from '../base/index.ts';
import { choiceAmong } from './journey-choice.ts';
import { loadModelOf } from './load-models/index.ts';
import { isInSegment, type Segment } from './segment.ts';
import type { Source } from './sources.ts';

/** A planned start of a journey. */
export interface Arrival {
  /** 0, 1, … in order of time; identifies the arrival in the journal and in derived identifiers. */
  readonly index: number;
  readonly intendedAt: Micros;
  readonly phase: string;
  readonly journey: string;
  /** Index of the user, 0 ≤ user < number of users. */
  readonly user: number;
  /** Number of its load model, if that sets `noCatchUp`; absent: a late arrival starts at once. */
  readonly ceiling?: number;
}

/**
 * Merges the arrivals of all sources by time; at equal times, in the order of the file. Yields only arrivals of the segment's
 * users, with their indices in the whole plan.
 */
export function* mergedArrivals(
  sources: readonly Source[],
  seed: number,
  users: number,
  segment: Segment,
): Generator<Arrival> {
  const heads = sources.map((source) => headOf(source, seed, users));
  for (let index = 0; ; index++) {
    const first = earliest(heads);
    if (!first) return;
    const { source, at } = first;
    const user = first.userOf(index);
    if (isInSegment(user, segment)) {
      yield {
        index,
        intendedAt: at as Micros,
        phase: source.phase,
        journey: first.journeyOf(index),
        user,
        ...(source.ceiling !== undefined && { ceiling: source.ceiling }),
      };
    }
    first.advance();
  }
}

/** The next arrival of one source. */
interface Head {
  readonly source: Source;
  readonly journeyOf: (index: number) => string;
  /** Index of its user. */
  readonly userOf: (index: number) => number;
  /** Instant of the arrival; infinite if there is none. */
  at: number;
  advance(): void;
}

function headOf(source: Source, seed: number, users: number): Head {
  const { onlyUsers } = source;
  const offsets = loadModelOf(source.model).arrivals(source.model, source.seed)[Symbol.iterator]();
  let left = source.count;
  const head: Head = {
    source,
    journeyOf: choiceAmong(source.choice, seed),
    userOf: (index) => (onlyUsers ? (onlyUsers[(source.count - left - 1) % onlyUsers.length] ?? 0) : index % users),
    at: 0,
    advance() {
      const next = left > 0 ? offsets.next() : undefined;
      left--;
      head.at = next === undefined || next.done ? Number.POSITIVE_INFINITY : source.startUs + next.value;
    },
  };
  head.advance();
  return head;
}

function earliest(heads: readonly Head[]): Head | undefined {
  let first = heads[0];
  for (const head of heads) if (first && head.at < first.at) first = head;
  return first?.at === Number.POSITIVE_INFINITY ? undefined : first;
}
