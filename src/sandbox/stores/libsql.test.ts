import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SandboxSettings, settle } from '../config.ts';
import { CoreClient, conversationId } from '../core-client.exam.ts';
import { LibsqlStore } from './libsql.ts';

const Database = createRequire(import.meta.url)('libsql') as typeof Libsql;
const limits = { rate: { max: 1_000 }, concurrency: { max: 3 }, daily: { max: 10 } };

let folder = '';
const opened: LibsqlStore[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-store-'));
});
afterEach(() => {
  closeAll();
  rmSync(folder, { recursive: true, force: true });
});
const closeAll = () => {
  for (const store of opened.splice(0)) store.close();
};
const at = (name: string) => join(folder, name);

/** A client of a service with this store. */
function serve(path: string, settings: SandboxSettings = { limits }): { client: CoreClient; store: LibsqlStore } {
  const { retention, seed } = settle(settings);
  const store = new LibsqlStore(path, retention, seed);
  opened.push(store);
  return { client: new CoreClient(settings, opened.length, store), store };
}

/** A copy of the file as a crash of the process would leave it: not closed, without a checkpoint. */
function afterDeath(path: string, copy: string): string {
  for (const part of ['', '-wal'])
    if (existsSync(`${path}${part}`)) copyFileSync(`${path}${part}`, at(`${copy}${part}`));
  return at(copy);
}
const allBytes = (path: string) =>
  ['', '-wal']
    .filter((part) => existsSync(`${path}${part}`))
    .map((part) => readFileSync(`${path}${part}`, 'latin1'))
    .join('');

describe('a store with a file', () => {
  it('restores everything after a crash of the process', () => {
    const { client, store } = serve(at('a'));
    client.converse({ conversation_id: conversationId, title: 'Été' });
    const first = client.send('m1', 'first', { location: { city: 'Genève' } }).body.turn_id;
    const answer = client.at(6_000).turn(first).body.message.assistant_message_id;
    client.rate(answer, 'down');
    const open = client.send('m2').body.turn_id;
    const revoked = client.login('u2');
    client.core.revoke({ token: revoked }, client.now);
    store.commit();

    const { client: next } = serve(afterDeath(at('a'), 'b'));
    next.token = client.token;
    next.at(7_500);
    expect([next.turn(first), next.turn(open), next.history(), next.converse()].map((seen) => seen.body)).toEqual(
      [client.at(7_500).turn(first), client.turn(open), client.history(), client.converse()].map((seen) => seen.body),
    );
    expect(next.turn(open).body.status).toBe('processing');
    expect(next.at(11_000).turn(open).body.status).toBe('completed');
    expect(next.call('createConversation', { json: {}, authorization: `Bearer ${revoked}` }).message).toBe(
      'the user token was revoked',
    );
    const truth = next.core.truth(next.now);
    expect(truth.turns.map(({ turnId, rating }) => [turnId, rating])).toEqual([
      [first, 'down'],
      [open, undefined],
    ]);
    // Two before, and one by `serve` itself.
    expect(truth.tokens.issued).toBe(2 + 1);
    expect(next.send('m1', 'first', { location: { city: 'Genève' } }).body.turn_id).toBe(first);
    expect(next.send('m1', 'first').code).toBe('message_id_reused');
    // A later turn continues the random streams as if the process had not ended.
    expect(client.at(11_000).send('m3').status).toBe(202);
    expect(next.send('m3').status).toBe(202);
    expect(next.core.truth(next.now).turns[2]?.finishedAt).toBe(client.core.truth(client.now).turns[2]?.finishedAt);
  });

  it('keeps the limits exact: what was used stays used, and slots come back when their turns end', () => {
    const { client, store } = serve(at('a'));
    client.converse();
    for (let i = 0; i < 2; i++) expect(client.at(6_000 * i).send(`m${i}`).status).toBe(202);
    for (let i = 2; i < 5; i++) expect(client.at(20_000).send(`m${i}`).status).toBe(202);
    store.commit();
    const { client: next } = serve(afterDeath(at('a'), 'b'));
    next.token = client.token;
    expect(next.at(24_999).send('x').code).toBe('concurrency_limited');
    next.at(25_000);
    expect(['a', 'b', 'c', 'd'].map((id) => next.send(id).code ?? 'accepted')).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'concurrency_limited',
    ]);
    next.at(40_000);
    expect(['e', 'f', 'g'].map((id) => next.send(id).code ?? 'accepted')).toEqual([
      'accepted',
      'accepted',
      'daily_quota_exceeded',
    ]);
    // 1 + 5 requests before, 1 + 4 + 3 since, all in one minute: the rate counts them all, the next one included.
    const { decision } = next.core.truth(next.now).standings.a1?.find(({ limit }) => limit === 'rate') ?? {};
    expect(decision).toMatchObject({ admitted: true, remaining: 1_000 - 6 - 8 - 1 });
  });

  it('resets a limit if its settings have changed, and only that one', () => {
    const { client, store } = serve(at('a'));
    client.converse();
    for (let i = 0; i < 3; i++) client.send(`m${i}`);
    store.commit();
    const { client: next } = serve(afterDeath(at('a'), 'b'), { limits: { ...limits, daily: { max: 3 } } });
    next.token = client.token;
    expect(next.send('x').code).toBe('concurrency_limited');
    next.at(6_000);
    expect(['a', 'b', 'c', 'd'].map((id) => next.send(id).code ?? 'accepted')).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'daily_quota_exceeded',
    ]);
  });

  it('keeps limits that are called like members of every object', () => {
    const named = {
      limits: { ...limits, rate: { max: 1_000, name: 'constructor' }, daily: { max: 2, name: '__proto__' } },
    };
    const { client, store } = serve(at('a'), named);
    client.converse();
    client.send('m1');
    store.commit();
    const { client: next } = serve(afterDeath(at('a'), 'b'), named);
    next.token = client.token;
    expect(['m2', 'm3'].map((id) => next.send(id).code ?? 'accepted')).toEqual(['accepted', 'daily_quota_exceeded']);
  });

  it('loses exactly what was not committed', () => {
    const { client, store } = serve(at('a'));
    client.converse();
    const kept = client.send('m1').body.turn_id;
    expect(store.isPending).toBe(true);
    store.commit();
    expect(store.isPending).toBe(false);
    const lost = client.send('m2').body.turn_id;
    expect(store.isPending).toBe(true);
    const { client: next } = serve(afterDeath(at('a'), 'b'));
    next.token = client.token;
    expect([next.turn(kept).status, next.turn(lost).status]).toEqual([200, 404]);
    expect(next.send('m2').status).toBe(202);
  });

  it('keeps texts of any characters', () => {
    const odd = [
      'nul \u0000 in it',
      'a lone \ud800 half',
      '🏊‍♀️ ünïcödé',
      '"quotes" \\ and \u2028 lines',
      "'; DROP TABLE records;--",
    ];
    const { client, store } = serve(at('a'), {});
    client.converse();
    const turns = odd.map((text, i) => client.at(i * 6_000).send(`${text}${i}`, text).body.turn_id);
    store.commit();
    const { client: next } = serve(afterDeath(at('a'), 'b'), {});
    next.token = client.token;
    next.at(60_000);
    expect(odd.map((text, i) => next.send(`${text}${i}`, text).body.turn_id)).toEqual(turns);
    expect(
      next
        .history()
        .body.messages.filter(({ role }: { role: string }) => role === 'user')
        .map(({ content }: { content: string }) => content),
    ).toEqual(odd);
  });

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
      [folder, at('no/such/folder/x'), at('text'), at('other'), at('mine')].map((path) =>
        opening(path).replaceAll(folder, ''),
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
    copyFileSync(at('a'), at('edited'));
    foreign(at('edited'), "UPDATE records SET record = '{' WHERE kind = 'turn'");
    expect(opening(at('edited'))).toContain('is damaged');
    copyFileSync(at('a'), at('torn'));
    foreign(at('torn'), "DELETE FROM records WHERE kind = 'conversation'");
    expect(opening(at('torn'))).toContain('is damaged (turn 0 is of no conversation)');
  });
});
