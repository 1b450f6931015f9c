import { describe, expect, it } from 'vitest';
import { conversationId } from '../core-client.exam.ts';
import { limits, storeFiles } from './store-files.exam.ts';

const { at, serve, afterDeath } = storeFiles();

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

  it('continues the numbers of turns and tokens, which count forgotten ones, too: a new turn replaces none', () => {
    const settings = { limits, retention: { time: '1h' }, tokenLifetime: '30min' } as const;
    const { client, store } = serve(at('a'), settings);
    client.converse();
    for (const id of ['m1', 'm2']) client.send(id);
    client.at(2 * 3_600_000).token = client.login();
    client.converse();
    const kept = client.send('m3').body.turn_id;
    expect(client.core.truth(client.now).remembered).toEqual({ tokens: 1, conversations: 1, turns: 1 });
    store.commit();

    const { client: next, store: nextStore } = serve(afterDeath(at('a'), 'b'), settings);
    next.token = client.token;
    const added = next.at(2 * 3_600_000 + 6_000).send('m4').body.turn_id;
    nextStore.commit();
    const { client: last } = serve(afterDeath(at('b'), 'c'), settings);
    const { turns, tokens } = last.at(2 * 3_600_000 + 6_000).core.truth(last.now);
    expect(turns.map(({ turnId }) => turnId)).toEqual([kept, added]);
    // Two of the first, and one by each `serve` since.
    expect(tokens.issued).toBe(2 + 1 + 1);
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
});
