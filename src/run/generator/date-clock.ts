import { type OperationId, operations, type TargetProfile } from '../../api/index.ts';
import { type Micros, parseHttpDate } from '../../base/index.ts';
import type { ClockRecord } from '../../history/index.ts';

/** The parts of an exchange that show the service's time. */
export interface Dated {
  readonly operation: OperationId;
  readonly date?: string | undefined;
  readonly sentAt: Micros;
  readonly headersAt?: Micros | undefined;
  /** Set if the body is not the service's. Then another sender, such as a gateway, probably wrote the Date too. */
  readonly bodyProblem?: string | undefined;
}

/**
 * Estimates a remote service's clock from its Date headers. They have whole seconds, are created between the sending of a request
 * and its answer, and some servers update them only once a second (Kestrel, Vert.x, fasthttp). So the service's time is known to
 * slightly more than ± 1 s and half a round trip.
 *
 * Returns a record for one header every 30 seconds, for each header that contradicts earlier ones (it may come from a cache or another
 * server), and for each header that halves the uncertainty of the recorded ones; without it, readers of the records could not see a
 * later contradiction.
 *
 * Two kinds of answers are ignored. Answers to token requests may come from another service. Reads may come from replicas, if the
 * profile says so (`turns.staleFor`), and a replica may copy the Date.
 * @param nextDate one cell with the second from which the next record is due; shared with the other workers
 */
export function dateHeaderClock(
  profile: Pick<TargetProfile, 'turns'>,
  nextDate: Int32Array = new Int32Array(1),
): (exchange: Dated) => ClockRecord | undefined {
  const seen = new SeenDates();
  const isUsable = (operation: OperationId) =>
    operation !== 'issueToken' && (profile.turns.staleFor === 0 || operations[operation].method !== 'GET');
  return ({ operation, date, sentAt, headersAt, bodyProblem }) => {
    if (date === undefined || headersAt === undefined || bodyProblem !== undefined || !isUsable(operation))
      return undefined;
    const halfTripUs = Math.ceil((headersAt - sentAt) / 2);
    const at = (sentAt + halfTripUs) as Micros;
    const startUs = seen.startOf(date);
    if (Number.isNaN(startUs)) return undefined;
    const mustRecord = seen.mustRecord(startUs - at, halfTripUs);
    const wantedFrom = Atomics.load(nextDate, 0);
    const second = Math.floor(sentAt / 1_000_000);
    // If several workers receive a header at the same time, only one records it.
    const isDue =
      second >= wantedFrom && Atomics.compareExchange(nextDate, 0, wantedFrom, second + RESYNC_S) === wantedFrom;
    if (!mustRecord && !isDue) return undefined;
    // A header with second s was created in [s, s + 1) and may be sent for up to a second afterwards.
    const serviceUs = (startUs + SECOND_US) as Micros;
    return { kind: 'clock', at, serviceUs, plusMinusUs: (SECOND_US + LATE_US + halfTripUs) as Micros, rate: 1 };
  };
}

const RESYNC_S = 30;
const SECOND_US = 1_000_000;
/** Most by which a server's one-second timer may be late, or its Date ahead of the clock that its limits use, µs. */
const LATE_US = 100_000;
/** Smaller contradictions, µs, are not recorded: drift slowly moves the clock out of the range that earlier headers allow. */
const MARGIN_US = 100_000;

/** How far the service's clock is ahead of the run's, according to one thread's headers. */
class SeenDates {
  #last = { text: '', startUs: Number.NaN };
  #lowUs = Number.POSITIVE_INFINITY;
  #highUs = Number.NEGATIVE_INFINITY;
  #isContradicted = false;
  /** The range of clock offsets that the recorded dates allow, µs. */
  #recorded = { lowUs: Number.NEGATIVE_INFINITY, highUs: Number.POSITIVE_INFINITY };

  /** Thousands of successive answers have the same second. */
  startOf(text: string): number {
    if (text !== this.#last.text) this.#last = { text, startUs: parseHttpDate(text) * 1_000 };
    return this.#last.startUs;
  }

  /**
   * Whether a date must be recorded: it is the first, cannot come from the same clock as earlier ones, or makes the recorded range
   * much narrower. Updates the ranges, so that the result is true only once for the same information.
   */
  mustRecord(aheadUs: number, halfTripUs: number): boolean {
    const [low, high] = [aheadUs - halfTripUs, aheadUs + SECOND_US + halfTripUs];
    const isFirst = this.#lowUs > this.#highUs;
    const isApart = !isFirst && (low > this.#highUs + MARGIN_US || high < this.#lowUs - MARGIN_US);
    if (isApart) this.#isContradicted = true;
    if (isFirst || isApart) {
      this.#lowUs = Math.min(this.#lowUs, low);
      this.#highUs = Math.max(this.#highUs, high);
      if (isFirst) this.#recorded = { lowUs: low, highUs: high };
      return true;
    }
    if (this.#isContradicted || Math.max(this.#lowUs, low) > Math.min(this.#highUs, high)) return false;
    this.#lowUs = Math.max(this.#lowUs, low);
    this.#highUs = Math.min(this.#highUs, high);
    return this.#narrows(low, high);
  }

  #narrows(low: number, high: number): boolean {
    const narrowed = { lowUs: Math.max(this.#recorded.lowUs, low), highUs: Math.min(this.#recorded.highUs, high) };
    const before = widthOf(this.#recorded);
    const isNeeded = 2 * widthOf({ lowUs: this.#lowUs, highUs: this.#highUs }) <= before;
    if (!isNeeded || widthOf(narrowed) > before - MARGIN_US) return false;
    this.#recorded = narrowed;
    return true;
  }
}

const widthOf = ({ lowUs, highUs }: { readonly lowUs: number; readonly highUs: number }): number => highUs - lowUs;
