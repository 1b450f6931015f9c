import type { Micros } from '../base/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import type { RunContext } from './context.ts';
import { keyOf, partsOf } from './counts.ts';
import { bucketOf } from './scope.ts';

interface Use {
  readonly admitted: number;
  /** By the rate limit. */
  readonly refused: number;
  /** Admitted or refused by whatever limit. Whether the rate limit counts what another one refuses depends on the service. */
  readonly asked: number;
}

/** What a bucket of the limit's scope used in a window. */
export interface WindowUse extends Use {
  readonly bucket: string;
  /** Whole windows since 1970. */
  readonly window: number;
}

/** A request that came before the first clock record. */
interface EarlyUse extends Use {
  readonly bucket: string;
  readonly sentAt: Micros;
}

/**
 * More early requests than these are counted by the generator's clock: a service that never tells the time must not make this list
 * grow with the run. One that does tells it with its first answers.
 */
const MOST_EARLY = 10_000;

/**
 * Requests that count towards the rate limit, by bucket of its scope and by window of the service's clock: the one in which they
 * were sent. This describes, it does not judge: a request near a window's edge may belong to the next one.
 */
export class RateUse {
  readonly #context: RunContext;
  readonly #windowUs: () => Micros;
  readonly #windows = new Map<string, Use>();
  /** The service tells its time in its answers, so the first requests are recorded before any clock record. */
  #early: EarlyUse[] = [];

  constructor(context: RunContext, windowUs: () => Micros) {
    this.#context = context;
    this.#windowUs = windowUs;
  }

  add(record: JournalRecord): void {
    const { words, clock } = this.#context;
    if (record.kind !== 'exchange' || !words.rateCounts.includes(record.operation)) return;
    const use = this.#useOf(record);
    if (use.asked === 0) return;
    const early = { ...use, bucket: bucketOf(words.scopes.rate, record), sentAt: record.sentAt };
    if (clock.recorded) this.#place(this.#windows, early);
    else this.#keep([early]);
  }

  merge(other: RateUse): void {
    for (const [key, use] of other.#windows) count(this.#windows, key, use);
    this.#keep(other.#early);
  }

  /** By bucket and window, in no particular order. */
  all(): WindowUse[] {
    const windows = new Map(this.#windows);
    for (const early of this.#early) this.#place(windows, early);
    return [...windows].map(([key, use]) => {
      const [bucket = '', window] = partsOf(key);
      return { bucket, window: Number(window), ...use };
    });
  }

  #useOf(exchange: Exchange): Use {
    const isRefused = exchange.outcome === 'refused';
    const isAdmitted = exchange.outcome === 'answered' && exchange.status !== 401;
    return {
      admitted: isAdmitted ? 1 : 0,
      refused: isRefused && this.#context.limitOf(exchange) === 'rate' ? 1 : 0,
      asked: isAdmitted || isRefused ? 1 : 0,
    };
  }

  #keep(early: readonly EarlyUse[]): void {
    this.#early.push(...early);
    if (this.#early.length <= MOST_EARLY) return;
    for (const one of this.#early) this.#place(this.#windows, one);
    this.#early = [];
  }

  #place(windows: Map<string, Use>, use: EarlyUse): void {
    const window = Math.floor(this.#context.serviceTime(use.sentAt) / this.#windowUs());
    count(windows, keyOf(use.bucket, String(window)), use);
  }
}

function count<Key>(uses: Map<Key, Use>, key: Key, { admitted, refused, asked }: Use): void {
  const use = uses.get(key);
  uses.set(key, {
    admitted: admitted + (use?.admitted ?? 0),
    refused: refused + (use?.refused ?? 0),
    asked: asked + (use?.asked ?? 0),
  });
}
