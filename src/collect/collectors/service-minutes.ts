import type { JournalRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import type { MinuteUse, Summary } from '../summary.ts';

type Part = Pick<Summary, 'serviceMinutes'>;

const MINUTE_US = 60_000_000;

/**
 * Requests that count towards the rate limit, per minute of the service's clock. A request near a minute's edge may belong to
 * the next one: this describes, it does not judge. The warm-up is included, since the service counted it.
 */
export class ServiceMinutesCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #minutes = new Map<number, { admitted: number; refused: number }>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' || !this.#context.words.rateCounts.includes(record.operation)) return;
    const admitted = record.outcome === 'answered' && record.status !== 401 ? 1 : 0;
    const refused = record.outcome === 'refused' && this.#context.limitOf(record) === 'rate' ? 1 : 0;
    if (admitted + refused === 0) return;
    this.#count(Math.floor(this.#context.serviceTime(record.sentAt) / MINUTE_US), admitted, refused);
  }

  merge(other: ServiceMinutesCollector): void {
    for (const [minute, { admitted, refused }] of other.#minutes) this.#count(minute, admitted, refused);
  }

  part(): Part {
    const serviceMinutes = [...this.#minutes]
      .sort(([a], [b]) => a - b)
      .map(([minute, use]): MinuteUse => ({ minute: new Date((minute * MINUTE_US) / 1_000).toISOString(), ...use }));
    return { serviceMinutes };
  }

  #count(minute: number, admitted: number, refused: number): void {
    const use = this.#minutes.get(minute) ?? { admitted: 0, refused: 0 };
    use.admitted += admitted;
    use.refused += refused;
    this.#minutes.set(minute, use);
  }
}
