import { describe, expect, it } from 'vitest';
import type { ApiCall } from '../../api/index.ts';
import { answering } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { ask, conversation, once } from './small-runs.exam.ts';

describe('a journey', () => {
  it('derives message ids from run, arrival and step: no two new messages are alike', async () => {
    const steps = [
      conversation,
      {
        repeat: {
          times: 3,
          steps: [{ sendMessage: { message: 'The same text' } }, { followTurn: { by: 'stream' as const } }],
        },
      },
    ];
    const { exchanges } = await runVirtualScenario({
      users: 2,
      journeys: { a: { steps } },
      load: { model: 'burst', count: 2, gap: '1min' },
    });
    const messages = exchanges.flatMap(({ message }) => message ?? []);
    expect(messages).toHaveLength(6);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(6);
    expect(new Set(messages.map(({ digest }) => digest)).size).toBe(6);
    expect(messages.every((message) => !('text' in message))).toBe(true);
  });

  it('sends under one client_message_id whatever has one name, and only that', async () => {
    const named = (as: string) => ({ sendMessage: { message: 'Hello', as } });
    const steps = [conversation, named('shared'), named('${user.id}'), { sendMessage: { message: 'Hello' } }];
    const { exchanges } = await runVirtualScenario({
      users: 2,
      journeys: { a: { onRefused: 'continue', steps } },
      load: { model: 'burst', count: 2, gap: '1min' },
    });
    const idsOf = (user: string) =>
      exchanges.flatMap((exchange) => (exchange.user === user && exchange.message ? [exchange.message.id] : []));
    const [first, second] = [idsOf('u1'), idsOf('u2')];
    expect([first.length, second.length]).toEqual([3, 3]);
    expect(first[0]).toBe(second[0]);
    expect(new Set([...first, ...second]).size).toBe(5);
  });

  it('has a digest of text, city and commune, and one of the text alone', async () => {
    const at = (city: string, commune: string) => ({
      sendMessage: { message: 'Where?', nonce: false, location: { city, commune } },
    });
    const steps = [conversation, at('Lausanne', 'Ouchy'), at('Lausanne', 'Sauvabelin'), at('Bern', 'Ouchy')];
    const { exchanges } = await runVirtualScenario({
      journeys: { a: { onRefused: 'continue', steps } },
      load: once,
    });
    const messages = exchanges.flatMap(({ message }) => message ?? []);
    expect(new Set(messages.map(({ digest }) => digest)).size).toBe(3);
    expect(new Set(messages.map(({ textDigest }) => textDigest)).size).toBe(1);
  });

  it('is sent again with the same text, with one that differs, or with the one that the step says', async () => {
    const steps = [
      conversation,
      { sendMessage: { message: 'Hello', nonce: false } },
      { resend: {} },
      { resend: { content: 'other' as const } },
      { resend: { content: 'other' as const, message: 'Goodbye' } },
    ];
    const { exchanges } = await runVirtualScenario({
      record: { messages: true },
      journeys: { a: { onError: 'continue', steps } },
      load: once,
    });
    const messages = exchanges.flatMap(({ message }) => message ?? []);
    expect(messages.map(({ text }) => text)).toEqual(['Hello', 'Hello', 'Hello (changed)', 'Goodbye']);
    expect(new Set(messages.map(({ digest }) => digest)).size).toBe(3);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  });

  it('writes message texts only when asked', async () => {
    const steps = [conversation, { sendMessage: { message: 'Spelled out', nonce: false } }];
    const { exchanges } = await runVirtualScenario({
      record: { messages: true },
      journeys: { a: { steps } },
      load: once,
    });
    expect(exchanges.find(({ operation }) => operation === 'sendMessage')?.message?.text).toBe('Spelled out');
  });

  it('captures from answers and uses what it captured', async () => {
    const steps = [
      { createConversation: { conversation: 'chosen' as const, title: 'One' }, capture: { id: 'conversation_id' } },
      { createConversation: {} },
      { createConversation: { conversation: '${id}' }, expect: { body: { title: 'One' } } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(exchanges.at(-1)?.expect).toEqual({ checked: 1, unmet: [] });
  });

  it('tells an unmet expectation with the name of its step', async () => {
    const expect409 = { expect: { status: 409 } };
    const steps = [
      { createConversation: {}, name: 'opening', ...expect409 },
      { createConversation: {}, ...expect409 },
      { sendMessage: { message: 'Hi' }, name: 'asking', ...expect409 },
      { followTurn: { by: 'stream' as const }, name: 'listening', expect: { body: { status: 'odd' } } },
    ];
    const { exchanges, streams } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect([...exchanges, ...streams].flatMap((record) => record.expect?.unmet ?? [])).toEqual([
      'status: expected 409, found 201 (opening)',
      'status: expected 409, found 201',
      'status: expected 409, found 202 (asking)',
      'status: expected "odd", found a string of 9 characters (listening)',
    ]);
  });

  it('captures from the turn that it followed', async () => {
    const steps = [
      conversation,
      { sendMessage: { message: 'Hello' } },
      { followTurn: {}, capture: { state: 'status' } },
      { sendMessage: { message: 'Are you ${state}?', nonce: false } },
    ];
    const { exchanges } = await runVirtualScenario({
      record: { messages: true },
      journeys: { a: { steps } },
      load: once,
    });
    expect(exchanges.at(-1)?.message?.text).toBe('Are you completed?');
  });

  it('fills every name in with what it stands for at that moment', async () => {
    const stream = { followTurn: { by: 'stream' as const } };
    const said = (message: string) => [{ sendMessage: { message, nonce: false } }, stream];
    const steps = [
      ...ask,
      ...said('${conversation} ${turn} ${answer}'),
      { repeat: { times: 2, steps: said('${application} ${user.id} ${user.index} ${arrival} ${iteration}') } },
      { burst: { count: 2, message: '${index}', nonce: false } },
    ];
    const { exchanges } = await runVirtualScenario({
      users: 2,
      record: { messages: true },
      journeys: { a: { steps } },
      load: { model: 'burst', count: 2, gap: '5min' },
    });
    const own = exchanges.filter(({ arrival }) => arrival === 1);
    const first = own.find(({ turn }) => turn?.status === 'completed');
    expect(own.flatMap(({ message }) => message?.text ?? []).slice(1)).toEqual([
      [first?.conversation, first?.turn?.id, first?.turn?.assistantMessageId].join(' '),
      'a1 spillway-user-2 1 1 0',
      'a1 spillway-user-2 1 1 1',
      '0',
      '1',
    ]);
  });

  it('takes rows of data in turn, or at random from the seed', async () => {
    const names = ['Bern', 'Genf', 'Thun'];
    const saidFrom = async (order: 'sequential' | 'random', seed = 1) => {
      const { exchanges } = await runVirtualScenario(
        {
          seed,
          record: { messages: true },
          sandbox: { limits: { rate: { max: 1_000 }, concurrency: { max: 100 } } },
          journeys: { a: { steps: [conversation, { sendMessage: { message: '${data.cities.name}', nonce: false } }] } },
          load: { model: 'burst', count: 12, gap: '1s' },
        },
        { data: { cities: { rows: names.map((name) => ({ name })), order } } },
      );
      return exchanges.flatMap(({ message }) => message?.text ?? []);
    };
    const inTurn = [...names, ...names, ...names, ...names];
    expect(await saidFrom('sequential')).toEqual(inTurn);
    const random = await saidFrom('random');
    expect(random).not.toEqual(inTurn);
    expect(new Set(random)).toEqual(new Set(names));
    expect(await saidFrom('random')).toEqual(random);
    expect(await saidFrom('random', 2)).not.toEqual(random);
  });

  it('stops, and says why, when a name has no value any more, rather than sending a hole', async () => {
    const steps = [
      { ...conversation, capture: { missing: 'conversation_id' } },
      { ...conversation, capture: { missing: 'no.such.member' } },
      { sendMessage: { message: 'Hello ${missing}' } },
    ];
    const { exchanges, journeys } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(exchanges.some(({ operation }) => operation === 'sendMessage')).toBe(false);
    expect(journeys[0]).toMatchObject({
      outcome: 'stopped',
      stoppedAt: { operation: 'sendMessage', because: expect.stringContaining('${missing}') },
    });
  });
});

describe('a message', () => {
  it('is sent as the same JSON, whether the scheduler wrote it or a transport would', async () => {
    const sent: ApiCall[] = [];
    const seen = answering((call) => {
      if (call.operation === 'sendMessage') sent.push(call);
      return {};
    });
    const texts = ['Hello', 'say "Hello"', 'C:\\ \u00e9\ud83d\ude00\n'];
    const plain = [...texts, ...texts.map((_, nth) => `\${vars.text${nth}}`)].map((message) => ({
      sendMessage: { message },
    }));
    const variables = Object.fromEntries(texts.map((text, nth) => [`text${nth}`, text]));
    const placed = { sendMessage: { message: 'Where?', location: { city: 'Lausanne' } } };
    const steps = [conversation, ...plain, placed, { resend: { content: 'other' as const } }];
    const policies = { onError: 'continue', onRefused: 'continue' } as const;
    await runVirtualScenario({ ...policies, variables, journeys: { a: { steps } }, load: once }, { wrap: seen });
    expect(sent.map(({ body, bodyText }) => bodyText ?? JSON.stringify(body))).toEqual(
      sent.map(({ body }) => JSON.stringify(body)),
    );
    const isPlain = ({ body }: ApiCall) => {
      const { message, location } = body as { message: string; location?: object };
      return location === undefined && JSON.stringify(message) === `"${message}"` && /^[ -~]*$/.test(message);
    };
    expect(new Set(sent.map(isPlain)).size).toBe(2);
    expect(sent.map(({ bodyText }) => bodyText !== undefined)).toEqual(sent.map(isPlain));
  });
});
