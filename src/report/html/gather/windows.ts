import { groupedBy, type Micros } from '../../../base/index.ts';
import { RateUse, type RunContext, type WindowUse } from '../../../collect/index.ts';
import type { Exchange } from '../../../history/index.ts';
import type { Windows } from '../page-data.ts';

/** More windows would be too narrow to see. */
const MOST_WINDOWS = 2_000;

/**
 * Counts requests by windows of the service's clock that start at multiples of their length since 1970, by the time of sending. This
 * is descriptive only: where the service's windows begin, and when a request was counted, is for check/ to infer.
 */
export class WindowGatherer {
  readonly #context: RunContext;
  readonly #use: RateUse;

  constructor(context: RunContext) {
    this.#context = context;
    this.#use = new RateUse(context, () => (context.header?.limits.rate.windowUs ?? 1) as Micros);
  }

  add(exchange: Exchange): void {
    if (this.#context.header) this.#use.add(exchange);
  }

  /** @returns `undefined` without a header or without windows; `too many` to draw */
  windows(): Windows | 'too many' | undefined {
    const { header } = this.#context;
    const windows = this.#byWindow();
    if (windows.size > MOST_WINDOWS) return 'too many';
    if (!header || windows.size === 0) return undefined;
    const { max, windowUs } = header.limits.rate;
    const scope = this.#context.words.scopes.rate;
    const list = [...windows]
      .sort(([a], [b]) => a - b)
      .flatMap(([index, uses]) => [
        runTimeOf(this.#context, index * windowUs),
        runTimeOf(this.#context, (index + 1) * windowUs),
        ...fullestOf(uses),
      ]);
    const several = [...windows.values()].some((uses) => uses.length > 1);
    return { max, windowUs, comparable: scope === 'application' || scope === 'address', several, list };
  }

  /** By window, what its buckets used of it; refusals by other limits alone are no use. */
  #byWindow(): ReadonlyMap<number, readonly WindowUse[]> {
    const uses = [...this.#use.all()].filter(({ admitted, refused }) => admitted + refused > 0);
    return groupedBy(uses, ({ window }) => window);
  }
}

/** Admitted and refused requests of the fullest bucket. */
function fullestOf(uses: readonly WindowUse[]): readonly [number, number] {
  const of = uses.map(({ admitted, refused }) => [admitted, refused] as const);
  return of.reduce((a, b) => (b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a), [0, 0]);
}

/** 100 days; longer than any run. */
const LONGEST_US = 8_640_000_000_000;

/** The run time at which the service's clock reaches an instant, by bisection, because service time increases with run time. */
export function runTimeOf(context: RunContext, serviceUs: number): number {
  let [low, high] = [-LONGEST_US, LONGEST_US];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (context.serviceTime(middle as Micros) >= serviceUs) high = middle;
    else low = middle;
  }
  return high;
}
