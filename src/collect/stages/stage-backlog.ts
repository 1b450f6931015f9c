import { type Micros, STANDSTILL_US } from '../../base/index.ts';
import type { CapName, Exchange, Turn } from '../../history/index.ts';
import type { RunContext } from '../context.ts';
import { ScheduleLag } from '../generator/schedule-lag.ts';
import { type Backlog, PARTS } from './fell-behind.ts';

/** Caps that a scenario sets. Waits for a token or a connection are not counted, because they depend on the service too. */
export const scenarioCaps: readonly CapName[] = ['openTurns', 'requestsPerMinute', 'inFlight'];

/** Slots of a stage: its first half, and each part of its second half. */
const SLOTS = 1 + PARTS;

/**
 * How many requests were due and how many ended in each slot of each stage, from which follows how many were unanswered at any
 * boundary of slots. A request counts at both of its instants only, however many stages lie between them. Those of the warm-up
 * count, too: the service has to answer them.
 */
export class StageBacklogs {
  readonly #context: RunContext;
  readonly #due = new Tally();
  readonly #ended = new Tally();
  /** By stage: requests that were due in the first eighth of it, and those of them that took longer than half of it. */
  readonly #early = new Tally();
  readonly #slow = new Tally();
  readonly #lagOf = new ScheduleLag();

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** @returns when it should have been sent, had the service got what was planned; later than intended by caps and standstills */
  add(exchange: Exchange): Micros {
    const due = dueAt(exchange, this.#lagOf.of(exchange));
    this.#add(due, exchange.receivedAt);
    return due;
  }

  /**
   * A turn instead of a request. It counts for as long as it was certainly in process, so that no late look of the generator at it counts.
   * @param lateUs how late the event that showed its end may have been read
   */
  addTurn({ acceptance, certain, finished }: Turn, lateUs: number): void {
    if (!acceptance) return;
    const from = acceptance.headersAt;
    const to = finished?.by === 'stream' ? finished.observedAt - lateUs : (certain?.to ?? from);
    this.#add(from, Math.max(from, to) as Micros);
  }

  #add(due: Micros, ended: Micros): void {
    const index = this.#context.stageAt(due);
    this.#due.add(this.#slotAt(index, due));
    this.#ended.add(this.#slotAt(this.#context.stageAt(ended), ended));
    const { from, half, to } = this.#spanOf(index);
    if (due < from || due >= from + (to - from) / 8) return;
    this.#early.add(index);
    if (ended - due >= to - half) this.#slow.add(index);
  }

  merge(other: StageBacklogs): void {
    this.#due.merge(other.#due);
    this.#ended.merge(other.#ended);
    this.#early.merge(other.#early);
    this.#slow.merge(other.#slow);
    this.#lagOf.merge(other.#lagOf);
  }

  /** The backlogs of all stages, in order. */
  all(): Backlog[] {
    let unanswered = 0;
    const last = this.#due.last;
    return this.#context.stages.map((_, index) => {
      const [first, ...slots] = Array.from({ length: SLOTS }, (__, slot) => index * SLOTS + slot);
      unanswered += this.#due.of(first) - this.#ended.of(first);
      const backlog = {
        half: unanswered,
        due: slots.map((slot) => this.#due.of(slot)),
        ended: slots.map((slot) => this.#ended.of(slot)),
        early: this.#early.of(index),
        slow: this.#slow.of(index),
        isPassed: last >= (index + 1) * SLOTS,
      };
      for (const slot of slots) unanswered += this.#due.of(slot) - this.#ended.of(slot);
      return backlog;
    });
  }

  /** After the last stage's end: a slot that no stage has. */
  #slotAt(index: number, at: Micros): number {
    const { half, to } = this.#spanOf(index);
    if (at >= to) return (index + 1) * SLOTS;
    const part = at < half ? -1 : Math.min(PARTS - 1, Math.floor(((at - half) * PARTS) / (to - half)));
    return index * SLOTS + 1 + part;
  }

  /** The measured part of a stage. Of a stage within the warm-up, all belongs to its first half. */
  #spanOf(index: number): { readonly from: number; readonly half: number; readonly to: number } {
    const { fromUs = 0, toUs = 0 } = this.#context.stages[index] ?? {};
    const from = Math.max(fromUs, this.#context.header?.warmUpUs ?? 0);
    return { from, half: (from + toUs) / 2, to: toUs };
  }
}

/**
 * When the request should have been sent: what the scenario postpones, it should not, and where the generator stood still, the
 * service got nothing to answer.
 * @param lagUs how late the generator itself sent it, if that is known; includes `pace`
 */
function dueAt({ intendedAt, capWaitUs }: Exchange, lagUs = 0): Micros {
  const late = lagUs >= STANDSTILL_US ? lagUs : 0;
  if (!capWaitUs) return (intendedAt + late) as Micros;
  const at = (intendedAt + Math.max(capWaitUs.pace ?? 0, late)) as Micros;
  return scenarioCaps.reduce((due, cap) => (due + (capWaitUs[cap] ?? 0)) as Micros, at);
}

/** Counts by number, from 0 on. */
class Tally {
  readonly #counts: number[] = [];

  add(key: number, count = 1): void {
    this.#counts[key] = this.of(key) + count;
  }

  of(key: number | undefined): number {
    return key === undefined ? 0 : (this.#counts[key] ?? 0);
  }

  /** The greatest number counted; −1 if none was. */
  get last(): number {
    return this.#counts.length - 1;
  }

  merge(other: Tally): void {
    other.#counts.forEach((count, key) => {
      this.add(key, count);
    });
  }
}
