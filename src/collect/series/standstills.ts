import { type Micros, STANDSTILL_US } from '../../base/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { capWaitOf, ScheduleLag } from '../generator/schedule-lag.ts';

interface Span {
  from: number;
  to: number;
}

/**
 * When the generator stood still, as far as records show it: an answer or an event was read late, or a request left late. What takes several
 * requests, as a turn and a journey do, may have lasted longer by as much of this as lies within it.
 */
export class Standstills {
  readonly #lagOf = new ScheduleLag();
  /** By worker. */
  readonly #stood = new Map<number, Span[]>();
  /** From a standstill until all that was due in it had left: what waited for a connection meanwhile stood behind that. By worker. */
  readonly #queues = new Map<number, Span[]>();
  /** When the last exchange of each journey that goes on had ended. */
  readonly #endedAt = new Map<number, Micros>();

  /** In the order of the journal. */
  add(record: JournalRecord): void {
    if (record.kind === 'journey') this.#endedAt.delete(record.arrival);
    if (record.kind === 'stream') this.#readLate(record.worker, record.at, record.readLateUs);
    if (record.kind !== 'exchange') return;
    const { worker, receivedAt, readLateUs, arrival } = record;
    this.#sentLate(record);
    this.#readLate(worker, receivedAt, readLateUs);
    this.#endedAt.set(arrival, receivedAt);
  }

  /** By how much standstills of a worker may have delayed what lasted from one instant to another, µs. */
  within(worker = 0, from: number, to: number): number {
    const spans = this.#stood.get(worker) ?? [];
    const queues = this.#queues.get(worker) ?? [];
    const begin = Math.min(from, queues[firstAfter(queues, from)]?.from ?? from);
    let sum = 0;
    for (let at = firstAfter(spans, begin); at < spans.length; at++) {
      const span = spans[at];
      if (span === undefined || span.from >= to) break;
      sum += Math.min(span.to, to) - Math.max(span.from, begin);
    }
    return sum;
  }

  /** A connection is what a request waits for last: it stood still before that. */
  #sentLate(exchange: Exchange): void {
    const lagUs = this.#lagUs(exchange);
    if (lagUs < STANDSTILL_US) return;
    const { worker, sentAt, capWaitUs } = exchange;
    const to = sentAt - (capWaitUs?.connection ?? 0);
    const { from } = put(this.#stood, worker, { from: to - lagUs, to });
    if (to < sentAt) put(this.#queues, worker, { from, to: sentAt });
  }

  /** What may have to wait for the answer to the exchange before it is late only after that. */
  #lagUs(exchange: Exchange): number {
    const lag = this.#lagOf.of(exchange);
    if (lag !== undefined) return lag;
    const { intendedAt, sentAt, arrival } = exchange;
    return sentAt - Math.max(intendedAt, this.#endedAt.get(arrival) ?? 0) - capWaitOf(exchange);
  }

  #readLate(worker: number | undefined, at: Micros, lateUs: Micros | undefined): void {
    if (lateUs !== undefined) put(this.#stood, worker, { from: at - lateUs, to: at });
  }
}

/** Keeps the spans of each worker ascending, and apart from one another. @returns the one that now contains it */
function put(spansOf: Map<number, Span[]>, worker = 0, { from, to }: Span): Span {
  const spans = spansOf.get(worker) ?? [];
  spansOf.set(worker, spans);
  const at = firstAfter(spans, from);
  let end = at;
  const whole = { from, to };
  for (let span = spans[end]; span && span.from <= to; span = spans[++end]) {
    whole.from = Math.min(whole.from, span.from);
    whole.to = Math.max(whole.to, span.to);
  }
  spans.splice(at, end - at, whole);
  return whole;
}

/** Index of the first span that ends after an instant. */
function firstAfter(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
