import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type Libsql from 'libsql';
import { ConfigurationError, ExitCode, SpillwayError } from '../../base/index.ts';

/*
 * The file of a store: one table of records, each a JSON text with a kind and a key. The service reads it once at the start and
 * searches in memory, so columns would only duplicate the definition of records.
 */

export type RecordKind = 'meta' | 'application' | 'token' | 'conversation' | 'turn' | 'limit';
export type RecordKey = string | number;
type PutRecord = readonly [kind: RecordKind, key: RecordKey, record: string];
type DeletedRecord = readonly [kind: RecordKind, key: RecordKey];

/** "SPIL": SQLite's application_id, which distinguishes stores from other databases. */
const APPLICATION_ID = 0x53_50_49_4c;
/** Version of the content. Increased by changes that older versions cannot read. */
const VERSION = 1;

/** Texts as their bytes: libsql ends the process when it reads a text that is not valid UTF-8, as a damaged file may hold. */
const SELECT_RECORDS = `SELECT CASE typeof(key) WHEN 'text' THEN CAST(key AS BLOB) ELSE key END AS key, CAST(record AS BLOB) AS record
  FROM records WHERE kind = ? ORDER BY records.key`;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The open file of a store, locked exclusively. */
export class StoreFile {
  readonly #path: string;
  readonly #database: Libsql.Database;
  readonly #put: Libsql.Statement<[string]>;
  readonly #delete: Libsql.Statement<[string]>;

  /** @throws ConfigurationError if the file cannot be opened, is damaged, or is not a store */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#database = opened(path);
      // One statement for all records, because each call into the database costs more than a row.
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
   * Every record of a kind, ordered by key.
   * @throws ConfigurationError if the file cannot be read
   */
  *read(kind: RecordKind): Generator<{ readonly key: RecordKey; readonly record: unknown }> {
    try {
      const rows = this.#database.prepare(SELECT_RECORDS).iterate(kind);
      for (const { key, record } of rows as Iterable<{ key: Buffer | number; record: Buffer }>) {
        yield { key: typeof key === 'number' ? key : utf8.decode(key), record: JSON.parse(utf8.decode(record)) };
      }
    } catch (error) {
      if (error instanceof TypeError) throw this.damaged('it holds text that is not valid UTF-8');
      throw error instanceof SyntaxError ? this.damaged(error.message) : unusable(this.#path, error);
    }
  }

  damaged(how: string): ConfigurationError {
    return unusable(this.#path, new Foreign(`is damaged (${how})`));
  }

  /**
   * Writes all records or none. Once it returns, they survive a crash of the process.
   * @throws ConfigurationError if the file cannot be written
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
      // Merges the WAL into the main file.
      this.#database.exec('PRAGMA journal_mode = DELETE');
    } catch {
      // Without disk space for that, committed data stays in the WAL beside the file and is read from there at the next start.
    }
    letGo(this.#database);
  }
}

function opened(path: string): Libsql.Database {
  // Created here with mode 600, because it contains messages of users. Also, libsql's own errors give no reason.
  closeSync(openSync(path, 'a', 0o600));
  // Loaded lazily: native code that only stores with a file need.
  const Database = createRequire(import.meta.url)('libsql') as typeof Libsql;
  // An absolute path, so that a name like libsql://host does not open a network connection.
  const database = new Database(resolve(path));
  try {
    // Locks out every other process until this one ends, even if it crashes.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    identify(database);
    // NORMAL syncs to disk at checkpoints only: commits survive a crash of the process, but not a power failure.
    database.exec('COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    letGo(database);
    throw error;
  }
}

/** Unlocks and closes a database. `close` alone keeps the lock until all statements are garbage-collected. */
function letGo(database: Libsql.Database): void {
  try {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.exec('PRAGMA locking_mode = NORMAL');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch {
    // A file that is not a database is not locked either.
  }
  database.close();
}

/** Initializes an empty database; checks that any other is a store. @throws Foreign if it is not */
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
  // What is wrong may follow a line that names the database; a problem of the configuration is one line.
  const wrong = check.quick_check.split('\n').at(-1);
  if (wrong !== 'ok') throw new Foreign(`is damaged (${wrong})`);
}

/** The error of a failed write that will not be retried. */
export const notKept = (error: unknown) =>
  new SpillwayError(
    'STORE_FAILED',
    `the last decisions were not stored: ${(error as Error).message}`,
    ExitCode.targetUnusable,
  );

class Foreign extends Error {}

/** Describes a failure to use the file. */
function unusable(path: string, error: unknown): ConfigurationError {
  const { code = '', message } = error as Error & { code?: string };
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'cannot be created: its folder does not exist',
    ENOTDIR: 'cannot be created: its folder does not exist',
    EISDIR: 'is a folder',
    EACCES: 'may not be read and written by this user',
    EROFS: 'is on a file system that cannot be written',
    SQLITE_NOTADB: 'is not a store: it is not a database',
    SQLITE_CORRUPT: 'is damaged',
    SQLITE_BUSY: 'is in use by another process',
    SQLITE_FULL: 'cannot be written: the disk is full',
  };
  const reason = error instanceof Foreign || code === '' ? message : (reasons[code] ?? `cannot be used (${code})`);
  const hints: Readonly<Record<string, string>> = {
    ENOENT: 'create the folder first',
    ENOTDIR: 'create the folder first',
    EISDIR: 'name a file in it',
    SQLITE_BUSY: 'end that process, or name another file',
    SQLITE_FULL: 'free some space, or name a file elsewhere',
  };
  const hint = hints[code] ?? 'name another file; a missing file is created';
  return new ConfigurationError([{ path: 'store', message: `${path} ${reason}`, hint }]);
}
