import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/index.ts';
import { type Answer, answering } from '../testing/senders.ts';
import { runVirtualScenario } from '../testing/virtual.ts';
import type { Sender } from './index.ts';
import { conversation, once, seconds } from './small-runs.exam.ts';

describe('a journey', () => {
  it('backs polls off up to the longest interval', async () => {
    const steps = [
      conversation,
      { sendMessage: { message: 'Hello' } },
      { followTurn: { interval: '500ms', backoff: 2, maxInterval: '2s' } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    const polls = exchanges
      .filter(({ operation }) => operation === 'readTurn')
      .map(({ intendedAt }) => seconds(intendedAt - 60_000));
    expect(polls).toEqual([0, 0.5, 1.5, 3.5, 5.5]);
  });

  it('follows by stream: one handshake, exact end, no polls', async () => {
    const steps = [
      conversation,
      { sendMessage: { message: 'Hello' } },
      { followTurn: { by: 'stream' as const } },
      { rateAnswer: { rating: 'up' as const } },
    ];
    const { exchanges, streams, records } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(exchanges.map(({ operation, status }) => [operation, status])).toEqual([
      ['issueToken', 201],
      ['createConversation', 201],
      ['sendMessage', 202],
      ['openStream', 101],
      ['rateAnswer', 200],
    ]);
    const events = streams.map(({ event }) => event);
    // The service numbers its events; opening and closing are the client's.
    const numbers = streams.slice(1, -1).map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    expect([events[0], events.at(-2), events.at(-1)]).toEqual(['opened', 'completed', 'closed']);
    // Accepted at 50 ms of run time; 5 s of queue and processing later it is completed.
    expect(streams.find(({ event }) => event === 'completed')?.at).toBe(5_050_000);
    // The journal tells the handshake before anything that came through it.
    const kinds = records.map((record) =>
      record.kind === 'exchange' ? record.operation : record.kind === 'stream' ? record.event : '',
    );
    expect(kinds.indexOf('openStream')).toBeLessThan(kinds.indexOf('opened'));
  });
});

describe('a poll', () => {
  const polled = (change: (turn: Record<string, unknown>, answer: Answer) => Partial<Answer>, expect?: object) =>
    runVirtualScenario(
      {
        onError: 'continue',
        journeys: {
          a: {
            steps: [
              conversation,
              { sendMessage: { message: 'Hello' } },
              { followTurn: { interval: '2s', deadline: '7s' }, ...(expect && { expect }) },
            ],
          },
        },
        load: once,
      },
      {
        wrap: answering((call, answer) =>
          call.operation === 'readTurn' ? change(answer.body as Record<string, unknown>, answer) : {},
        ),
      },
    );
  const polls = ({ exchanges }: Awaited<ReturnType<typeof polled>>) => {
    const accepted = exchanges.find(({ operation }) => operation === 'sendMessage')?.turn?.id;
    return exchanges
      .filter(({ operation }) => operation === 'readTurn')
      .map(({ turn, bodyProblem }) => [turn?.id === accepted, turn?.status, bodyProblem]);
  };

  it('that is told of another turn has learnt nothing of its own', async () => {
    const run = await polled((turn) => ({
      body: { ...turn, turn_id: '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c', status: 'completed' },
    }));
    expect(polls(run)).toEqual(Array(4).fill([true, undefined, 'other-turn']));
  });

  it('knows its turn in either case of its identifier', async () => {
    const run = await polled((turn) => ({ body: { ...turn, turn_id: String(turn.turn_id).toUpperCase() } }));
    expect(polls(run)).toEqual([
      [true, 'queued', undefined],
      [true, 'processing', undefined],
      [true, 'processing', undefined],
      [true, 'completed', undefined],
    ]);
  });

  it('names its turn also where the answer does not', async () => {
    const run = await polled(() => ({ status: 503, body: undefined }));
    expect(polls(run)).toEqual(Array(4).fill([true, undefined, 'wrong-shape']));
  });

  it('that says nothing of its turn is held against all that is expected', async () => {
    const run = await polled(() => ({ body: {} }), { status: 200, body: { status: 'completed' } });
    const unmet = { checked: 2, unmet: ['status: expected "completed", found nothing'] };
    expect(run.exchanges.flatMap(({ expect }) => expect ?? [])).toEqual(Array(4).fill(unmet));
  });

  it('that meets a status nobody knows goes on, and is not held against what is expected of the end', async () => {
    const run = await polled(
      (turn) => ({ body: turn.status === 'completed' ? turn : { ...turn, status: 'cooking' } }),
      { body: { 'message.answer': { exists: true } } },
    );
    expect(run.exchanges.flatMap(({ expect }) => expect ?? [])).toEqual([{ checked: 1, unmet: [] }]);
    expect(polls(run).map(([, status]) => status)).toEqual(['cooking', 'cooking', 'cooking', 'completed']);
  });
});

/** Every stream says that its turn is processed, and then breaks off. */
const breakingOff = (sender: Sender, clock: Clock): Sender => ({
  ...sender,
  acquireStream: async () => ({
    release: () => undefined,
    open: async (_, { onEvent }) => {
      const at = clock.now();
      onEvent({ event: 'status', at, status: 'processing', data: { status: 'processing' } });
      const stamps = { sentAt: at, headersAt: at, receivedAt: at, bytes: { sent: 1, received: 1 } };
      const reply = { kind: 'answer', ...stamps, status: 101, headers: {}, body: undefined } as const;
      return { reply, ended: Promise.resolve({ at, reason: 'dropped' }) };
    },
  }),
});

describe('what is expected of a followed turn', () => {
  const followed = (
    by: 'poll' | 'stream' | 'both',
    expect: object,
    { wrap, ...more }: { readonly credentials?: 'none'; readonly wrap?: typeof breakingOff } = {},
  ) => {
    const steps = [conversation, { sendMessage: { message: 'Hello' } }, { followTurn: { by }, expect, ...more }];
    return runVirtualScenario(
      { onError: 'continue', journeys: { a: { steps } }, load: once },
      wrap === undefined ? {} : { wrap },
    );
  };
  const judged = ({ exchanges, streams }: Awaited<ReturnType<typeof followed>>) => [
    ...exchanges.flatMap(({ operation, expect }) => (expect ? [{ operation, ...expect }] : [])),
    ...streams.flatMap(({ event, expect }) => (expect ? [{ event, ...expect }] : [])),
  ];

  it('by stream: the status of the handshake, the body of the event that ended the turn', async () => {
    const run = await followed('stream', {
      status: 101,
      body: { status: 'completed', 'message.user_message_id': { exists: true }, 'message.nothing': { exists: true } },
    });
    expect(judged(run)).toEqual([
      { operation: 'openStream', checked: 1, unmet: [] },
      { event: 'closed', checked: 3, unmet: ['message.nothing: expected something, found nothing'] },
    ]);
    const handshake = run.exchanges.find(({ operation }) => operation === 'openStream');
    const { seq, sentAt, intendedAt } = handshake ?? {};
    expect(run.streams.at(-1)?.handshake).toEqual({ seq, sentAt, intendedAt, journey: 'a' });
  });

  it('by stream that is refused: nothing of the body is met', async () => {
    const run = await followed('stream', { body: { status: 'completed' } }, { credentials: 'none' });
    expect(judged(run)).toEqual([
      { operation: 'openStream', checked: 1, unmet: ['status: expected "completed", found nothing'] },
    ]);
  });

  it('by stream that breaks off: nothing of the body is met, whatever its last event said', async () => {
    const run = await followed('stream', { body: { status: 'processing' } }, { wrap: breakingOff });
    expect(judged(run)).toEqual([
      { event: 'closed', checked: 1, unmet: ['status: expected "processing", found nothing'] },
    ]);
  });

  it('both ways: the polls are held against it, the last one wholly', async () => {
    const results = judged(await followed('both', { status: 200, body: { status: 'completed' } }));
    expect(new Set(results.map((result) => 'operation' in result && result.operation))).toEqual(new Set(['readTurn']));
    expect(results.map(({ checked }) => checked)).toEqual([...Array(results.length - 1).fill(1), 2]);
    expect(results.flatMap(({ unmet }) => unmet)).toEqual([]);
  });

  it('of a burst that follows: only the requests of the burst', async () => {
    const burst = { count: 2, follow: { by: 'poll' as const } };
    const run = await runVirtualScenario({
      journeys: { a: { steps: [conversation, { burst, expect: { status: 202 } }] } },
      load: once,
    });
    expect(judged(run)).toEqual([
      { operation: 'sendMessage', checked: 1, unmet: [] },
      { operation: 'sendMessage', checked: 1, unmet: [] },
    ]);
    expect(run.exchanges.filter(({ operation }) => operation === 'readTurn').length).toBeGreaterThan(2);
  });
});
