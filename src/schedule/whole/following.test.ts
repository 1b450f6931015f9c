import { describe, expect, it } from 'vitest';
import { type Answer, answering, refusingStreams, streaming } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { conversation, message, once, seconds } from './small-runs.exam.ts';

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

const breakingOff = streaming({ event: 'status', status: 'processing', data: { status: 'processing' } }, 'dropped');

it('a journey rates the answer that the last event of a stream tells, with or without the rest of its turn', async () => {
  const id = (n: number) => `0190a1b2-0000-4000-8000-00000000000${n}`;
  const message = {
    user_message_id: id(1),
    assistant_message_id: id(2),
    answer: 'text',
    created_at: '2026-01-15T09:00:00Z',
  };
  for (const data of [{ turn_id: id(3), status: 'completed', message }, { message }]) {
    const steps = [
      conversation,
      { sendMessage: { message: 'Hello' } },
      { followTurn: { by: 'stream' as const } },
      { rateAnswer: { rating: 'up' as const } },
    ];
    const rated: unknown[] = [];
    await runVirtualScenario(
      { journeys: { a: { steps } }, load: once },
      {
        wrap: (sender, clock) =>
          answering(({ operation, parameters }) => {
            if (operation === 'rateAnswer') rated.push(parameters.message_id);
            return {};
          })(streaming({ event: 'completed', data }, 'completed')(sender, clock), clock),
      },
    );
    expect(rated).toEqual([id(2)]);
  }
});

describe('what is expected of a followed turn', () => {
  const followed = (
    by: 'poll' | 'stream' | 'both',
    expect: object,
    { wrap, ...more }: { readonly credentials?: 'none'; readonly wrap?: ReturnType<typeof streaming> } = {},
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

  it('by stream that tells a failure: the body of that event', async () => {
    const wrap = streaming({ event: 'failed', data: { error: { code: 'overloaded' } } }, 'failed');
    expect(judged(await followed('stream', { body: { 'error.code': 'overloaded' } }, { wrap }))).toEqual([
      { event: 'closed', checked: 1, unmet: [] },
    ]);
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
    const polls = run.exchanges.filter(({ operation }) => operation === 'readTurn');
    expect(polls.length).toBeGreaterThan(2);
    // From the receipt of the 202 on.
    expect(polls.slice(0, 2).map(({ intendedAt }) => intendedAt)).toEqual([60_000, 60_000]);
  });
});

const busy = { error: { code: 'busy' } };
const failed = { status: 'failed' };
const reading = (change: (answer: Answer) => Partial<Answer>) =>
  answering(({ operation }, answer) => (operation === 'readTurn' ? change(answer) : {}));

describe('following a turn', () => {
  it.each([
    ['poll', 'status 503 busy', reading(() => ({ status: 503, body: busy }))],
    ['poll', 'turn failed', reading(({ body }) => ({ body: { ...(body as object), ...failed } }))],
    ['stream', 'status 503 busy', refusingStreams(503)],
    // Put up with by the policy for refusals, but the step has failed.
    ['stream', 'turn given-up', refusingStreams(429)],
    ['stream', 'turn failed', streaming({ event: 'failed', data: failed }, 'failed')],
    ['stream', 'stream dropped', streaming({ event: 'status', data: {} }, 'dropped')],
    ['stream', 'event too large', streaming({ event: 'unknown', data: undefined }, 'dropped', 'event too large')],
    ['both', 'status 503 busy', refusingStreams(503)],
  ] as const)('by %s that fails stops the journey because: %s, and names the request', async (by, because, wrap) => {
    const steps = [conversation, message, { followTurn: { by } }];
    const { journeys } = await runVirtualScenario(
      { onRefused: 'continue', journeys: { a: { steps } }, load: once },
      { wrap },
    );
    const operation = by === 'poll' ? 'readTurn' : 'openStream';
    expect(journeys.map(({ stoppedAt }) => stoppedAt)).toEqual([{ operation, because }]);
  });

  it('by stream is given up where no token is left for the handshake and the policy goes on', async () => {
    let issued = 0;
    const { journeys } = await runVirtualScenario(
      {
        sandbox: { tokenLifetime: '1s' },
        onRefused: 'continue',
        journeys: { a: { steps: [conversation, message, { pause: '2s' }, { followTurn: { by: 'stream' } }] } },
        load: once,
      },
      {
        wrap: answering(({ operation }) =>
          operation === 'issueToken' && ++issued > 1 ? { status: 429, body: {} } : {},
        ),
      },
    );
    expect(journeys.map(({ stoppedAt }) => stoppedAt)).toEqual([{ operation: 'openStream', because: 'turn given-up' }]);
    expect(issued).toBe(2);
  });

  it.each<[number | number[], string | undefined]>([
    [404, undefined],
    // An error that is only put up with is not what the step waits for.
    [[101, 404], 'turn given-up'],
  ])('by stream whose handshake is answered with 404, where %j is expected, stops with %s', async (status, because) => {
    const follow = { followTurn: { by: 'stream' as const }, expect: { status }, capture: { why: 'error.code' } };
    const steps = [conversation, message, follow, { createConversation: { title: '${why}' } }];
    const { journeys } = await runVirtualScenario(
      { journeys: { a: { steps } }, load: once },
      { wrap: refusingStreams(404) },
    );
    expect(journeys.map(({ stoppedAt }) => stoppedAt?.because)).toEqual([because]);
  });
});
