import { describe, expect, it } from 'vitest';
import type { Micros, Millis } from '../../base/index.ts';
import { applications, CoreClient, conversationId, noon } from '../core-client.exam.ts';
import type { ConversationRecord, TokenRecord, TurnRecord } from '../store.ts';
import { MemoryStore } from './memory.ts';
import { Thread } from './thread.ts';

const unlimited = {
  rate: { max: 60_000_000 },
  concurrency: { max: 60_000_000 },
  daily: { max: 60_000_000 },
};
const hours = (count: number) => count * 3_600_000;
const sizes = (client: CoreClient) => client.core.truth(client.now).remembered;

/** Creates another conversation of the client. @returns its id */
const converse = (client: CoreClient): string =>
  String(client.call('createConversation', { json: {} }).body.conversation_id);
const send = (client: CoreClient, conversation: string, id: string): string =>
  String(
    client.call('sendMessage', {
      parameters: { conversation_id: conversation },
      json: { client_message_id: id, message: 'x' },
    }).body.turn_id,
  );

it('a conversation is idle from the end of the turn that ends last', () => {
  const thread = new Thread({ createdAt: 5 } as ConversationRecord);
  const turn = (finishedAt: number) =>
    ({
      clientMessageId: `m${finishedAt}`,
      schedule: { acceptedAt: 6, processingAt: 7, finishedAt, outcome: 'completed' },
    }) as TurnRecord;
  const idleFrom = [100, 50].map((finishedAt) => {
    thread.add(turn(finishedAt));
    return thread.idleFrom;
  });
  expect(idleFrom).toEqual([100, 100]);
});

describe('what the service remembers', () => {
  it('is a conversation for as long as asked after its last turn finished, to the microsecond', () => {
    // Queued for 1 s, processing for 4 s: finished at 5 s.
    const client = new CoreClient({ limits: unlimited, retention: { time: '1h' }, tokenLifetime: '2d' });
    client.converse();
    const turn = String(client.send('m1').body.turn_id);
    client.now = (noon + 5_000_000 + 3_600_000_000 - 1) as Micros;
    expect(client.turn(turn).status).toBe(200);
    expect(client.history().body.messages).toHaveLength(2);
    client.now = (client.now + 1) as Micros;
    expect([client.turn(turn).status, client.history().status]).toEqual([404, 404]);
    expect(sizes(client)).toEqual({ tokens: 1, conversations: 0, turns: 0 });
    // The id can be used again for a new, empty conversation, in which the old message is new.
    expect(client.converse().status).toBe(201);
    expect(client.send('m1').body.turn_id).not.toBe(turn);
  });

  it('is kept alive by each new message, with all that went before', () => {
    const client = new CoreClient({ limits: unlimited, retention: { time: '1h' }, tokenLifetime: '2d' });
    client.converse();
    const first = String(client.send('m0').body.turn_id);
    for (let i = 1; i <= 10; i++) expect(client.at(hours(i) - 60_000 * i).send(`m${i}`).status).toBe(202);
    expect(client.turn(first).status).toBe(200);
    expect(client.at(hours(10.9)).turn(first).status).toBe(404);
  });

  it('never loses a turn in process, however short the memory', () => {
    const client = new CoreClient({
      limits: unlimited,
      retention: { time: '1ms', turns: 1, conversations: 1 },
      tokenLifetime: '2d',
    });
    client.converse();
    const turns = Array.from({ length: 50 }, (_, i) => String(client.send(`m${i}`).body.turn_id));
    client.at(4_999);
    expect(turns.map((turn) => client.turn(turn).status)).toEqual(turns.map(() => 200));
    expect(sizes(client).turns).toBe(50);
    expect(client.at(5_001).turn(turns[0] ?? '').status).toBe(404);
    expect(sizes(client)).toEqual({ tokens: 1, conversations: 0, turns: 0 });
  });

  it('past its cap of turns loses those that finished first; their conversation goes on, and their messages are new again', () => {
    const client = new CoreClient({ limits: unlimited, retention: { turns: 10 }, tokenLifetime: '2d' });
    client.converse();
    const turns = Array.from({ length: 10 }, (_, i) => String(client.at(i * 10).send(`m${i}`).body.turn_id));
    client.at(60_000);
    expect(client.rate(client.turn(turns[0] ?? '').body.message.assistant_message_id).status).toBe(200);
    client.send('m10');
    expect(sizes(client).turns).toBe(11);
    expect(client.turn(turns[0] ?? '').status).toBe(404);
    expect(client.turn(turns[1] ?? '').status).toBe(200);
    expect(client.history().body.messages[0].created_at).toBe('2026-11-21T12:00:00.010Z');
    expect(client.send('m1').body.turn_id).toBe(turns[1]);
    expect(client.send('m0').body.turn_id).not.toBe(turns[0]);
  });

  it('loses all turns that a defective service made of one message, with their conversation and past the cap', () => {
    const twice = (retention: object) => {
      const client = new CoreClient({ defects: ['I1'], limits: unlimited, retention, tokenLifetime: '2d' });
      client.converse();
      const turns = ['m1', 'm1'].map((id) => String(client.send(id).body.turn_id));
      expect(new Set(turns).size).toBe(2);
      return { client, turns };
    };
    const aged = twice({ time: '1h' });
    aged.client.at(hours(2)).converse();
    expect(sizes(aged.client)).toEqual({ tokens: 1, conversations: 1, turns: 0 });
    expect(aged.turns.map((turn) => aged.client.turn(turn).status)).toEqual([404, 404]);

    const { client, turns } = twice({ turns: 2 });
    client.at(60_000).send('m2');
    expect(client.turn(turns[0] ?? '').status).toBe(404);
    // The message still finds its later turn, which was not forgotten.
    expect([client.turn(turns[1] ?? '').status, client.send('m1').body.turn_id]).toEqual([200, turns[1]]);
    expect(client.history().body.messages.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(2);
  });

  it('past its cap of conversations loses those that were idle longest', () => {
    const client = new CoreClient({ limits: unlimited, retention: { conversations: 3 }, tokenLifetime: '2d' });
    const [first, second, third] = [0, 1, 2].map((i) => converse(client.at(i * 1_000)));
    send(client.at(4_000), first ?? '', 'm1');
    converse(client.at(20_000));
    const found = (id: string | undefined) =>
      client.call('readHistory', { parameters: { conversation_id: id ?? '' } }).status;
    expect([first, second, third].map(found)).toEqual([200, 404, 200]);
  });

  it('past its cap of turns loses as many as are too many, not those that went with their conversation before', () => {
    const store = new MemoryStore({ time: 3_600_000 as Millis, turns: 3, conversations: 1, tokens: 1 });
    const [first, second] = [0, 1].map((i) => {
      const conversation = { id: `c${i}`, application: 'a1', user: 'u', owner: 'o', title: '', createdAt: noon };
      store.addConversation(conversation);
      return conversation;
    });
    if (!first || !second) throw new Error('two were made');
    const added = (number: number, conversation: ConversationRecord) => {
      const turn = turnOf(number, conversation, noon);
      store.addTurn(turn);
      return turn.id;
    };
    added(0, first);
    store.expire((noon + 60_000_000) as Micros);
    expect(store.sizes).toMatchObject({ conversations: 1, turns: 0 });
    const turns = [1, 2, 3, 4].map((number) => added(number, second));
    store.expire((noon + 61_000_000) as Micros);
    expect([...store.turns()].map(({ id }) => id)).toEqual(turns.slice(1));
  });

  it('is a token until it has been expired for as long as it lived, and past the cap the newest', () => {
    const client = new CoreClient({ limits: unlimited, tokenLifetime: '10s', retention: { tokens: 3 } });
    const says = () => client.converse().message;
    client.at(19_999);
    expect(says()).toBe('the user token has expired');
    client.at(20_000);
    expect(says()).toBe('the user token is invalid');
    const tokens = [1, 2, 3, 4].map(() => client.login());
    const statuses = tokens.map(
      (token) => client.call('createConversation', { json: {}, authorization: `Bearer ${token}` }).status,
    );
    expect(statuses).toEqual([401, 201, 201, 201]);
  });

  it('stays bounded over 5,000 requests in three days of service time', () => {
    const client = new CoreClient({
      applications,
      limits: unlimited,
      latency: {
        queued: { distribution: 'exponential', mean: '1s' },
        processing: { distribution: 'exponential', mean: '5s' },
      },
      tokenLifetime: '5min',
      retention: { time: '6h', turns: 130, conversations: 20, tokens: 1_000 },
    });
    const most = { tokens: 0, conversations: 0, turns: 0 };
    const users = 250;
    for (let user = 0; user < users; user++) {
      client.at(user * 345_600 * 3);
      client.token = client.login(`u${user % 150}`);
      const conversation = user % 10 === 0 ? converse(client) : undefined;
      client.converse({ conversation_id: conversationId });
      for (let i = 0; i < 8; i++) {
        const turn = send(client, conversation ?? conversationId, `m${user}-${i}`);
        expect(client.turn(turn).status).toBe(200);
      }
      if (user % 17 === 0) {
        const now = sizes(client);
        for (const kind of ['tokens', 'conversations', 'turns'] as const) most[kind] = Math.max(most[kind], now[kind]);
      }
    }
    expect(client.core.truth(client.now).tokens.issued).toBe(users + 1);
    // One record may exceed the maximum until the next request. Tokens are kept for 10 min; one is issued every 17.28 min.
    expect(most.turns).toBeGreaterThan(100);
    expect(most.turns).toBeLessThanOrEqual(131);
    expect(most.conversations).toBeLessThanOrEqual(21);
    expect(most.tokens).toBeLessThanOrEqual(2);
  });

  it('stays bounded over 80,000 turns of 8,000 conversations and as many tokens', () => {
    const retention = { time: 3_600_000 as Millis, turns: 20_000, conversations: 3_000, tokens: 5_000 };
    const store = new MemoryStore(retention);
    const most = { tokens: 0, conversations: 0, turns: 0 };
    let now = noon;
    for (let i = 0; i < 8_000; i++) {
      now = (now + 100_000) as Micros;
      const conversation = { id: `c${i}`, application: 'a1', user: 'u', owner: 'o', title: '', createdAt: now };
      store.expire(now);
      store.addToken(`s${i}`, tokenOf(i, now));
      store.addConversation(conversation);
      for (let j = 0; j < 10; j++) {
        store.expire(now);
        store.addTurn(turnOf(10 * i + j, conversation, now));
      }
      for (const kind of ['tokens', 'conversations', 'turns'] as const)
        most[kind] = Math.max(most[kind], store.sizes[kind]);
    }
    expect([store.tokensIssued, store.turnsAccepted]).toEqual([8_000, 80_000]);
    expect(most).toEqual({ tokens: 5_000, conversations: 3_000, turns: 20_000 });
    // Everything is forgotten once it is old enough.
    store.expire((now + 2 * 3_600_000_000) as Micros);
    expect(store.sizes).toEqual({ tokens: 0, conversations: 0, turns: 0 });
    expect([...store.turns(), ...store.tokens()]).toEqual([]);
  });
});

const tokenOf = (number: number, now: Micros): TokenRecord => ({
  label: `t${number}`,
  application: 'a1',
  user: 'u',
  owner: 'o',
  timezone: 'UTC',
  issuedAt: now,
  expiresAt: (now + 900_000_000) as Micros,
});

/** Finishes after 1 to 50 s, not in the order of acceptance. */
const turnOf = (number: number, conversation: ConversationRecord, now: Micros): TurnRecord => ({
  id: `turn${number}`,
  number,
  conversation,
  clientMessageId: `m${number}`,
  content: { message: 'x' },
  userMessageId: `user${number}`,
  assistantMessageId: `assistant${number}`,
  requestId: 'r',
  schedule: {
    acceptedAt: now,
    processingAt: (now + 1) as Micros,
    finishedAt: (now + ((number * 7_919) % 50_000_000)) as Micros,
    outcome: number % 3 === 0 ? 'failed' : 'completed',
  },
});
