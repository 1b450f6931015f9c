import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { temporaryFolder } from '../../testing/cli.ts';
import { type SandboxSettings, settle } from '../config.ts';
import { CoreClient } from '../core-client.exam.ts';
import { LibsqlStore } from './libsql.ts';

export const limits = { rate: { max: 1_000 }, concurrency: { max: 3 }, daily: { max: 10 } };

/** Files of stores in a folder of its own for each test, after which what was opened is closed. Call it once per file. */
export function storeFiles() {
  let folder = '';
  const opened: LibsqlStore[] = [];
  const at = (name: string) => join(folder, name);
  const closeAll = () => {
    for (const store of opened.splice(0)) store.close();
  };
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(closeAll);

  /** A client of a service with this store. */
  const serve = (path: string, settings: SandboxSettings = { limits }) => {
    const { retention, seed } = settle(settings);
    const store = new LibsqlStore(path, retention, seed);
    opened.push(store);
    return { client: new CoreClient(settings, opened.length, store), store };
  };

  /** A copy of the file as a crash of the process would leave it: not closed, without a checkpoint. */
  const afterDeath = (path: string, copy: string): string => {
    for (const part of ['', '-wal'])
      if (existsSync(`${path}${part}`)) copyFileSync(`${path}${part}`, at(`${copy}${part}`));
    return at(copy);
  };
  return { at, serve, afterDeath, closeAll };
}
