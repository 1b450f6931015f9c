import type { Micros } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';

/**
 * When journeys stopped to wait for the end of a turn: no record says so of polls, but nothing follows a turn after its journey has
 * ended. Keeps an entry per followed turn.
 */
export class TurnsGivenUp {
  /** Turns by the arrival of the journey that follows them. */
  readonly #followed = new Map<number, Set<string>>();
  readonly #endedAt = new Map<string, Micros>();

  /** In the order of the journal. */
  add(record: JournalRecord): void {
    if (record.kind === 'exchange' && record.turn && record.operation !== 'sendMessage') {
      const turns = this.#followed.get(record.arrival);
      if (turns) turns.add(record.turn.id);
      else this.#followed.set(record.arrival, new Set([record.turn.id]));
    }
    if (record.kind !== 'journey') return;
    // A journey that the end of the run interrupted might have waited longer.
    if (record.outcome !== 'interrupted')
      for (const turn of this.#followed.get(record.arrival) ?? []) this.#endedAt.set(turn, record.endedAt);
    this.#followed.delete(record.arrival);
  }

  /** When the journey that followed this turn ended; `undefined` if none followed it, or none that ended by itself. */
  at(turn: string): Micros | undefined {
    return this.#endedAt.get(turn);
  }
}
