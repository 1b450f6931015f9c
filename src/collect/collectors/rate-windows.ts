import { type Micros, microsFromSeconds } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { keyOf, partsOf } from '../counts.ts';
import { bucketOf } from '../scope.ts';
import type { FullestWindow, Summary } from '../summary.ts';

type Part = Pick<Summary, 'fullestWindow'>;

const MINUTE_US = microsFromSeconds(60);

interface Use {
  admitted: number;
  refused: number;
}

/**
 * Requests that count towards the rate limit, per window of its length and per bucket of its scope. Windows are aligned to the
 * service's clock, which is only one possible reading: this describes, it does not judge. The warm-up is included, since the
 * service counted it.
 */
export class RateWindowsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #windows = new Map<string, Use>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    const { words } = this.#context;
    if (record.kind !== 'exchange' || !words.rateCounts.includes(record.operation)) return;
    const admitted = record.outcome === 'answered' && record.status !== 401 ? 1 : 0;
    const refused = record.outcome === 'refused' && this.#context.limitOf(record) === 'rate' ? 1 : 0;
    if (admitted + refused === 0) return;
    const window = Math.floor(this.#context.serviceTime(record.sentAt) / this.#windowUs());
    this.#count(keyOf(bucketOf(words.scopes.rate, record), String(window)), { admitted, refused });
  }

  merge(other: RateWindowsCollector): void {
    for (const [key, use] of other.#windows) this.#count(key, use);
  }

  part(): Part {
    let fullest: { readonly key: string; readonly admitted: number } | undefined;
    let mostAsked = 0;
    const counters = new Set<string>();
    for (const [key, { admitted, refused }] of this.#windows) {
      counters.add(partsOf(key)[0] ?? '');
      mostAsked = Math.max(mostAsked, admitted + refused);
      const isFuller = !fullest || admitted > fullest.admitted || (admitted === fullest.admitted && key < fullest.key);
      if (isFuller) fullest = { key, admitted };
    }
    if (!fullest) return {};
    const [of = '', window = ''] = partsOf(fullest.key);
    const start = new Date((Number(window) * this.#windowUs()) / 1_000).toISOString();
    const { admitted } = fullest;
    const fullestWindow: FullestWindow = {
      of,
      among: counters.size,
      start,
      windowUs: this.#windowUs(),
      admitted,
      mostAsked,
    };
    return { fullestWindow };
  }

  #windowUs(): Micros {
    const declared = this.#context.header?.limits.rate.windowUs ?? 0;
    return declared > 0 ? (declared as Micros) : MINUTE_US;
  }

  #count(key: string, { admitted, refused }: Use): void {
    const use = this.#windows.get(key) ?? { admitted: 0, refused: 0 };
    use.admitted += admitted;
    use.refused += refused;
    this.#windows.set(key, use);
  }
}
