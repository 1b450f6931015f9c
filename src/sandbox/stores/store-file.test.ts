import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { type SandboxSettings, settle } from '../config.ts';
import { LibsqlStore } from './libsql.ts';
import { limits, storeFiles } from './store-files.exam.ts';

const { at, serve, closeAll } = storeFiles();
const Database = createRequire(import.meta.url)('libsql') as typeof Libsql;
const allBytes = (path: string) =>
  ['', '-wal']
    .filter((part) => existsSync(`${path}${part}`))
    .map((part) => readFileSync(`${path}${part}`, 'latin1'))
    .join('');

describe('a store with a file', () => {
  it('holds no token and no secret, and nobody else may read it', () => {
    const { client, store } = serve(at('a'));
    client.converse();
    client.send('m1', 'this text was asked to be kept');
    store.commit();
    const bytes = allBytes(at('a'));
    expect(bytes).toContain('this text was asked to be kept');
    expect(client.token).toHaveLength(43);
    expect(bytes).not.toContain(client.token);
    expect(bytes).not.toContain('secret-one');
    expect(statSync(at('a')).mode & 0o077).toBe(0);
  });

  it('deletes from the file what retention deletes from memory', () => {
    const settings: SandboxSettings = {
      limits: { ...limits, daily: { max: 1_000 } },
      retention: { time: '1h' },
      tokenLifetime: '1h',
    };
    const { client, store } = serve(at('a'), settings);
    for (let i = 0; i < 40; i++) {
      client.at(i * 600_000).token = client.login();
      const { conversation_id } = client.call('createConversation', { json: {} }).body;
      client.call('sendMessage', { parameters: { conversation_id }, json: { client_message_id: 'm', message: 'x' } });
      store.commit();
    }
    // Tokens for two hours, conversations for one after their turn: those whose turns finished less than 60 min ago, and the open one.
    const remembered = { tokens: 12, conversations: 7, turns: 7 };
    expect(client.core.truth(client.now).remembered).toEqual(remembered);
    closeAll();
    const rows = new Database(at('a'))
      .prepare(
        "SELECT kind, count(*) AS rows FROM records WHERE kind IN ('token', 'conversation', 'turn') GROUP BY kind",
      )
      .all() as { kind: string; rows: number }[];
    expect(rows.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['conversation', 7],
      ['token', 12],
      ['turn', 7],
    ]);
    const { client: next } = serve(at('a'), settings);
    next.now = client.now;
    expect(next.core.truth(client.now).remembered).toEqual({ ...remembered, tokens: 12 + 1 });
  });

  it('deletes a record that is the only one to be deleted with a commit', () => {
    const { client, store } = serve(at('a'), { limits, tokenLifetime: '30s' });
    for (let minute = 1; minute <= 5; minute++) {
      store.commit();
      client.at(minute * 60_000).login();
    }
    closeAll();
    const tokens = new Database(at('a')).prepare("SELECT key FROM records WHERE kind = 'token'").all();
    expect(tokens).toHaveLength(1);
  });
});

describe('a file that cannot be used as a store', () => {
  const opening = (path: string, seed = 1) => {
    try {
      new LibsqlStore(path, settle({}).retention, seed).close();
      return 'opened';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const foreign = (path: string, sql: string) => {
    const database = new Database(path);
    database.exec(sql);
    database.close();
  };

  it('is refused with the reason', () => {
    writeFileSync(
      at('text'),
      'just some text that is longer than a header of a database, which has a hundred bytes or so'.repeat(3),
    );
    foreign(at('other'), 'CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    expect(opening(at('mine'))).toBe('opened');
    foreign(at('mine'), 'PRAGMA user_version = 99');
    expect(
      [at(''), at('no/such/folder/x'), at('text'), at('other'), at('mine')].map((path) =>
        opening(path).replaceAll(at(''), ''),
      ),
    ).toEqual([
      'store:  is a folder; name a file in it',
      'store: /no/such/folder/x cannot be created: its folder does not exist; create the folder first',
      'store: /text is not a store: it is not a database; name another file; a missing file is created',
      'store: /other is a database of something else; name another file; a missing file is created',
      'store: /mine is a store of version 99; this is version 1; name another file; a missing file is created',
    ]);
    expect(readFileSync(at('text'), 'utf8')).toContain('just some text');
  });

  it('is one that another service has open, or that was begun with another seed', () => {
    serve(at('a'));
    expect(opening(at('a'))).toContain('is in use by another process');
    closeAll();
    expect(opening(at('a'), 7)).toBe(`seed: must be 1, the seed with which ${at('a')} was created`);
    expect(opening(at('a'))).toBe('opened');
  });

  it('is one of which a record has another form than its kind', () => {
    const { client } = serve(at('b'));
    client.converse();
    client.at(0).send('m', 'x');
    closeAll();
    for (const kind of ['token', 'conversation', 'turn', 'limit']) {
      copyFileSync(at('b'), at(kind));
      foreign(at(kind), `UPDATE records SET record = 'null' WHERE kind = '${kind}'`);
      expect(opening(at(kind))).toBe(
        `store: ${at(kind)} is damaged (a record of it has another form); name another file; a missing file is created`,
      );
    }
  });

  it('is one that is damaged', () => {
    const { client } = serve(at('a'));
    client.converse();
    for (let i = 0; i < 5; i++) client.at(i * 6_000).send(`m${i}`, 'x'.repeat(8_000));
    closeAll();
    copyFileSync(at('a'), at('short'));
    truncateSync(at('short'), 8_192);
    expect(opening(at('short'))).toContain('is damaged');
    const bytes = readFileSync(at('a'));
    bytes.fill(0xff, 4_096, 4_096 + 600);
    writeFileSync(at('scratched'), bytes);
    expect(opening(at('scratched'))).toContain('is damaged');
    // A number of a page in the root of the table, which no file has.
    const misled = readFileSync(at('a'));
    misled.fill(0x22, 4_096 + 8, 4_096 + 12);
    writeFileSync(at('misled'), misled);
    expect(opening(at('misled'))).toMatch(
      /misled is damaged \(Tree .+\); name another file; a missing file is created$/,
    );
    copyFileSync(at('a'), at('edited'));
    foreign(at('edited'), "UPDATE records SET record = '{' WHERE kind = 'turn'");
    expect(opening(at('edited'))).toContain('is damaged');
    const notUtf8 = "CAST(x'7b80' AS TEXT)";
    for (const [column, kind] of [
      ['record', 'turn'],
      ['key', 'limit'],
    ]) {
      copyFileSync(at('a'), at(`bytes of ${column}`));
      foreign(
        at(`bytes of ${column}`),
        `UPDATE records SET ${column} = ${notUtf8} WHERE kind = '${kind}' AND key = (SELECT min(key) FROM records WHERE kind = '${kind}')`,
      );
      expect(opening(at(`bytes of ${column}`))).toContain('is damaged (it holds text that is not valid UTF-8)');
    }
    copyFileSync(at('a'), at('torn'));
    foreign(at('torn'), "DELETE FROM records WHERE kind = 'conversation'");
    expect(opening(at('torn'))).toContain('is damaged (turn 0 is of no conversation)');
  });
});
