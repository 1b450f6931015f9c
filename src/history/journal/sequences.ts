import type { JournalRecord } from '../records.ts';
import { NumberSet } from './number-set.ts';

interface WorkerSequences {
  readonly sent: NumberSet;
  readonly ended: NumberSet;
}

/**
 * The sequence numbers of a history by worker. They show which requests were in flight at its end and how many records are missing.
 * The order of the records does not matter, and parts can be merged.
 */
export class Sequences {
  readonly #workers = new Map<number, WorkerSequences>();
  /** The worker used last, which is nearly always the next one too. */
  #lastWorker: number | undefined;
  #last: WorkerSequences = { sent: new NumberSet(), ended: new NumberSet() };

  add(record: JournalRecord): void {
    if (record.kind === 'sent') this.#of(record.worker).sent.add(record.seq);
    else if (record.kind === 'exchange') this.#of(record.worker).ended.add(record.seq);
  }

  merge(other: Sequences): void {
    for (const [worker, theirs] of other.#workers) {
      const ours = this.#of(worker);
      ours.sent.addAll(theirs.sent);
      ours.ended.addAll(theirs.ended);
    }
  }

  /** Requests with a `sent` line and no exchange: each may have reached the service. */
  inFlight(): number {
    return this.#sum(({ sent, ended }) => sent.countWithout(ended));
  }

  /** Number of sequence numbers below the highest that no line has. What was lost after the highest cannot be known. */
  missing(): number {
    return this.#sum(({ sent, ended }) => {
      const mentioned = new NumberSet();
      mentioned.addAll(sent);
      mentioned.addAll(ended);
      return mentioned.gaps;
    });
  }

  /** Number of distinct exchanges; fewer than the exchange lines if some are duplicated. */
  ended(): number {
    return this.#sum(({ ended }) => ended.size);
  }

  #sum(of: (sequences: WorkerSequences) => number): number {
    return [...this.#workers.values()].reduce((sum, sequences) => sum + of(sequences), 0);
  }

  #of(worker = 0): WorkerSequences {
    if (worker === this.#lastWorker) return this.#last;
    const sequences = this.#workers.get(worker) ?? { sent: new NumberSet(), ended: new NumberSet() };
    this.#workers.set(worker, sequences);
    this.#lastWorker = worker;
    this.#last = sequences;
    return sequences;
  }
}
