import { microsFromSeconds } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { RateUse } from '../service/rate-use.ts';
import type { MinuteUse, Summary } from '../summary.ts';

type Part = Pick<Summary, 'serviceMinutes'>;

const MINUTE_US = microsFromSeconds(60);

/**
 * Requests that count towards the rate limit, per minute of the service's clock. The warm-up is included, since the service
 * counted it.
 */
export class ServiceMinutesCollector implements Collector<Part> {
  readonly #use: RateUse;

  constructor(context: RunContext) {
    this.#use = new RateUse(context, () => MINUTE_US);
  }

  add(record: JournalRecord): void {
    this.#use.add(record);
  }

  merge(other: ServiceMinutesCollector): void {
    this.#use.merge(other.#use);
  }

  part(): Part {
    const minutes = new Map<number, Omit<MinuteUse, 'minute'>>();
    for (const { window, admitted, perhapsAdmitted, refused } of this.#use.all()) {
      if (admitted + perhapsAdmitted + refused === 0) continue;
      const minute = minutes.get(window);
      minutes.set(window, {
        admitted: admitted + (minute?.admitted ?? 0),
        perhapsAdmitted: perhapsAdmitted + (minute?.perhapsAdmitted ?? 0),
        refused: refused + (minute?.refused ?? 0),
      });
    }
    const serviceMinutes = [...minutes]
      .sort(([a], [b]) => a - b)
      .map(([minute, use]): MinuteUse => ({ minute: new Date((minute * MINUTE_US) / 1_000).toISOString(), ...use }));
    return { serviceMinutes };
  }

  /** The most requests admitted in a minute in one bucket; `undefined` without requests. */
  mostAdmittedOfOne(): number | undefined {
    const all = this.#use.all();
    if (all.length === 0) return undefined;
    return all.reduce((most, { admitted }) => Math.max(most, admitted), 0);
  }
}
