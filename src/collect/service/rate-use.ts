import type { Micros } from '../../base/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import type { RunContext } from '../context.ts';
import { type Key, keyOf, partsOf } from '../counts.ts';
import { bucketOf } from './scope.ts';

interface Use {
  readonly admitted: number;
  /** Answered with 5xx. */
  readonly perhapsAdmitted: number;
  /** By the rate limit. */
  readonly refused: number;
  /** Admitted, perhaps admitted, or refused by whatever limit. Whether the rate limit counts what another one refuses depends on the service. */
  readonly asked: number;
}

/** What a bucket of the limit's scope used in a window. */
export interface WindowUse extends Use {
  readonly bucket: string;
  /** Whole windows since 1970. */
  readonly window: number;
}

type WindowUses = Map<Key<[bucket: string, window: string]>, Use>;

/** A request that is not placed in a window yet. */
interface LatestUse extends Use {
  readonly bucket: string;
  readonly sentAt: Micros;
}

/**
 * Of more requests than these the earlier half is placed by what is known of the clock, so that this list does not grow with the run.
 * A clock record comes soon after its instant, and the first one with the first answers.
 */
const MOST_LATEST = 4_000;

/**
 * Requests that count towards the rate limit, by bucket of its scope and by window of the service's clock: the one in which they
 * were sent. This describes, it does not judge: a request near a window's edge may belong to the next one.
 */
export class RateUse {
  readonly #context: RunContext;
  readonly #windowUs: () => Micros;
  readonly #windows: WindowUses = new Map();
  /**
   * The service tells its time in its answers. So the first requests are recorded before any clock record, and others before the one
   * that holds for them, which a slower answer told.
   */
  #latest: LatestUse[] = [];

  constructor(context: RunContext, windowUs: () => Micros) {
    this.#context = context;
    this.#windowUs = windowUs;
  }

  add(record: JournalRecord): void {
    const { words } = this.#context;
    if (record.kind !== 'exchange' || !words.rateCounts.includes(record.operation)) return;
    const use = this.#useOf(record);
    if (use.asked === 0) return;
    this.#keep([{ bucket: bucketOf(words.scopes.rate, record), sentAt: record.sentAt, ...use }]);
  }

  merge(other: RateUse): void {
    for (const [key, use] of other.#windows) count(this.#windows, key, use);
    this.#keep(other.#latest);
  }

  /** By bucket and window, in no particular order. */
  all(): WindowUse[] {
    const windows = new Map(this.#windows);
    for (const use of this.#latest) this.#place(windows, use);
    return [...windows].map(([key, use]) => {
      const [bucket, window] = partsOf(key);
      return { bucket, window: Number(window), ...use };
    });
  }

  #useOf(exchange: Exchange): Use {
    const isRefused = exchange.outcome === 'refused';
    const isAnswered = exchange.outcome === 'answered' && exchange.status !== 401;
    const isAdmitted = surelyAdmitted(exchange);
    return {
      admitted: isAdmitted ? 1 : 0,
      perhapsAdmitted: isAnswered && !isAdmitted ? 1 : 0,
      refused: isRefused && this.#context.limitOf(exchange) === 'rate' ? 1 : 0,
      asked: isAnswered || isRefused ? 1 : 0,
    };
  }

  #keep(latest: readonly LatestUse[]): void {
    this.#latest.push(...latest);
    if (this.#latest.length <= MOST_LATEST) return;
    for (const use of this.#latest.splice(0, this.#latest.length - MOST_LATEST / 2)) this.#place(this.#windows, use);
  }

  #place(windows: WindowUses, use: LatestUse): void {
    const window = Math.floor(this.#context.serviceTime(use.sentAt) / this.#windowUs());
    count(windows, keyOf(use.bucket, String(window)), use);
  }
}

/** Whether the rate limit let a request pass. A 5xx does not tell: a gateway may have given it before the service counted anything. */
export const surelyAdmitted = ({ outcome, status = 0 }: Exchange): boolean =>
  outcome === 'answered' && status !== 401 && status < 500;

function count<K>(uses: Map<K, Use>, key: K, { admitted, perhapsAdmitted, refused, asked }: Use): void {
  const use = uses.get(key);
  uses.set(key, {
    admitted: admitted + (use?.admitted ?? 0),
    perhapsAdmitted: perhapsAdmitted + (use?.perhapsAdmitted ?? 0),
    refused: refused + (use?.refused ?? 0),
    asked: asked + (use?.asked ?? 0),
  });
}
