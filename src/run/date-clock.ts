import { type OperationId, operations, type TargetProfile } from '../api/index.ts';
import { type Micros, parseHttpDate } from '../base/index.ts';
import type { ClockRecord } from '../history/index.ts';

/** The parts of an exchange that show the service's time. */
export interface Dated {
  readonly operation: OperationId;
  readonly date?: string | undefined;
  readonly sentAt: Micros;
  readonly headersAt?: Micros | undefined;
  /** Set if the body is not the service's: whoever wrote it, such as a gateway, also wrote the Date. */
  readonly bodyProblem?: string | undefined;
}

/**
 * Follows a remote service's clock by its Date headers. They have whole seconds, are made between sending and the answer, and
 * some servers update them only once a second (Kestrel, Vert.x, fasthttp): so the true time is known to a little more than ± 1 s
 * and half a round trip. Recorded are one every 30 seconds, every one that contradicts earlier ones (it may come from a cache or
 * another server), and every one that halves what the recorded ones leave uncertain: without it, a reader of the records would not
 * see the contradiction. Those of token answers are ignored, as they may be another service's: no judged limit counts by
 * its clock alone. So are those of reads that may come from replicas according to the profile (`turns.staleFor`): a replica may
 * copy the Date.
 * @param nextDate one cell, the second from which on the next is wanted; shared with other threads of the same service
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
    // If several threads get one at the same time, only one records it.
    const isDue =
      second >= wantedFrom && Atomics.compareExchange(nextDate, 0, wantedFrom, second + RESYNC_S) === wantedFrom;
    if (!isNews && !isDue) return undefined;
    // A header with second s was made in [s, s + 1), and sent for up to a second from then on.
    const serviceUs = (startUs + SECOND_US) as Micros;
    return { kind: 'clock', at, serviceUs, plusMinusUs: (SECOND_US + LATE_US + halfTripUs) as Micros, rate: 1 };
  };
}

const RESYNC_S = 30;
const SECOND_US = 1_000_000;
/** By how much a one-second timer may be late, or a Date be ahead of the clock that limits use, µs. */
const LATE_US = 100_000;
/** A contradiction below this is not recorded: drift slowly moves the clock out of the range to which agreeing headers narrow it. */
const MARGIN_US = 100_000;

/** How far the service's clock is ahead of the run's, according to one thread's headers. */
class HeardDates {
  #last = { text: '', startUs: Number.NaN };
  #lowUs = Number.POSITIVE_INFINITY;
  #highUs = Number.NEGATIVE_INFINITY;
  #isContradicted = false;
  /** What the recorded ones say together. */
  #told = { lowUs: Number.NEGATIVE_INFINITY, highUs: Number.POSITIVE_INFINITY };

  /** Thousands of successive answers have the same second. */
  startOf(text: string): number {
    if (text !== this.#last.text) this.#last = { text, startUs: parseHttpDate(text) * 1_000 };
    return this.#last.startUs;
  }

  /**
   * Whether it is the first, cannot come from the same clock as earlier ones, or is missed by a reader of what was recorded. True once
   * for each, because it is then remembered.
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
    // A slow answer says little; later ones say more.
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
