import type { Exchange, JournalRecord } from '../../history/index.ts';
import { MISLED } from './doubt.ts';

/**
 * Connections on which the service, or something before it, sent data that no request had asked for, such as the same answer twice.
 * From then on each answer may have been meant for an earlier request of its connection; only the first is certainly its own.
 */
export class MisledConnections {
  readonly #known = new Set<string>();

  note(record: JournalRecord): void {
    if (record.kind !== 'health') return;
    for (const connection of record.unaskedOn ?? []) this.#known.add(keyOf(record.worker, connection));
  }

  get exist(): boolean {
    return this.#known.size > 0;
  }

  /** The records, with answers that may be of an earlier request marked as such. */
  *marked(records: Iterable<JournalRecord>): Iterable<JournalRecord> {
    const begun = new Set<string>();
    for (const record of records) {
      const key = record.kind === 'exchange' ? this.#keyOf(record) : undefined;
      if (key !== undefined && begun.has(key)) yield { ...(record as Exchange), outcome: 'failed', failure: MISLED };
      else yield record;
      if (key !== undefined) begun.add(key);
    }
  }

  #keyOf({ worker, connection }: Exchange): string | undefined {
    const key = connection === undefined ? undefined : keyOf(worker, connection);
    return key !== undefined && this.#known.has(key) ? key : undefined;
  }
}

const keyOf = (worker: number | undefined, connection: number): string => `${worker ?? 0}/${connection}`;
