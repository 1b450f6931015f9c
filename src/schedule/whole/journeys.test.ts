import { describe, expect, it } from 'vitest';
import { answering } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { ask, conversation, once, stopAt } from './small-runs.exam.ts';

describe('a journey', () => {
  it('sends its steps one after the other, each intended when the one before ended', async () => {
    const { exchanges, journeys } = await runVirtualScenario({ journeys: { a: { steps: ask } }, load: once });
    expect(
      exchanges.map(({ operation, step, intendedAt, sentAt, receivedAt }) => [
        operation,
        step,
        intendedAt,
        sentAt,
        receivedAt,
      ]),
    ).toEqual([
      ['issueToken', 0, 0, 0, 20_000],
      ['createConversation', 0, 0, 20_000, 40_000],
      ['sendMessage', 1, 40_000, 40_000, 60_000],
      ['readTurn', 2, 60_000, 60_000, 80_000],
      ['readTurn', 2, 1_060_000, 1_060_000, 1_080_000],
      ['readTurn', 2, 2_060_000, 2_060_000, 2_080_000],
      ['readTurn', 2, 3_060_000, 3_060_000, 3_080_000],
      ['readTurn', 2, 4_060_000, 4_060_000, 4_080_000],
      ['readTurn', 2, 5_060_000, 5_060_000, 5_080_000],
    ]);
    expect(exchanges.at(-1)?.turn?.status).toBe('completed');
    expect(journeys).toEqual([
      {
        kind: 'journey',
        arrival: 0,
        journey: 'a',
        intendedAt: 0,
        startedAt: 0,
        endedAt: 5_080_000,
        outcome: 'completed',
      },
    ]);
  });

  it.each([
    ['poll', 5_080_000],
    ['stream', 5_050_000],
  ] as const)('goes on from the instant at which it saw the end of a turn, by %s', async (by, endedAt) => {
    const steps = [...ask.slice(0, 2), { followTurn: { by, interval: '1s' } }, { pause: '1s' }, { readHistory: {} }];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(exchanges.at(-1)).toMatchObject({ operation: 'readHistory', intendedAt: endedAt + 1_000_000 });
  });

  it('chooses the identifier of a conversation, or resumes its last one, if it is told to', async () => {
    const create = (which: 'new' | 'chosen' | 'resume') => ({ createConversation: { conversation: which } });
    const { exchanges } = await runVirtualScenario({
      users: 2,
      journeys: { a: { steps: [create('chosen'), create('resume'), create('new'), create('resume')] } },
      load: { model: 'burst', count: 2 },
    });
    const asked = (of: string) =>
      exchanges.flatMap(({ operation, user, conversation }) =>
        user === of && operation === 'createConversation' ? [conversation] : [],
      );
    const [chosen, , , made] = asked('u1');
    expect(asked('u1')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), chosen, undefined, expect.any(String)]);
    expect(new Set([chosen, made, asked('u2')[0]]).size).toBe(3);
  });

  it('reads page after page until one is not full', async () => {
    const steps = [
      conversation,
      { sendMessage: { message: 'Hello' } },
      { followTurn: {} },
      { readHistory: { pages: 'all' as const, limit: 1 } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    const pages = exchanges.flatMap(({ history }) => (history ? [[history.offset, history.items.length]] : []));
    expect(pages).toEqual([
      [0, 1],
      [1, 1],
      [2, 0],
    ]);
  });

  it('asks for no page by number that the scenario does not name, except those after the first', async () => {
    const asked: unknown[] = [];
    const wrap = answering(({ operation, query }) => {
      if (operation === 'readHistory') asked.push(query);
      return {};
    });
    const read = (settings: object) => ({ readHistory: settings });
    const steps = [...ask, read({}), read({ offset: 0 }), read({ pages: 2, limit: 1 })];
    await runVirtualScenario({ journeys: { a: { steps } }, load: once }, { wrap });
    expect(asked.slice(-4)).toEqual([{}, { offset: 0 }, { limit: 1 }, { limit: 1, offset: 1 }]);
  });

  it('reads no further page once the run is stopped', async () => {
    const steps = [...ask, { readHistory: { pages: 'all' as const, limit: 1 } }];
    const { exchanges, journeys } = await runVirtualScenario(
      { journeys: { a: { steps } }, load: once },
      stopAt(5_090_000, true),
    );
    expect(exchanges.flatMap(({ history }) => (history ? [[history.offset, history.items.length]] : []))).toEqual([
      [0, 1],
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['interrupted']);
  });

  it('rates the answer of the last turn, or the one that it names', async () => {
    const rated: (string | undefined)[] = [];
    const named = '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c';
    const steps = [
      ...ask,
      { rateAnswer: { rating: 'up' as const } },
      { rateAnswer: { rating: 'down' as const, message: named } },
    ];
    const { exchanges } = await runVirtualScenario(
      { journeys: { a: { steps } }, load: once },
      {
        wrap: answering(({ operation, parameters }) => {
          if (operation === 'rateAnswer') rated.push(parameters.message_id);
          return {};
        }),
      },
    );
    const last = exchanges.find(({ turn }) => turn?.status === 'completed')?.turn?.assistantMessageId;
    expect(last).toEqual(expect.any(String));
    expect(rated).toEqual([last, named]);
  });

  it('gives every exchange a number without a gap, in the order of sending, announced before it', async () => {
    const { records, exchanges } = await runVirtualScenario({
      users: 5,
      journeys: { a: { onRefused: 'continue', onError: 'continue', steps: ask } },
      load: { model: 'constant-rate', rate: '2/s', duration: '5s' },
    });
    const sent = records.filter((record) => record.kind === 'sent');
    expect(sent.map(({ seq }) => seq)).toEqual(sent.map((_, index) => index));
    expect(exchanges).toHaveLength(sent.length);
    const bySeq = [...exchanges].sort((a, b) => a.seq - b.seq);
    expect(bySeq.every(({ sentAt }, index) => sentAt >= (bySeq[index - 1]?.sentAt ?? 0))).toBe(true);
    expect(
      bySeq.every(({ seq, operation }, index) => sent[index]?.seq === seq && sent[index]?.operation === operation),
    ).toBe(true);
  });

  it('first creates the conversations that a burst lacks, one after another, and goes on in the first of them', async () => {
    const burst = { of: 'sendMessage' as const, count: 3, conversations: 2, message: 'Hello' };
    const { exchanges } = await runVirtualScenario({
      sandbox: { limits: { concurrency: { max: 3 } } },
      journeys: { a: { steps: [{ burst }, { readHistory: {} }] } },
      load: once,
    });
    const [, first, second] = exchanges.map(({ conversation: of }) => of);
    expect(exchanges.map(({ operation, sentAt, conversation: of }) => [operation, sentAt, of])).toEqual([
      ['issueToken', 0, undefined],
      ['createConversation', 20_000, first],
      ['createConversation', 40_000, second],
      ['sendMessage', 60_000, first],
      ['sendMessage', 60_000, second],
      ['sendMessage', 60_000, first],
      ['readHistory', 80_000, first],
    ]);
    expect(first).not.toBe(second);
  });

  it('spreads a burst over the first conversations that were created, however many there were', async () => {
    const { exchanges } = await runVirtualScenario({
      journeys: {
        a: {
          steps: [
            { repeat: { times: 5, steps: [conversation] } },
            { repeat: { times: 1, steps: [{ burst: { of: 'readHistory', count: 4, conversations: 3 } }] } },
          ],
        },
      },
      load: once,
    });
    const created = exchanges.filter(({ operation }) => operation === 'createConversation');
    const read = exchanges.filter(({ operation }) => operation === 'readHistory');
    expect(created).toHaveLength(5);
    expect(new Set(read.map(({ conversation: of }) => of)).size).toBe(3);
    expect(read.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(read[3]?.conversation).toBe(read[0]?.conversation);
  });
});

describe('a resend', () => {
  it('is sent as often as it says, so far apart, without waiting for the answer before', async () => {
    const steps = [
      conversation,
      { sendMessage: { message: 'Hello' } },
      { resend: { count: 3, gap: '5ms' as const } },
      { resend: { count: 2 } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    const resends = exchanges.filter(({ resend }) => resend === 'same');
    const [first = resends[0]] = resends;
    const since = ({ intendedAt, sentAt }: (typeof exchanges)[number]) =>
      [intendedAt, sentAt].map((at) => at - (first?.intendedAt ?? 0));
    // Each answer takes 20 ms; the second step begins when the last one of the first is there.
    expect(resends.map(since)).toEqual([0, 5_000, 10_000, 30_000, 30_000].map((at) => [at, at]));
    expect(new Set(resends.map(({ turn }) => turn?.id)).size).toBe(1);
  });
});
