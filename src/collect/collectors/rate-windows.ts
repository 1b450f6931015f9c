import { type Micros, microsFromSeconds } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { RateUse, type WindowUse } from '../service/rate-use.ts';
import type { FullestWindow, Summary } from '../summary.ts';

type Part = Pick<Summary, 'fullestWindow'>;

const MINUTE_US = microsFromSeconds(60);

/**
 * Requests that count towards the rate limit, per window of its length and per bucket of its scope. Windows are aligned to the
 * service's clock, which is only one possible reading: this describes, it does not judge. The warm-up is included, since the
 * service counted it.
 */
export class RateWindowsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #use: RateUse;

  constructor(context: RunContext) {
    this.#context = context;
    this.#use = new RateUse(context, () => this.#windowUs());
  }

  add(record: JournalRecord): void {
    this.#use.add(record);
  }

  merge(other: RateWindowsCollector): void {
    this.#use.merge(other.#use);
  }

  part(): Part {
    const all = this.#use.all();
    const [first] = all;
    if (!first) return {};
    const fullest = all.reduce((most, one) => (isFuller(one, most) ? one : most), first);
    const fullestWindow: FullestWindow = {
      of: fullest.bucket,
      among: new Set(all.map(({ bucket }) => bucket)).size,
      start: new Date((fullest.window * this.#windowUs()) / 1_000).toISOString(),
      windowUs: this.#windowUs(),
      admitted: fullest.admitted,
      perhapsAdmitted: fullest.perhapsAdmitted,
      mostAsked: all.reduce((most, { asked }) => Math.max(most, asked), 0),
    };
    return { fullestWindow };
  }

  #windowUs(): Micros {
    const declared = this.#context.header?.limits.rate.windowUs ?? 0;
    return declared > 0 ? (declared as Micros) : MINUTE_US;
  }
}

/** Of equally full ones the one that may be fuller, then the first by bucket, then by time. */
function isFuller(one: WindowUse, other: WindowUse): boolean {
  if (one.admitted !== other.admitted) return one.admitted > other.admitted;
  if (one.perhapsAdmitted !== other.perhapsAdmitted) return one.perhapsAdmitted > other.perhapsAdmitted;
  return one.bucket === other.bucket ? one.window < other.window : one.bucket < other.bucket;
}
