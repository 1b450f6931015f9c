import type { RecordKey, RecordKind, StoreFile } from './store-file.ts';

interface Pending {
  readonly kind: RecordKind;
  readonly key: RecordKey;
  /** Absent: the record is to be deleted. */
  readonly record: (() => unknown) | undefined;
}

/** Records that have changed since the last commit, each once. Their content is read at the commit. */
export class PendingRecords {
  readonly #pending = new Map<string, Pending>();

  get size(): number {
    return this.#pending.size;
  }

  put(kind: RecordKind, key: RecordKey, record: () => unknown): void {
    this.#pending.set(`${kind} ${key}`, { kind, key, record });
  }

  delete(kind: RecordKind, key: RecordKey): void {
    this.#pending.set(`${kind} ${key}`, { kind, key, record: undefined });
  }

  /** @throws what the file throws; everything then stays pending */
  writeTo(file: StoreFile): void {
    const put: [RecordKind, RecordKey, string][] = [];
    const deleted: [RecordKind, RecordKey][] = [];
    for (const { kind, key, record } of this.#pending.values()) {
      if (record) put.push([kind, key, JSON.stringify(record())]);
      else deleted.push([kind, key]);
    }
    file.write(put, deleted);
    this.#pending.clear();
  }
}
