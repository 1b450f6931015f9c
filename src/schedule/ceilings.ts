import type { Micros } from '../base/index.ts';
import type { Arrival } from '../plan/index.ts';

/** What becomes of an arrival whose load model's rate is a ceiling. */
export type Passage =
  | { readonly kind: 'start' }
  /** Not before `at`, a little later than now; then it has to be asked again, as it may have woken later than that. */
  | { readonly kind: 'held'; readonly at: Micros; readonly again: (now: Micros) => Passage }
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
  fate: 'held' | 'started' | 'late';
}

/** Less than so much later than it is told a timer wakes one; passed on from one to the next, this would add up until all are too late. */
const JITTER_US = 1_000;

interface Stream {
  /** The last one. */
  group: Group;
  /** The last that started; absent: none has. */
  started: Group | undefined;
  /** When one last started, or was to start, where the difference is but a timer's jitter. */
  startedAt: number;
}

/**
 * Keeps a rate as a ceiling (`noCatchUp`): no arrival of a load model starts sooner after the one before it than planned, so
 * that what piles up while the generator is stalled is never sent in a burst: none but by the jitter of a timer, a millisecond at the
 * most. What is planned for the same instant stays together.
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
    return decide(stream, stream.group, now);
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

/** Those that were held may all wake at once, after a stall: each keeps its distance to what really started last. */
function decide(stream: Stream, group: Group, now: Micros): Passage {
  if (group.fate === 'held') {
    const before = group.previous?.fate === 'held' ? group.previous : undefined;
    const earliest = (before?.at ?? stream.startedAt) + group.gapUs;
    group.at = Math.max(group.at, earliest, before ? now + 1 : 0);
    const isLate = Math.max(group.at, now) - group.intendedAt >= LATE_US;
    if (!isLate && group.at > now)
      return { kind: 'held', at: group.at as Micros, again: (later) => decide(stream, group, later) };
    group.previous = undefined;
    group.fate = isLate ? 'late' : 'started';
    if (!isLate) stream.started = group;
  }
  // Whoever wakes so late that others have started meanwhile does not join them.
  if (group.fate === 'late' || stream.started !== group) return LATE;
  stream.startedAt = now - group.at < JITTER_US ? group.at : now;
  return START;
}
