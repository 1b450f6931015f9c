import { limitOfRefusal } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import {
  type Exchange,
  type Header,
  type JournalRecord,
  type JourneyRecord,
  type ProfileWords,
  profileWords,
  type StageRecord,
} from '../history/index.ts';
import { ServiceClock } from './service/service-clock.ts';
import type { Attribution, OutcomeClass } from './summary.ts';

/** What all collectors of one measurement know about the run: its header and its clock. Gets every record before the collectors do. */
export class RunContext {
  readonly clock = new ServiceClock();
  header: Header | undefined;
  words: ProfileWords = profileWords(undefined);
  #startedAtUs = 0;
  #stages: readonly StageRecord[] = [];

  add(record: JournalRecord): void {
    if (record.kind === 'clock') this.clock.add(record);
    if (record.kind === 'header') this.#takeHeader(record);
  }

  merge(other: RunContext): void {
    if (!this.header && other.header) this.#takeHeader(other.header);
    this.clock.merge(other.clock);
  }

  /** Whether something that was to happen at this instant belongs to the warm-up. */
  isWarmUp(intendedAt: Micros): boolean {
    return this.header !== undefined && intendedAt < this.header.warmUpUs;
  }

  /** Whether a journey belongs to the warm-up: decided by its arrival's intended time, however late it started. */
  isWarmUpJourney({ intendedAt, startedAt }: JourneyRecord): boolean {
    return this.isWarmUp(intendedAt ?? startedAt);
  }

  /** The stages of the plan; empty if there is only one. */
  get stages(): readonly StageRecord[] {
    return this.#stages;
  }

  /** Index of the stage in which something was to happen; −1 without stages. What comes after the last one belongs to it. */
  stageAt(intendedAt: Micros): number {
    let low = 0;
    let high = this.#stages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#stages[middle]?.fromUs ?? 0) <= intendedAt) low = middle + 1;
      else high = middle;
    }
    return this.#stages.length > 0 ? Math.max(0, low - 1) : -1;
  }

  /** Index of a journey's stage: that of its arrival. */
  stageOfJourney({ intendedAt, startedAt }: JourneyRecord): number {
    return this.stageAt(intendedAt ?? startedAt);
  }

  /** Microseconds since 1970 on the service's clock. */
  serviceTime(at: Micros): Micros {
    return this.clock.at(at, this.#startedAtUs);
  }

  classOf(exchange: Exchange): OutcomeClass {
    if (exchange.outcome !== 'answered') return exchange.outcome;
    return this.isSuccess(exchange) && exchange.bodyProblem === undefined ? 'success' : 'error';
  }

  /** Whether an answer has an error status that the step expects, and no expectation unmet. */
  isExpectedError(exchange: Exchange): boolean {
    if (exchange.outcome !== 'answered' || this.isSuccess(exchange)) return false;
    return exchange.expect?.namedStatus === true && exchange.expect.unmet.length === 0;
  }

  /** A status of success, whatever the body. */
  isSuccess(exchange: Exchange): boolean {
    return (
      exchange.outcome === 'answered' &&
      exchange.status !== undefined &&
      this.words.success[exchange.operation].includes(exchange.status)
    );
  }

  /** The limit that a 429 names. */
  limitOf(exchange: Exchange): Attribution {
    return limitOfRefusal(this.words, exchange) ?? 'unattributed';
  }

  #takeHeader(header: Header): void {
    this.header = header;
    this.words = profileWords(header.profile);
    this.#stages = header.stages ?? [];
    this.#startedAtUs = Date.parse(header.startedAt) * 1_000 || 0;
  }
}
