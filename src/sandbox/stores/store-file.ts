import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type Libsql from 'libsql';
import { ConfigurationError, ExitCode, SpillwayError } from '../../base/index.ts';

/*
 * The file of a store: one table of records, each a JSON text under its kind and key. The service reads it once, when it
 * starts, and searches in memory; columns would only be a second place that says what a record is made of.
 */

export type RecordKind = 'meta' | 'application' | 'token' | 'conversation' | 'turn' | 'limit';
export type RecordKey = string | number;
type PutRecord = readonly [kind: RecordKind, key: RecordKey, record: string];
type DeletedRecord = readonly [kind: RecordKind, key: RecordKey];

/** "SPIL", so that a database of something else is told from ours (SQLite's application_id). */
const APPLICATION_ID = 0x53_50_49_4c;
/** Of what is in the table; a change that an older process cannot read raises it. */
const VERSION = 1;

/** The file of a store, open and ours alone. */
export class StoreFile {
  readonly #path: string;
  readonly #database: Libsql.Database;
  readonly #put: Libsql.Statement<[string]>;
  readonly #delete: Libsql.Statement<[string]>;

  /** @throws ConfigurationError when the file cannot be had, is damaged, or is something else */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#database = opened(path);
      // One statement for any number of records: each call into the database costs more than a row.
      this.#put = this.#database.prepare(
        'INSERT OR REPLACE INTO records SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)',
      );
      this.#delete = this.#database.prepare(
        'DELETE FROM records WHERE (kind, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))',
      );
    } catch (error) {
      throw unusable(path, error);
    }
  }

  /**
   * Every record of a kind, in the order of the keys.
   * @throws ConfigurationError when it cannot be read
   */
  *read(kind: RecordKind): Generator<{ readonly key: RecordKey; readonly record: unknown }> {
    try {
      const rows = this.#database.prepare('SELECT key, record FROM records WHERE kind = ? ORDER BY key').iterate(kind);
      for (const { key, record } of rows as Iterable<{ key: RecordKey; record: string }>) {
        yield { key, record: JSON.parse(record) as unknown };
      }
    } catch (error) {
      throw error instanceof SyntaxError ? this.damaged(error.message) : unusable(this.#path, error);
    }
  }

  damaged(how: string): ConfigurationError {
    return unusable(this.#path, new Foreign(`is damaged (${how})`));
  }

  /**
   * All of it or nothing; once it returns, the death of the process loses none of it.
   * @throws ConfigurationError when it cannot be written
   */
  write(put: readonly PutRecord[], deleted: readonly DeletedRecord[]): void {
    try {
      this.#write(put, deleted);
    } catch (error) {
      throw unusable(this.#path, error);
    }
  }

  #write(put: readonly PutRecord[], deleted: readonly DeletedRecord[]): void {
    if (deleted.length === 0) {
      this.#put.run(JSON.stringify(put));
      return;
    }
    this.#database.exec('BEGIN');
    try {
      this.#delete.run(JSON.stringify(deleted));
      if (put.length > 0) this.#put.run(JSON.stringify(put));
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    if (!this.#database.open) return;
    try {
      // Into one file again.
      this.#database.exec('PRAGMA journal_mode = DELETE');
    } catch {
      // Where there is no room for that, what is committed stays beside the file, and is read from there at the next start.
    }
    letGo(this.#database);
  }
}

function opened(path: string): Libsql.Database {
  // Made by us, so that nobody else may read what users wrote; and libsql's own errors name no reason.
  closeSync(openSync(path, 'a', 0o600));
  // Loaded only where a file is asked for: it is native code, which nothing else needs.
  const Database = createRequire(import.meta.url)('libsql') as typeof Libsql;
  // A whole path: something like libsql://host must not reach out to a network.
  const database = new Database(resolve(path));
  try {
    // Keeps every other process out until this one ends, however it ends.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    identify(database);
    // NORMAL waits for the disk at checkpoints only: what is committed survives the process, though not a power cut.
    database.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    letGo(database);
    throw error;
  }
}

/** Closes a database so that another connection can have it: by itself, one stays locked as long as a statement is not collected. */
function letGo(database: Libsql.Database): void {
  try {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.exec('PRAGMA locking_mode = NORMAL');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch {
    // What is no database cannot be locked either.
  }
  database.close();
}

/** Makes an empty database ours; of any other, makes sure that it is. */
function identify(database: Libsql.Database): void {
  const number = (pragma: string) =>
    Number((database.prepare(`PRAGMA ${pragma}`).get() as Readonly<Record<string, unknown>>)[pragma]);
  const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
  if (number('application_id') === 0 && tables.count === 0) {
    database.exec(
      `CREATE TABLE records (kind TEXT NOT NULL, key NOT NULL, record TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
      PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION};`,
    );
    return;
  }
  if (number('application_id') !== APPLICATION_ID) throw new Foreign('is a database of something else');
  const version = number('user_version');
  if (version !== VERSION) throw new Foreign(`is a store of version ${version}; this is version ${VERSION}`);
  const check = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (check.quick_check !== 'ok') throw new Foreign(`is damaged (${check.quick_check})`);
}

/** What a failed write means where no other will follow. */
export const notKept = (error: unknown) =>
  new SpillwayError(
    'STORE_FAILED',
    `what was decided last is not kept: ${(error as Error).message}`,
    ExitCode.targetUnusable,
  );

class Foreign extends Error {}

/** What went wrong with the file, in words. */
function unusable(path: string, error: unknown): ConfigurationError {
  const { code = '', message } = error as Error & { code?: string };
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'cannot be made: its folder does not exist',
    ENOTDIR: 'cannot be made: its folder does not exist',
    EISDIR: 'is a folder',
    EACCES: 'may not be read and written by this user',
    EROFS: 'is on a file system that cannot be written',
    SQLITE_NOTADB: 'is no store: it is not a database',
    SQLITE_CORRUPT: 'is damaged',
    SQLITE_BUSY: 'is in use by another process',
    SQLITE_FULL: 'cannot be written: the disk is full',
  };
  const reason = error instanceof Foreign || code === '' ? message : (reasons[code] ?? `cannot be used (${code})`);
  const hints: Readonly<Record<string, string>> = {
    ENOENT: 'make the folder first',
    ENOTDIR: 'make the folder first',
    EISDIR: 'name a file in it',
    SQLITE_BUSY: 'end that process, or name another file',
    SQLITE_FULL: 'make room, or name a file elsewhere',
  };
  const hint = hints[code] ?? 'name another file; a missing file is created';
  return new ConfigurationError([{ path: 'store', message: `${path} ${reason}`, hint }]);
}
