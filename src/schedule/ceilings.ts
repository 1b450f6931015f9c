import type { Micros } from '../base/index.ts';
import type { Arrival } from '../plan/index.ts';

/** What becomes of an arrival whose load model's rate is a ceiling. */
export type Passage =
  | { readonly kind: 'start' }
  /** Not before `at`, a little later than now; then it has to be asked again, as it may have woken later than that. */
  | {
      readonly kind: 'held';
      readonly at: Micros;
      readonly again: (now: Micros) => Passage;
      /** It is dropped for another reason: nobody waits behind it any more, and nothing keeps a distance to it. */
      readonly leave: () => void;
    }
  /** It is too late to keep its distance to the next ones: it is dropped. */
  | { readonly kind: 'late' };

/**
 * Later than this an arrival is dropped. Below, lateness is the ordinary jitter of a timer, and what follows is put off by as
 * much rather than sent closer together.
 */
export const LATE_US = 20_000;

/** What is planned for one instant, and shares its fate. */
interface Group {
  readonly intendedAt: Micros;
  /** Planned distance to the group before. */
  readonly gapUs: number;
  /** The one before, as long as it may be held. */
  previous: Group | undefined;
  /** When it starts, as far as that is known. */
  at: number;
  fate: 'held' | 'left' | 'started' | 'late';
}

/** What was to start in time is not dropped for what its timer is late by, but where the generator stood still. */
const LATEST_US = 2 * LATE_US;

interface Stream {
  /** The last one. */
  group: Group;
  /** The last that started; absent: none has. */
  started: Group | undefined;
  /** When one last started. */
  startedAt: number;
}

/**
 * Keeps a rate as a ceiling (`noCatchUp`): no arrival of a load model is to start sooner after the one before it than planned, so
 * that what piles up while the generator is stalled is never sent in a burst; where a timer wakes it late, the next comes no sooner
 * than half of that distance later. What is planned for the same instant stays together.
 */
export class Ceilings {
  readonly #streams = new Map<number, Stream>();

  /** To be asked once for each arrival, in the order of the plan. */
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
 * When it is to start: a planned distance after the one before was to, whenever that one really did, so that what timers are late
 * by does not add up from one to the next.
 */
const plannedAfter = ({ started }: Stream, { gapUs, previous }: Group): number => {
  const before = previous?.fate === 'held' ? previous : started;
  return before ? before.at + gapUs : Number.NEGATIVE_INFINITY;
};

/** After a stall all that were held wake together: each comes half of its distance after the one before really started. */
const awakeAt = ({ startedAt }: Stream, { at, gapUs, previous }: Group, now: Micros): number =>
  Math.max(at, startedAt + gapUs / 2, previous?.fate === 'held' ? now + 1 : 0);

function decide(stream: Stream, group: Group, now: Micros, isNew = false): Passage {
  if (group.fate === 'held' || group.fate === 'left') {
    group.at = Math.max(group.at, plannedAfter(stream, group), isNew ? now : 0);
    const at = Math.ceil(awakeAt(stream, group, now)) as Micros;
    const lateUs = Math.max(at, now) - group.intendedAt;
    const isLate = lateUs >= (isNew ? LATE_US : LATEST_US);
    if (!isLate && at > now)
      return { kind: 'held', at, again: (later) => decide(stream, group, later), leave: () => leave(group) };
    group.previous = undefined;
    group.fate = isLate ? 'late' : 'started';
    if (!isLate) stream.started = group;
  }
  // Whoever wakes so late that others have started meanwhile does not join them.
  if (group.fate === 'late' || stream.started !== group) return LATE;
  stream.startedAt = now;
  return START;
}

/** Others of the same instant may still start. */
function leave(group: Group): void {
  if (group.fate !== 'held') return;
  group.fate = 'left';
  group.previous = undefined;
}
