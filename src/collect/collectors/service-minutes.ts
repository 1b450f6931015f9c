import type { JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { keyOf, partsOf } from '../counts.ts';
import { bucketOf } from '../scope.ts';
import type { MinuteUse, Summary } from '../summary.ts';

type Part = Pick<Summary, 'serviceMinutes'>;

const MINUTE_US = 60_000_000;

/**
 * Requests that count towards the rate limit, per minute of the service's clock. A request near a minute's edge may belong to
 * the next one: this describes, it does not judge. The warm-up is included, since the service counted it.
 */
export class ServiceMinutesCollector implements Collector<Part> {
  readonly #context: RunContext;
  /** By bucket of the limit's scope, and minute. */
  readonly #minutes = new Map<string, Use>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || !this.#context.words.rateCounts.includes(record.operation)) return;
    const admitted = record.outcome === 'answered' && record.status !== 401 ? 1 : 0;
    const refused = record.outcome === 'refused' && this.#context.limitOf(record) === 'rate' ? 1 : 0;
    if (admitted + refused === 0) return;
    const minute = Math.floor(this.#context.serviceTime(record.sentAt) / MINUTE_US);
    count(this.#minutes, keyOf(bucketOf(this.#context.words.scopes.rate, record), String(minute)), {
      admitted,
      refused,
    });
  }

  merge(other: ServiceMinutesCollector): void {
    for (const [key, use] of other.#minutes) count(this.#minutes, key, use);
  }

  part(): Part {
    const minutes = new Map<number, Use>();
    for (const [key, use] of this.#minutes) count(minutes, Number(partsOf(key)[1]), use);
    const serviceMinutes = [...minutes]
      .sort(([a], [b]) => a - b)
      .map(([minute, use]): MinuteUse => ({ minute: new Date((minute * MINUTE_US) / 1_000).toISOString(), ...use }));
    return { serviceMinutes };
  }

  /** The most requests admitted in a minute in one bucket; `undefined` without requests. */
  mostAdmittedOfOne(): number | undefined {
    if (this.#minutes.size === 0) return undefined;
    return [...this.#minutes.values()].reduce((most, { admitted }) => Math.max(most, admitted), 0);
  }
}

interface Use {
  admitted: number;
  refused: number;
}

function count<Key>(uses: Map<Key, Use>, key: Key, { admitted, refused }: Use): void {
  const use = uses.get(key) ?? { admitted: 0, refused: 0 };
  use.admitted += admitted;
  use.refused += refused;
  uses.set(key, use);
}
