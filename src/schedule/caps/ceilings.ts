import type { Micros } from '../../base/index.ts';
import type { Arrival } from '../../plan/index.ts';

/** What happens to an arrival of a load model with `noCatchUp`. */
export type Passage =
  | { readonly kind: 'start' }
  /** Wait until `at`, then call `again`, because the timer may have fired late. */
  | {
      readonly kind: 'held';
      readonly at: Micros;
      readonly again: (now: Micros) => Passage;
      /** To be called if it is dropped for another reason: later arrivals then keep no distance to it. */
      readonly leave: () => void;
    }
  /** Too late to keep the distance to the following arrivals: dropped. */
  | { readonly kind: 'late' };

/**
 * An arrival that is late by this much, µs, is dropped. Smaller lateness is normal timer jitter; it delays the following arrivals by
 * the same time, so that they are never closer together than planned.
 */
export const LATE_US = 20_000;

/** A held arrival is dropped only if it is late by this much, µs: a late timer alone does not drop it, only a stalled generator. */
const LATEST_US = 2 * LATE_US;

/** Arrivals planned for the same instant; they start or are dropped together. */
interface Group {
  readonly intendedAt: Micros;
  /** Planned distance to the previous group. */
  readonly gapUs: number;
  /** The last group before it that may be held. */
  previous: Group | undefined;
  /** When it starts, as far as known. */
  at: number;
  fate: 'held' | 'left' | 'decided';
}

interface Stream {
  /** The last group. */
  group: Group;
  /** The last group that started; absent: none has. */
  started: Group | undefined;
  /** When a group last started. */
  startedAt: number;
}

/**
 * Implements `noCatchUp`: no arrival of a load model starts sooner after its predecessor than planned, so that arrivals that pile
 * up while the generator is stalled are never sent in a burst. If a timer fires late, the next arrival comes at least half of
 * that distance later. Arrivals planned for the same instant stay together.
 */
export class Ceilings {
  readonly #streams = new Map<number, Stream>();

  /** Must be called once for each arrival, in the order of the plan. */
  passageOf({ intendedAt, ceiling }: Arrival, now: Micros): Passage {
    if (ceiling === undefined) return START;
    const known = this.#streams.get(ceiling);
    const last = known?.group;
    const stream: Stream = known ?? {
      group: groupOf(intendedAt, undefined),
      started: undefined,
      startedAt: Number.NEGATIVE_INFINITY,
    };
    if (!known) this.#streams.set(ceiling, stream);
    else if (last?.intendedAt !== intendedAt) stream.group = groupOf(intendedAt, last);
    return decide(stream, stream.group, now, true);
  }
}

const groupOf = (intendedAt: Micros, previous: Group | undefined): Group => ({
  intendedAt,
  gapUs: previous ? intendedAt - previous.intendedAt : 0,
  previous,
  at: intendedAt,
  fate: 'held',
});

const START: Passage = { kind: 'start' };
const LATE: Passage = { kind: 'late' };

/**
 * When it should start: a planned distance after the scheduled start of its predecessor, whenever that actually started, so that
 * timer delays do not add up.
 */
const plannedAfter = ({ started }: Stream, group: Group): number => {
  const { gapUs } = group;
  const before = heldBefore(group) ?? started;
  return before ? before.at + gapUs : Number.NEGATIVE_INFINITY;
};

/** After a stall all held arrivals wake together: each starts at least half of its distance after its predecessor's actual start. */
const awakeAt = ({ startedAt }: Stream, group: Group, now: Micros): number =>
  Math.max(group.at, startedAt + group.gapUs / 2, heldBefore(group) ? now + 1 : 0);

/** The last group before it that is held: others between them may have been dropped while that one slept. */
function heldBefore(group: Group): Group | undefined {
  while (group.previous && group.previous.fate !== 'held') group.previous = group.previous.previous;
  return group.previous;
}

function decide(stream: Stream, group: Group, now: Micros, isNew = false): Passage {
  if (group.fate === 'held' || group.fate === 'left') {
    group.at = Math.max(group.at, plannedAfter(stream, group), isNew ? now : 0);
    const at = Math.ceil(awakeAt(stream, group, now)) as Micros;
    const lateUs = Math.max(at, now) - group.intendedAt;
    const isLate = lateUs >= (isNew ? LATE_US : LATEST_US);
    if (!isLate && at > now)
      return { kind: 'held', at, again: (later) => decide(stream, group, later), leave: () => leave(group) };
    group.fate = 'decided';
    if (!isLate) {
      group.previous = undefined;
      stream.started = group;
    }
  }
  // It was late, or wakes after a later group has started.
  if (stream.started !== group) return LATE;
  stream.startedAt = now;
  return START;
}

/** Marks one arrival as dropped; others planned for the same instant may still start. */
function leave(group: Group): void {
  if (group.fate === 'held') group.fate = 'left';
}
