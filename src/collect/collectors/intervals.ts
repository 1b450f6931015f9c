import type { Micros } from '../../base/index.ts';
import type { Exchange, HealthRecord, JournalRecord, Turn } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import type { IntervalRow } from '../rows.ts';
import { openTurnsBySecond } from '../turns/open-turns.ts';
import { emptySecond, mergedHealth, mergeSeconds, rowOf, type Second } from './seconds.ts';

const SECOND_US = 1_000_000;
/** A history that claims to be longer (46 days) gets rows only for seconds in which something happened. */
const LONGEST_WITHOUT_GAPS = 4_000_000;

/** The run second by second, including the warm-up, because this is a time line, not a metric. */
export class IntervalsCollector implements Collector<Record<never, never>> {
  readonly #context: RunContext;
  readonly #seconds = new Map<number, Second>();
  /** The last second in which anything happened; arrivals that never started do not count. */
  #lastSecond = -1;

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'exchange') this.#addExchange(record);
    if (record.kind === 'drop') this.#at(record.intendedAt).drops += record.count ?? 1;
    if (record.kind === 'journey') this.#at(record.startedAt).arrivals += 1;
    if (record.kind === 'health') addHealth(this.#at(record.at), record);
    if (record.kind === 'stream') this.#at(record.at);
    this.#lastSecond = Math.max(this.#lastSecond, lastSecondOf(record));
  }

  merge(other: IntervalsCollector): void {
    for (const [second, theirs] of other.#seconds) mergeSeconds(this.#of(second), theirs);
    this.#lastSecond = Math.max(this.#lastSecond, other.#lastSecond);
  }

  part(): Record<never, never> {
    return {};
  }

  /** @param turns all of the run */
  rows(turns: readonly Turn[]): IntervalRow[] {
    const counted = this.#upToTheEnd();
    const last = [...counted.keys()].reduce((a, b) => Math.max(a, b), -1);
    const seconds =
      last < LONGEST_WITHOUT_GAPS
        ? Array.from({ length: last + 1 }, (_, second) => second)
        : [...counted.keys()].sort((a, b) => a - b);
    const open = openTurnsBySecond(turns, seconds);
    return seconds.map((second, i) => {
      const of = { certain: open.certain[i] ?? 0, possible: open.possible[i] ?? 0 };
      return rowOf(second, counted.get(second) ?? emptySecond(), of);
    });
  }

  /** Drops of arrivals planned after the end of the run count in its last second, so that no row lies after the end. */
  #upToTheEnd(): ReadonlyMap<number, Second> {
    if (this.#lastSecond < 0) return this.#seconds;
    const seconds = new Map<number, Second>();
    for (const [second, counted] of this.#seconds) {
      const at = Math.min(second, this.#lastSecond);
      const known = seconds.get(at) ?? emptySecond();
      mergeSeconds(known, counted);
      seconds.set(at, known);
    }
    return seconds;
  }

  #addExchange(exchange: Exchange): void {
    const sentIn = this.#at(exchange.sentAt);
    sentIn.sent += 1;
    sentIn.capWaitUs += Object.values(exchange.capWaitUs ?? {}).reduce((sum, us) => sum + us, 0);
    const endedIn = this.#at(exchange.receivedAt);
    endedIn[this.#context.classOf(exchange)] += 1;
    endedIn.bytesSent += exchange.bytes.sent;
    endedIn.bytesReceived += exchange.bytes.received;
    if (exchange.outcome === 'refused') endedIn.refusedBy[this.#context.limitOf(exchange)] += 1;
    if (exchange.outcome !== 'answered' && exchange.outcome !== 'refused') return;
    addSample(endedIn.service, exchange.receivedAt - exchange.sentAt);
    addSample(endedIn.response, exchange.receivedAt - exchange.intendedAt);
  }

  #at(at: Micros): Second {
    return this.#of(secondOf(at));
  }

  #of(second: number): Second {
    let counted = this.#seconds.get(second);
    if (!counted) {
      counted = emptySecond();
      this.#seconds.set(second, counted);
    }
    return counted;
  }
}

function lastSecondOf(record: JournalRecord): number {
  switch (record.kind) {
    case 'exchange':
      return secondOf(record.receivedAt);
    case 'health':
    case 'stream':
    case 'end':
      return secondOf(record.at);
    case 'journey':
      return secondOf(record.endedAt);
    default:
      return -1;
  }
}

const secondOf = (at: Micros): number => Math.max(0, Math.floor(at / SECOND_US));

function addSample(samples: Second['service'], us: number): void {
  samples.count += 1;
  samples.sum += Math.max(0, us);
  samples.max = Math.max(samples.max, us);
}

function addHealth(second: Second, record: HealthRecord): void {
  const { eventLoopP99Us, gcUs, backlog, cpuUs } = record;
  const health = {
    gcUs,
    backlog,
    ...(eventLoopP99Us !== undefined && { eventLoopP99Us }),
    ...(cpuUs !== undefined && { cpuUs }),
  };
  second.health = second.health ? mergedHealth(second.health, health) : health;
}
