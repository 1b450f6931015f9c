import type { LimitScope } from '../../../api/index.ts';
import type { Micros } from '../../../base/index.ts';
import { bucketOf, type RunContext } from '../../../collect/index.ts';
import { type Exchange, type Header, profileWords } from '../../../history/index.ts';
import type { Windows } from '../page-data.ts';

/** More windows would be too narrow to see. */
const MOST_WINDOWS = 2_000;

/** Counts by bucket. */
interface Use {
  readonly admitted: Map<string, number>;
  readonly refused: Map<string, number>;
}

/**
 * Counts requests by windows of the service's clock that start at multiples of their length since 1970, by the time of sending. This
 * is descriptive only: where the service's windows begin, and when a request was counted, is for check/ to infer.
 */
export class WindowGatherer {
  readonly #context: RunContext;
  readonly #windows = new Map<number, Use>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(exchange: Exchange): void {
    const { header, words } = this.#context;
    if (!header || !words.rateCounts.includes(exchange.operation)) return;
    const admitted = exchange.outcome === 'answered' && exchange.status !== 401;
    const refused = exchange.outcome === 'refused' && this.#context.limitOf(exchange) === 'rate';
    if (!admitted && !refused) return;
    const use = this.#useOf(Math.floor(this.#context.serviceTime(exchange.sentAt) / header.limits.rate.windowUs));
    const bucket = bucketOf(scopeOf(header), exchange);
    const counts = admitted ? use.admitted : use.refused;
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }

  /** @returns `undefined` without a header, without windows, or with too many windows */
  windows(): Windows | undefined {
    const { header } = this.#context;
    if (!header || this.#windows.size === 0 || this.tooMany) return undefined;
    const { max, windowUs } = header.limits.rate;
    const scope = scopeOf(header);
    const list = [...this.#windows]
      .sort(([a], [b]) => a - b)
      .flatMap(([index, use]) => [
        runTimeOf(this.#context, index * windowUs),
        runTimeOf(this.#context, (index + 1) * windowUs),
        ...fullestOf(use),
      ]);
    const several = [...this.#windows.values()].some((use) => bucketsIn(use).size > 1);
    return { max, windowUs, comparable: scope === 'application' || scope === 'address', several, list };
  }

  /** Whether there are too many windows to draw. */
  get tooMany(): boolean {
    return this.#windows.size > MOST_WINDOWS;
  }

  #useOf(index: number): Use {
    let use = this.#windows.get(index);
    if (!use) {
      use = { admitted: new Map(), refused: new Map() };
      this.#windows.set(index, use);
    }
    return use;
  }
}

const bucketsIn = ({ admitted, refused }: Use): ReadonlySet<string> => new Set([...admitted.keys(), ...refused.keys()]);

/** Admitted and refused requests of the fullest bucket. */
function fullestOf(use: Use): readonly [number, number] {
  const of = [...bucketsIn(use)].map((who) => [use.admitted.get(who) ?? 0, use.refused.get(who) ?? 0] as const);
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

const scopeOf = ({ profile }: Header): LimitScope => profileWords(profile).scopes.rate;
