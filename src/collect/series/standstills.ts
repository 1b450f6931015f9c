import { type Micros, STANDSTILL_US } from '../../base/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { capWaitOf, ScheduleLag } from '../schedule-lag.ts';

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
  /** By worker; ascending, and apart from one another. */
  readonly #spans = new Map<number, Span[]>();
  /** When the last exchange of each journey that goes on had ended. */
  readonly #endedAt = new Map<number, Micros>();

  /** In the order of the journal. */
  add(record: JournalRecord): void {
    if (record.kind === 'journey') this.#endedAt.delete(record.arrival);
    if (record.kind === 'stream') this.#readLate(record.worker, record.at, record.readLateUs);
    if (record.kind !== 'exchange') return;
    const { worker, sentAt, receivedAt, readLateUs, arrival } = record;
    const lagUs = this.#lagUs(record);
    if (lagUs >= STANDSTILL_US) this.#stood(worker, { from: sentAt - lagUs, to: sentAt });
    this.#readLate(worker, receivedAt, readLateUs);
    this.#endedAt.set(arrival, receivedAt);
  }

  /** For how much of the time between two instants a worker stood still, µs. */
  within(worker: number | undefined, from: number, to: number): number {
    const spans = this.#spans.get(worker ?? 0) ?? [];
    let sum = 0;
    for (let at = firstAfter(spans, from); at < spans.length; at++) {
      const span = spans[at];
      if (span === undefined || span.from >= to) break;
      sum += Math.min(span.to, to) - Math.max(span.from, from);
    }
    return sum;
  }

  /** A poll waits for the answer to the one before it; only what it is late after that is the generator's. */
  #lagUs(exchange: Exchange): number {
    const lag = this.#lagOf.of(exchange);
    if (lag !== undefined || exchange.operation !== 'readTurn') return lag ?? 0;
    const { intendedAt, sentAt, arrival } = exchange;
    return sentAt - Math.max(intendedAt, this.#endedAt.get(arrival) ?? 0) - capWaitOf(exchange);
  }

  #readLate(worker: number | undefined, at: Micros, lateUs: Micros | undefined): void {
    if (lateUs !== undefined) this.#stood(worker, { from: at - lateUs, to: at });
  }

  #stood(worker = 0, { from, to }: Span): void {
    const spans = this.#spans.get(worker) ?? [];
    this.#spans.set(worker, spans);
    const at = firstAfter(spans, from);
    let end = at;
    const whole = { from, to };
    for (let span = spans[end]; span && span.from <= to; span = spans[++end]) {
      whole.from = Math.min(whole.from, span.from);
      whole.to = Math.max(whole.to, span.to);
    }
    spans.splice(at, end - at, whole);
  }
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
