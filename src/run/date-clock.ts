import { type OperationId, operations, type TargetProfile } from '../api/index.ts';
import { type Micros, parseHttpDate } from '../base/index.ts';
import type { ClockRecord } from '../history/index.ts';

/** What of an exchange tells the time at the service. */
export interface Dated {
  readonly operation: OperationId;
  readonly date?: string | undefined;
  readonly sentAt: Micros;
  readonly headersAt?: Micros | undefined;
  /** Of a body that is none of the service's: whoever wrote it, such as a gateway, wrote the Date, too. */
  readonly bodyProblem?: string | undefined;
}

/**
 * Follows a remote service's clock by its Date headers: whole seconds, stamped between sending and the answer, by servers of which some
 * look at their clock only once a second (Kestrel, Vert.x, fasthttp). So the true time is known to a little more than ± 1 s and half a
 * round trip. Recorded are one header every half a minute, every one that contradicts what was heard before (it may come from a cache, or
 * from another server), and those that make the clock much surer: without them, a reader of the records alone would not see the
 * contradiction. Those of token answers are not heard, which may be another
 * service's altogether: no limit that is judged counts by its clock alone. Nor are those of reads where the profile says that these may
 * be copies (`turns.staleFor`): a copy brings the Date of what it is a copy of.
 * @param nextDate one cell, the second from which on the next is wanted; shared with other threads that hear the same service
 */
export function dateHeaderClock(
  profile: Pick<TargetProfile, 'turns'>,
  nextDate: Int32Array = new Int32Array(1),
): (exchange: Dated) => ClockRecord | undefined {
  const heard = new HeardDates();
  const isHeard = (operation: OperationId) =>
    operation !== 'issueToken' && (profile.turns.staleFor === 0 || operations[operation].method !== 'GET');
  return ({ operation, date, sentAt, headersAt, bodyProblem }) => {
    if (date === undefined || headersAt === undefined || bodyProblem !== undefined || !isHeard(operation))
      return undefined;
    const halfTripUs = Math.ceil((headersAt - sentAt) / 2);
    const at = (sentAt + halfTripUs) as Micros;
    const startUs = heard.startOf(date);
    if (Number.isNaN(startUs)) return undefined;
    const isNews = heard.isNews(startUs - at, halfTripUs);
    const wantedFrom = Atomics.load(nextDate, 0);
    const second = Math.floor(sentAt / 1_000_000);
    // Of several threads that hear it at once, one tells it.
    const isDue =
      second >= wantedFrom && Atomics.compareExchange(nextDate, 0, wantedFrom, second + RESYNC_S) === wantedFrom;
    if (!isNews && !isDue) return undefined;
    // A header that says second s was made in [s, s + 1), and sent for up to a second from then on.
    const serviceUs = (startUs + SECOND_US) as Micros;
    return { kind: 'clock', at, serviceUs, plusMinusUs: (SECOND_US + LATE_US + halfTripUs) as Micros, rate: 1 };
  };
}

const RESYNC_S = 30;
const SECOND_US = 1_000_000;
/** By how much a timer of a second may be late, or a Date be ahead of the clock that limits go by. */
const LATE_US = 100_000;
/** What contradicts by less is no news: as long as all that was heard agrees it is narrowed, and drifts out of it bit by bit. */
const MARGIN_US = 100_000;

/** How far the service's clock is ahead of the run's, as one thread has heard it. */
class HeardDates {
  #last = { text: '', startUs: Number.NaN };
  #lowUs = Number.POSITIVE_INFINITY;
  #highUs = Number.NEGATIVE_INFINITY;
  #isContradicted = false;
  /** What those say together that were told. */
  #told = { lowUs: Number.NEGATIVE_INFINITY, highUs: Number.POSITIVE_INFINITY };

  /** Thousands of answers in a row say the same second. */
  startOf(text: string): number {
    if (text !== this.#last.text) this.#last = { text, startUs: parseHttpDate(text) * 1_000 };
    return this.#last.startUs;
  }

  /**
   * Whether it is the first, one that cannot be of the same clock as those before, or one that readers of what was told lack. It is so once, as
   * what has been heard is remembered.
   */
  isNews(aheadUs: number, halfTripUs: number): boolean {
    const [low, high] = [aheadUs - halfTripUs, aheadUs + SECOND_US + halfTripUs];
    const isFirst = this.#lowUs > this.#highUs;
    const isApart = !isFirst && (low > this.#highUs + MARGIN_US || high < this.#lowUs - MARGIN_US);
    if (isApart) this.#isContradicted = true;
    if (isFirst || isApart) {
      this.#lowUs = Math.min(this.#lowUs, low);
      this.#highUs = Math.max(this.#highUs, high);
      if (isFirst) this.#told = { lowUs: low, highUs: high };
      return true;
    }
    if (this.#isContradicted || Math.max(this.#lowUs, low) > Math.min(this.#highUs, high)) return false;
    // An answer that took its time says little; those after it say more.
    this.#lowUs = Math.max(this.#lowUs, low);
    this.#highUs = Math.min(this.#highUs, high);
    return this.#isMuchSurer(low, high);
  }

  #isMuchSurer(low: number, high: number): boolean {
    const told = { lowUs: Math.max(this.#told.lowUs, low), highUs: Math.min(this.#told.highUs, high) };
    const before = widthOf(this.#told);
    const isLacked = 2 * widthOf({ lowUs: this.#lowUs, highUs: this.#highUs }) <= before;
    if (!isLacked || widthOf(told) > before - MARGIN_US) return false;
    this.#told = told;
    return true;
  }
}

const widthOf = ({ lowUs, highUs }: { readonly lowUs: number; readonly highUs: number }): number => highUs - lowUs;
