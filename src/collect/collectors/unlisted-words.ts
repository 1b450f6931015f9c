import type { JournalRecord } from '../../history/index.ts';
import type { RunContext } from '../context.ts';
import { CountsOfFirstKeys } from '../smallest.ts';
import type { TurnSummary } from '../summary.ts';

/** At most this many distinct statuses are listed, each shortened: a service may invent a new one every time. */
const MOST_STATUSES = 20;
const STATUS_CHARACTERS = 64;

/** What a service says of its turns in words that the profile does not list, so that nobody knows what they mean. */
export class UnlistedWords {
  readonly #context: RunContext;
  readonly #statuses = new CountsOfFirstKeys(MOST_STATUSES);
  #events = 0;

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'stream') {
      if (this.#context.isWarmUp(record.at)) return;
      if (record.event === 'unknown') this.#events += 1;
      else this.#addStatus(record.status);
    } else if (record.kind === 'exchange' && record.operation === 'readTurn' && record.outcome === 'answered') {
      if (!this.#context.isWarmUp(record.intendedAt)) this.#addStatus(record.turn?.status);
    }
  }

  merge(other: UnlistedWords): void {
    this.#statuses.merge(other.#statuses);
    this.#events += other.#events;
  }

  part(): Pick<TurnSummary, 'unlistedStatuses' | 'unlistedEvents'> {
    const unlistedStatuses = this.#statuses.entries().map(([status, count]) => ({ status, count }));
    return {
      ...(unlistedStatuses.length > 0 && { unlistedStatuses }),
      ...(this.#events > 0 && { unlistedEvents: this.#events }),
    };
  }

  #addStatus(status: string | undefined): void {
    const { open, completed, failed } = this.#context.words.turns;
    if (status === undefined || open.includes(status) || completed.includes(status) || failed.includes(status)) return;
    this.#statuses.add(status.slice(0, STATUS_CHARACTERS));
  }
}
