import type { Micros } from '../base/index.ts';
import type { Arrival } from '../plan/index.ts';

/** What becomes of an arrival whose load model's rate is a ceiling. */
export type Passage =
  /** It may start at `at`, now or a little later. */
  | { readonly kind: 'start'; readonly at: Micros }
  /** It is too late to keep its distance to the next ones: it is dropped. */
  | { readonly kind: 'late' };

/**
 * Later than this an arrival is dropped. Below, lateness is the ordinary jitter of a timer, and what follows is put off by as
 * much rather than sent closer together.
 */
export const LATE_US = 20_000;

interface Stream {
  /** Of the last arrival, dropped or not. */
  plannedAt: Micros;
  /** When the last one that was not dropped started. */
  startedAt: number;
  wasDropped: boolean;
}

/**
 * Keeps a rate as a ceiling (`noCatchUp`): no arrival of a load model starts sooner after the one before it than planned, so
 * that what piles up while the generator is stalled is never sent in a burst. What is planned for the same instant stays together.
 */
export class Ceilings {
  readonly #streams = new Map<number, Stream>();

  /** To be asked once for each arrival, in the order of the plan. */
  passageOf(arrival: Arrival, now: Micros): Passage {
    if (arrival.ceiling === undefined) return { kind: 'start', at: now };
    const { intendedAt, ceiling } = arrival;
    const last = this.#streams.get(ceiling) ?? {
      plannedAt: intendedAt,
      startedAt: Number.NEGATIVE_INFINITY,
      wasDropped: false,
    };
    const distance = intendedAt - last.plannedAt;
    const joins = distance === 0 && this.#streams.has(ceiling);
    const at = joins ? Math.max(now, last.startedAt) : Math.max(now, last.startedAt + distance);
    const isLate = joins ? last.wasDropped : at - intendedAt >= LATE_US;
    this.#streams.set(ceiling, {
      plannedAt: intendedAt,
      startedAt: isLate ? last.startedAt : at,
      wasDropped: isLate,
    });
    return isLate ? { kind: 'late' } : { kind: 'start', at: at as Micros };
  }
}
