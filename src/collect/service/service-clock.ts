import type { Micros } from '../../base/index.ts';
import type { ClockRecord } from '../../history/index.ts';

/** Whether a clock runs so differently that its times are not the run's. @param rate service seconds per run second */
export const hasOwnSpeed = (rate: number): boolean => Math.abs(rate - 1) > 0.01;

/** Records with less uncertainty are of a clock that is known exactly; others come from Date headers. */
const EXACT_US = 100_000;

/** No clock of a server runs faster or slower by more. */
const DRIFT = 0.001;

/**
 * Maps run time to the service's time, piecewise linear by the clock records known so far. Before the first record, its line is
 * extended backwards; without any, the service's clock is assumed to be the generator's.
 *
 * Date headers that contradict one another come from copies or several servers, or the clock was set. Then the first line is
 * followed alone: following each of them would put requests of minutes into one window, more than any limit allows.
 */
export class ServiceClock {
  /** By instant, rising; one per instant. */
  #segments: ClockRecord[] = [];
  readonly #followed = new FollowedRecords();

  get recorded(): boolean {
    return this.#segments.length > 0;
  }

  /**
   * Service seconds per run second, as recorded at the beginning; 1 where nothing is. Not taken from the line itself: Date headers
   * have whole seconds, so between two of their records it may rise by one at once.
   */
  get rate(): number {
    return this.#segments[0]?.rate ?? 1;
  }

  add(record: ClockRecord): void {
    const last = this.#segments.at(-1);
    if (last === undefined || last.at < record.at) {
      this.#segments.push(record);
      this.#followed.add(record);
      return;
    }
    const same = this.#segments.find((one) => one.at === record.at);
    if (same && !isBetter(record, same)) return;
    this.#segments = [...this.#segments.filter((one) => one !== same), record].sort((a, b) => a.at - b.at);
    this.#followed.reset(this.#segments);
  }

  merge(other: ServiceClock): void {
    for (const record of other.#segments) this.add(record);
  }

  /**
   * @param at run time
   * @param startedAtUs wall clock at run time 0, microseconds since 1970: used where nothing is recorded
   * @returns service time, microseconds since 1970
   */
  at(at: Micros, startedAtUs: number): Micros {
    const segment = this.#followed.before(at);
    if (!segment) return (startedAtUs + at) as Micros;
    return (segment.serviceUs + Math.round((at - segment.at) * segment.rate)) as Micros;
  }
}

/** Of every stretch of one speed all records, or only the first if one of them contradicts it. */
class FollowedRecords {
  #records: ClockRecord[] = [];
  /** Index of the first record of the last stretch. */
  #first = 0;
  #isContradicted = false;

  reset(records: readonly ClockRecord[]): void {
    this.#records = [];
    for (const record of records) this.add(record);
  }

  /** @param record later than all others */
  add(record: ClockRecord): void {
    const first = this.#records[this.#first];
    if (first === undefined || first.rate !== record.rate || isExact(record)) {
      this.#first = this.#records.push(record) - 1;
      this.#isContradicted = false;
    } else if (!this.#isContradicted && contradicts(first, record)) {
      this.#isContradicted = true;
      this.#records.length = this.#first + 1;
    } else if (!this.#isContradicted) this.#records.push(record);
  }

  /** The last record before an instant, or the first one. */
  before(at: Micros): ClockRecord | undefined {
    let low = 0;
    let high = this.#records.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if ((this.#records[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle - 1;
    }
    return this.#records[Math.max(high, 0)];
  }
}

const isExact = ({ plusMinusUs }: ClockRecord): boolean => plusMinusUs < EXACT_US;

function contradicts(first: ClockRecord, record: ClockRecord): boolean {
  const predicted = first.serviceUs + (record.at - first.at) * first.rate;
  const drifted = (record.at - first.at) * first.rate * DRIFT;
  return Math.abs(record.serviceUs - predicted) > first.plusMinusUs + record.plusMinusUs + drifted;
}

/** Of two records of one instant the more certain; if equal, the later service time. So the order of adding does not matter. */
const isBetter = (one: ClockRecord, other: ClockRecord) =>
  one.plusMinusUs < other.plusMinusUs || (one.plusMinusUs === other.plusMinusUs && one.serviceUs > other.serviceUs);
