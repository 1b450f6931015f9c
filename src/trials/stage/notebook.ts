import type { Micros } from '../../base/index.ts';
import type { ClockRecord, Exchange, JournalRecord, SentRecord } from '../../history/index.ts';
import { type Dated, dateHeaderClock } from '../../run/generator/date-clock.ts';
import type { World } from '../world/world.ts';

/** The records that the workers of a run write, in order. */
export class Notebook {
  readonly records: JournalRecord[] = [];
  exchanges = 0;
  readonly #announces: boolean;
  /** Per worker, what derives clock records from Date headers; empty if answers have no Date. */
  readonly #clocks: readonly ((exchange: Dated) => ClockRecord | undefined)[];

  constructor({ workers, habits, clock, service }: World) {
    this.#announces = habits.announces;
    const nextDate = new Int32Array(1);
    this.#clocks = clock.dates ? Array.from({ length: workers }, () => dateHeaderClock(service.profile, nextDate)) : [];
  }

  requestSent({ seq, worker, operation }: Pick<SentRecord, 'seq' | 'worker' | 'operation'>, at: Micros): void {
    if (!this.#announces) return;
    const sent: SentRecord = { kind: 'sent', seq, operation, at, ...(worker !== undefined && { worker }) };
    this.records.push(sent);
  }

  replyReceived(exchange: Exchange): void {
    const clock = this.#clocks[exchange.worker ?? 0]?.(exchange);
    if (clock) this.records.push(clock);
    this.records.push(exchange);
    this.exchanges += 1;
  }
}

/** A time stamp in whole µs, rounded down like those of real clocks. */
export const whole = (t: number) => Math.floor(t) as Micros;
