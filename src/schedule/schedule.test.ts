import { describe, expect, it } from 'vitest';
import type { ApiCall } from '../api/index.ts';
import type { Micros, VirtualClock } from '../base/index.ts';
import { type Answer, answering } from '../testing/senders.ts';
import { runVirtualScenario } from '../testing/virtual.ts';
import type { Sender } from './index.ts';

const seconds = (us: number) => us / 1_000_000;
const once = { model: 'burst', count: 1 } as const;
const conversation = { createConversation: {} };
const ask = [conversation, { sendMessage: { message: 'Hello' } }, { followTurn: { interval: '1s' } }];

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

  it('stops, and says why, when a name has no value, rather than sending a hole', async () => {
    const steps = [
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

describe('policies', () => {
  const flood = (policy: object) => ({
    journeys: { a: { ...policy, steps: [conversation, { repeat: { times: 21, steps: [{ readHistory: {} }] } }] } },
    load: once,
  });

  it('stop is the default: the journey ends with the first refusal', async () => {
    const { exchanges, journeys } = await runVirtualScenario(flood({}));
    expect(exchanges.filter(({ outcome }) => outcome === 'refused')).toHaveLength(1);
    expect(exchanges).toHaveLength(22);
    expect(journeys[0]).toMatchObject({
      outcome: 'stopped',
      stoppedAt: { operation: 'readHistory', because: '429 rate_limited' },
    });
  });

  it('continue goes on', async () => {
    const { exchanges, journeys } = await runVirtualScenario(flood({ onRefused: 'continue' }));
    expect(exchanges.filter(({ outcome }) => outcome === 'refused')).toHaveLength(2);
    expect(journeys[0]?.outcome).toBe('completed');
  });

  it('retry waits as Retry-After advises, and each retry is an exchange of its own', async () => {
    const { exchanges } = await runVirtualScenario(flood({ onRefused: { retry: { max: 2 } } }));
    const [refused, retried] = exchanges.filter(({ attempt, outcome }) => attempt === 2 || outcome === 'refused');
    expect(refused).toMatchObject({ outcome: 'refused', attempt: 1, retryAfter: '60' });
    expect(retried).toMatchObject({
      outcome: 'answered',
      attempt: 2,
      intendedAt: (refused?.receivedAt ?? 0) + 60_000_000,
    });
  });

  it('counts Retry-After in seconds of the service: at clock rate 60, a minute is a second', async () => {
    const { exchanges } = await runVirtualScenario({
      ...flood({ onRefused: { retry: { max: 2 } } }),
      sandbox: { clockRate: 60 },
    });
    const refused = exchanges.find(({ outcome }) => outcome === 'refused');
    const retried = exchanges.find(({ attempt }) => attempt === 2);
    const advised = Number(refused?.retryAfter);
    expect((retried?.intendedAt ?? 0) - (refused?.receivedAt ?? 0)).toBe(Math.ceil((advised * 1_000_000) / 60));
    expect(retried?.outcome).toBe('answered');
  });

  it('backoff without advice doubles up to its ceiling, then the policy says what next', async () => {
    const retry = {
      max: 4,
      obeyRetryAfter: false,
      backoff: { first: '1s', factor: 2, ceiling: '3s' },
      afterwards: 'continue' as const,
    };
    const { exchanges, journeys } = await runVirtualScenario(flood({ onRefused: { retry } }));
    const tries = exchanges.filter(({ step, attempt, outcome }) => outcome === 'refused' && step === 21 && attempt > 0);
    const gaps = tries.slice(1).map(({ intendedAt }, index) => seconds(intendedAt - (tries[index]?.receivedAt ?? 0)));
    expect(gaps).toEqual([1, 2, 3, 3]);
    expect(journeys[0]?.outcome).toBe('completed');
  });

  it('an expected status is no error, even a refusal', async () => {
    const steps = [{ readHistory: { conversation: 'not-a-uuid' }, expect: { status: 422 } }, conversation];
    const { journeys, exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(journeys[0]?.outcome).toBe('completed');
    expect(exchanges[1]?.expect).toEqual({ checked: 1, unmet: [], namedStatus: true });
  });

  it('an unmet expectation is recorded without the value that was found', async () => {
    const steps = [
      { createConversation: { title: 'A secret title' }, expect: { status: 200, body: { title: 'Another' } } },
    ];
    const { exchanges } = await runVirtualScenario({ onError: 'continue', journeys: { a: { steps } }, load: once });
    expect(exchanges[1]?.expect).toEqual({
      checked: 2,
      unmet: ['status: expected 200, found 201', 'title: expected "Another", found a string of 14 characters'],
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
    const plain = texts.map((message) => ({ sendMessage: { message } }));
    const placed = { sendMessage: { message: 'Where?', location: { city: 'Lausanne' } } };
    const steps = [conversation, ...plain, placed, { resend: { content: 'other' as const } }];
    const policies = { onError: 'continue', onRefused: 'continue' } as const;
    await runVirtualScenario({ ...policies, journeys: { a: { steps } }, load: once }, { wrap: seen });
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

  it('that meets a status nobody knows goes on, and is not held against what is expected of the end', async () => {
    const run = await polled(
      (turn) => ({ body: turn.status === 'completed' ? turn : { ...turn, status: 'cooking' } }),
      { body: { 'message.answer': { exists: true } } },
    );
    expect(run.exchanges.flatMap(({ expect }) => expect ?? [])).toEqual([{ checked: 1, unmet: [] }]);
    expect(polls(run).map(([, status]) => status)).toEqual(['cooking', 'cooking', 'cooking', 'completed']);
  });
});

describe('what is expected of a followed turn', () => {
  const followed = (by: 'poll' | 'stream' | 'both', expect: object, credentials?: 'none') =>
    runVirtualScenario({
      onError: 'continue',
      journeys: {
        a: {
          steps: [
            conversation,
            { sendMessage: { message: 'Hello' } },
            { followTurn: { by }, expect, ...(credentials && { credentials }) },
          ],
        },
      },
      load: once,
    });
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
    const run = await followed('stream', { body: { status: 'completed' } }, 'none');
    expect(judged(run)).toEqual([
      { operation: 'openStream', checked: 1, unmet: ['status: expected "completed", found nothing'] },
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

describe('caps', () => {
  const messages = (count: number) => ({
    journeys: { a: { steps: [conversation, { burst: { count, follow: { by: 'stream' as const } } }] } },
    load: once,
  });

  it('openTurns keeps turns open below the limit by waiting, and stamps the wait', async () => {
    const { exchanges } = await runVirtualScenario({ ...messages(5), caps: { openTurns: 2 } });
    const sent = exchanges.filter(({ operation }) => operation === 'sendMessage');
    expect(sent.map(({ outcome }) => outcome)).toEqual(Array(5).fill('answered'));
    expect(sent.map(({ sentAt }) => seconds(sentAt))).toEqual([0.04, 0.04, 5.05, 5.05, 10.06]);
    expect(sent.map(({ capWaitUs }) => capWaitUs?.openTurns)).toEqual([
      undefined,
      undefined,
      5_010_000,
      5_010_000,
      10_020_000,
    ]);
    expect(sent.every(({ intendedAt }) => intendedAt === 40_000)).toBe(true);
  });

  it('openTurns gets the slot of a turn that nothing follows back when its journey ends', async () => {
    const { exchanges } = await runVirtualScenario({
      caps: { openTurns: 1 },
      journeys: { a: { steps: [conversation, { sendMessage: { message: 'Hello' } }] } },
      load: { model: 'burst', count: 2 },
    });
    const sent = exchanges.filter(({ operation }) => operation === 'sendMessage');
    expect(sent.map(({ sentAt, capWaitUs }) => [sentAt, capWaitUs?.openTurns])).toEqual([
      [40_000, undefined],
      [60_000, 20_000],
    ]);
  });

  it('without caps the third of three is refused', async () => {
    const { exchanges } = await runVirtualScenario({ ...messages(3), onRefused: 'continue' });
    const outcomes = exchanges
      .filter(({ operation }) => operation === 'sendMessage')
      .map(({ outcome, error }) => error?.code ?? outcome);
    expect(outcomes).toEqual(['answered', 'answered', 'concurrency_limited']);
  });

  it('requestsPerMinute lets no more than that go in any minute of the service', async () => {
    const steps = [conversation, { burst: { of: 'readHistory' as const, count: 50 } }];
    const { exchanges } = await runVirtualScenario({
      caps: { requestsPerMinute: 20 },
      sandbox: { clockRate: 2 },
      journeys: { a: { steps } },
      load: once,
    });
    const counted = exchanges
      .filter(({ operation }) => operation !== 'issueToken')
      .map(({ sentAt }) => sentAt)
      .sort((a, b) => a - b);
    expect(counted).toHaveLength(51);
    expect(counted.every((at, k) => k < 20 || at - (counted[k - 20] ?? 0) > 30_000_000)).toBe(true);
    expect(exchanges.some(({ outcome }) => outcome === 'refused')).toBe(false);
  });

  it.each(['a connection', 'a slot in flight'])(
    'requestsPerMinute counts what is sent, also where that waited for %s after its turn had come',
    async (scarce) => {
      let clock: VirtualClock | undefined;
      let calls = 0;
      // Two and a half minutes without a connection, or two answers that take half a minute each.
      const late = (sender: Sender): Sender => ({
        ...sender,
        tryAcquire: () => undefined,
        acquire: async (signal) => {
          if ((clock?.now() ?? 0) > 100_000_000) await clock?.sleepUntil(150_000_000 as Micros, signal);
          return sender.acquire(signal);
        },
      });
      const { exchanges } = await runVirtualScenario(
        {
          caps: { requestsPerMinute: 3, ...(scarce === 'a connection' ? {} : { inFlight: 1 }) },
          journeys: { a: { steps: [conversation, { pause: '1s' }, { burst: { of: 'readHistory', count: 9 } }] } },
          load: once,
        },
        {
          ...(scarce === 'a connection' ? { wrap: late } : {}),
          delayUs: () => {
            calls += 1;
            const isSlow = scarce !== 'a connection' && (calls === 3 || calls === 4);
            return [10_000 as Micros, (isSlow ? 29_000_000 : 10_000) as Micros];
          },
          interrupt: (_, virtual) => {
            clock = virtual;
          },
        },
      );
      const sent = exchanges
        .filter(({ operation }) => operation !== 'issueToken')
        .map(({ sentAt }) => sentAt)
        .sort((a, b) => a - b);
      expect(sent).toHaveLength(10);
      const spans = sent.slice(3).map((at, index) => at - (sent[index] ?? 0));
      expect(Math.min(...spans)).toBeGreaterThan(60_000_000);
      // And no more than is needed: what waits for its minute goes with the first of the next.
      expect(spans.filter((us) => us > 91_000_000)).toEqual([]);
    },
  );

  it('inFlight bounds requests without an answer', async () => {
    const steps = [conversation, { burst: { of: 'readHistory' as const, count: 6 } }];
    const { exchanges } = await runVirtualScenario({ caps: { inFlight: 2 }, journeys: { a: { steps } }, load: once });
    const reads = exchanges.filter(({ operation }) => operation === 'readHistory');
    expect(reads.map(({ sentAt }) => sentAt)).toEqual([40_000, 40_000, 60_000, 60_000, 80_000, 80_000]);
    expect(reads.map(({ capWaitUs }) => capWaitUs?.inFlight)).toEqual([
      undefined,
      undefined,
      20_000,
      20_000,
      40_000,
      40_000,
    ]);
  });

  it('whenFull: drop leaves arrivals out, each with its record', async () => {
    const { exchanges, drops, journeys } = await runVirtualScenario({
      caps: { inFlight: 1, whenFull: 'drop' },
      journeys: { a: { steps: [{ issueToken: {} }] } },
      load: { model: 'burst', count: 4, gap: '15ms' },
    });
    expect(journeys.map(({ arrival }) => arrival)).toEqual([0, 2]);
    expect(drops.map(({ arrival, intendedAt, reason }) => [arrival, intendedAt, reason])).toEqual([
      [1, 15_000, 'max-in-flight'],
      [3, 45_000, 'max-in-flight'],
    ]);
    expect(exchanges).toHaveLength(2);
  });
});

describe('tokens', () => {
  it('are shared by the journeys of a user and labelled, one per user', async () => {
    const { exchanges } = await runVirtualScenario({
      users: 2,
      journeys: { a: { steps: [conversation] } },
      load: { model: 'burst', count: 6 },
    });
    expect(exchanges.filter(({ operation }) => operation === 'issueToken')).toHaveLength(2);
    const used = exchanges
      .filter(({ operation }) => operation === 'createConversation')
      .map(({ user, token }) => `${user} ${token}`);
    expect(new Set(used)).toEqual(new Set(['u1 t1', 'u2 t2']));
  });

  it('are renewed before they end: an hour of traffic with tokens of five minutes meets no 401', async () => {
    const { exchanges } = await runVirtualScenario({
      sandbox: { tokenLifetime: '5min' },
      journeys: {
        a: {
          steps: [{ readHistory: { conversation: '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c' }, expect: { status: 404 } }],
        },
      },
      load: { model: 'constant-rate', rate: '10/min', duration: '1h' },
    });
    expect(exchanges.filter(({ status }) => status === 401)).toEqual([]);
    expect(exchanges.filter(({ operation }) => operation === 'readHistory')).toHaveLength(600);
    // Renewed 30 s before the end: every four and a half minutes.
    expect(exchanges.filter(({ operation }) => operation === 'issueToken')).toHaveLength(14);
  });

  it.each([
    [
      'and are not where they are only due to be renewed',
      45_000_000,
      ['issueToken', 'createConversation', 'readHistory'],
      { out: 3, back: 0 },
    ],
    [
      'which is given back meanwhile',
      120_000_000,
      ['issueToken', 'createConversation', 'issueToken', 'readHistory'],
      { out: 5, back: 1 },
    ],
  ])(
    'are asked for again where they end while a request waits for a connection, %s',
    async (_, waitUs, operations, leases) => {
      let clock: VirtualClock | undefined;
      const given = { out: 0, back: 0 };
      // The third connection, which is for the history, is long in coming.
      const scarce = (sender: Sender): Sender => ({
        ...sender,
        tryAcquire: () => undefined,
        acquire: async (signal) => {
          given.out += 1;
          if (given.out === 3) await clock?.sleepUntil((clock.now() + waitUs) as Micros, signal);
          const lease = await sender.acquire(signal);
          return lease && { send: lease.send, release: () => given.back++ };
        },
      });
      const { exchanges } = await runVirtualScenario(
        {
          sandbox: { tokenLifetime: '1min' },
          journeys: { a: { steps: [conversation, { readHistory: {}, expect: { status: 200 } }] } },
          load: once,
        },
        {
          wrap: scarce,
          interrupt: (_, virtual) => {
            clock = virtual;
          },
        },
      );
      expect(exchanges.map(({ operation }) => operation)).toEqual(operations);
      expect(exchanges.filter(({ status }) => status === 401)).toEqual([]);
      const [first, again] = operations.filter((name) => name === 'issueToken').map(() => ({ token: 20_000 }));
      expect(exchanges[1]?.capWaitUs).toEqual(first);
      expect(exchanges.at(-1)?.capWaitUs).toEqual({ ...again, connection: waitUs });
      // Neither of them waited: the second was not wanted before the connection was there.
      const issued = exchanges.filter(({ operation }) => operation === 'issueToken');
      expect(issued.map(({ sentAt, intendedAt }) => sentAt - intendedAt)).toEqual(issued.map(() => 0));
      expect(given).toEqual(leases);
    },
  );

  it('that are made up or left out meet a 401 and mark nothing', async () => {
    const steps = [
      conversation,
      { readHistory: {}, credentials: 'invalid' as const, expect: { status: 401 } },
      { readHistory: {}, credentials: 'none' as const, expect: { status: 401 } },
      { readHistory: {}, expect: { status: 200 } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(exchanges.map(({ status }) => status)).toEqual([201, 201, 401, 401, 200]);
    expect(exchanges.flatMap(({ expect: checked }) => checked?.unmet ?? [])).toEqual([]);
    // Nothing else in the journal tells an error that was asked for from another.
    expect(exchanges.map(({ expect: checked }) => checked?.namedStatus)).toEqual([
      undefined,
      undefined,
      true,
      true,
      undefined,
    ]);
  });

  it('that are made up are of one user each: a service that counts by token would count those of all together', async () => {
    const made: unknown[] = [];
    const steps = [{ createConversation: {}, credentials: 'invalid' as const, onError: 'continue' as const }];
    const { exchanges } = await runVirtualScenario(
      { users: 2, journeys: { a: { steps: [...steps, ...steps] } }, load: { model: 'burst', count: 2 } },
      {
        wrap: answering(({ credentials }) => {
          made.push(credentials.kind === 'bearer' && credentials.token);
          return {};
        }),
      },
    );
    expect(made.toSorted()).toEqual(['u1', 'u1', 'u2', 'u2'].map((user) => `spillway-not-a-token-of-${user}`));
    expect(exchanges.map(({ token, status }) => [token, status])).toEqual(exchanges.map(() => ['invalid', 401]));
  });

  it('that another journey asked for in vain drop the arrivals that waited for them: these have no exchange of their own', async () => {
    const { exchanges, journeys, drops, counts } = await runVirtualScenario(
      { journeys: { a: { steps: [conversation], onError: 'continue' } }, load: { model: 'burst', count: 3 } },
      { wrap: answering(({ operation }) => (operation === 'issueToken' ? { status: 503, body: {} } : {})) },
    );
    expect(exchanges.map(({ operation, arrival }) => [operation, arrival])).toEqual([['issueToken', 0]]);
    expect(journeys.map(({ arrival }) => arrival)).toEqual([0]);
    expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual([
      [1, 'no-token'],
      [2, 'no-token'],
    ]);
    expect(counts).toEqual({ arrivals: 3, drops: 2 });
  });
});

describe('stopping', () => {
  const burstOf = (count: number) => ({
    burst: { of: 'sendMessage' as const, count, gap: '1s' as const, message: 'a' },
  });
  const slow = {
    users: 3,
    journeys: { a: { onRefused: 'continue' as const, steps: ask } },
    load: { model: 'constant-rate' as const, rate: '1/s' as const, duration: '10s' },
  };

  it('gently: nothing new starts, what is open ends, every arrival has its journey or its drop', async () => {
    const { journeys, drops, exchanges, durationUs } = await runVirtualScenario(slow, {
      interrupt: (stopping, clock) =>
        void clock.sleepUntil(1_500_000 as Micros).then(() => stopping.stop('interrupted', true)),
    });
    expect(journeys.map(({ arrival, outcome }) => [arrival, outcome])).toEqual([
      [0, 'completed'],
      [1, 'completed'],
    ]);
    expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((arrival) => [arrival, 'stopped']),
    );
    expect(exchanges.every(({ outcome }) => outcome === 'answered')).toBe(true);
    expect(seconds(durationUs)).toBeLessThan(8);
  });

  it('gently: a request that waits for a slot is sent no more, unless it sees the end of an accepted turn', async () => {
    const { exchanges, drops, durationUs } = await runVirtualScenario(
      {
        caps: { requestsPerMinute: 3 },
        journeys: { a: { steps: ask }, b: { steps: [{ pause: '150ms' }, conversation] } },
        load: [
          { model: 'burst', count: 1, journeys: ['a'] },
          { model: 'burst', count: 5, journeys: ['b'] },
        ],
      },
      {
        interrupt: (stopping, clock) =>
          void clock.sleepUntil(200_000 as Micros).then(() => stopping.stop('interrupted', true)),
      },
    );
    const { requests, polls } = {
      requests: exchanges.filter(({ operation }) => operation !== 'issueToken' && operation !== 'readTurn'),
      polls: exchanges.filter(({ operation }) => operation === 'readTurn'),
    };
    expect(requests.every(({ sentAt }) => sentAt <= 200_000)).toBe(true);
    expect(polls.at(-1)?.turn?.status).toBe('completed');
    expect(drops.map(({ reason }) => reason)).toEqual(Array(drops.length).fill('stopped'));
    expect(drops.length).toBeGreaterThan(2);
    // One poll was let through at once, the next a minute later; none waited behind the five that had not begun.
    expect(polls.map(({ sentAt }) => Math.round(seconds(sentAt)))).toEqual([0, 60]);
    expect(Math.round(seconds(durationUs))).toBe(60);
  });

  it('gently: a request that is sent no more gives the slot of its minute to what follows a turn', async () => {
    const { exchanges } = await runVirtualScenario(
      {
        caps: { requestsPerMinute: 4, inFlight: 1 },
        journeys: { a: { steps: ask }, b: { steps: [{ pause: '1300ms' }, conversation] } },
        load: [
          { model: 'burst', count: 1, journeys: ['a'] },
          { model: 'burst', count: 1, journeys: ['b'] },
        ],
      },
      {
        delayUs: () => [200_000 as Micros, 200_000 as Micros],
        // The first poll is in flight from 1.2 s to 1.6 s; meanwhile the other journey has a slot of the minute and waits.
        interrupt: (stopping, clock) =>
          void clock.sleepUntil(1_400_000 as Micros).then(() => stopping.stop('interrupted', true)),
      },
    );
    const polls = exchanges.filter(({ operation }) => operation === 'readTurn');
    expect(polls.map(({ sentAt }) => seconds(sentAt)).slice(0, 2)).toEqual([1.2, 2.2]);
  });

  it.each([
    ['a burst', [conversation, burstOf(3)], 1],
    [
      'a repeat',
      [conversation, { repeat: { times: 2, steps: [{ sendMessage: { message: 'a' } }, { pause: '1s' }] } }],
      1,
    ],
    ['a resend', [conversation, { sendMessage: { message: 'a' } }, { resend: { count: 2, gap: '1s' } }], 1],
    ['a burst that nothing follows', [conversation, burstOf(3), { pause: '1ms' }], 0],
  ])('gently, within %s: what was accepted is followed where that is the next step', async (_, steps, followed) => {
    const { exchanges, journeys } = await runVirtualScenario(
      { journeys: { a: { steps: [...steps, { followTurn: { turns: 'all' } }] } }, load: once },
      {
        interrupt: (stopping, clock) =>
          void clock.sleepUntil(500_000 as Micros).then(() => stopping.stop('interrupted', true)),
      },
    );
    expect(
      exchanges.filter(({ operation }) => operation === 'sendMessage').every(({ sentAt }) => sentAt < 500_000),
    ).toBe(true);
    expect(exchanges.filter(({ turn }) => turn?.status === 'completed')).toHaveLength(followed);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['interrupted']);
  });

  it('at once: what is in flight is censored, nothing is lost', async () => {
    const { journeys, exchanges, records, durationUs } = await runVirtualScenario(slow, {
      interrupt: (stopping, clock) =>
        void clock.sleepUntil(1_005_000 as Micros).then(() => stopping.stop('interrupted')),
    });
    expect(durationUs).toBe(1_005_000);
    expect(journeys.every(({ outcome }) => outcome === 'interrupted')).toBe(true);
    expect(
      exchanges
        .filter(({ outcome }) => outcome === 'censored')
        .map(({ failure, sentAt, receivedAt }) => [failure, sentAt, receivedAt]),
    ).toEqual([['stopped', 1_000_000, 1_005_000]]);
    expect(exchanges).toHaveLength(records.filter(({ kind }) => kind === 'sent').length);
  });

  it('at once: what is cut off is not held against what its step expects', async () => {
    const steps = [
      { issueToken: {}, expect: { status: 201 } },
      { ...conversation, expect: { status: 201 } },
    ];
    const { exchanges } = await runVirtualScenario(
      { journeys: { a: { steps } }, load: once },
      {
        interrupt: (stopping, clock) =>
          void clock.sleepUntil(25_000 as Micros).then(() => stopping.stop('interrupted')),
      },
    );
    expect(exchanges.map(({ failure, expect: checked }) => [failure, checked])).toEqual([
      [undefined, { checked: 1, unmet: [] }],
      ['stopped', undefined],
    ]);
  });
});

describe('closed users', () => {
  it('start their next journey when the last one ended and they have thought', async () => {
    const { journeys } = await runVirtualScenario({
      journeys: { a: { steps: [{ issueToken: {} }] } },
      load: { model: 'closed-users', users: 1, iterations: 3, think: '1s' },
    });
    expect(journeys.map(({ arrival, startedAt, endedAt }) => [arrival, startedAt, endedAt])).toEqual([
      [0, 0, 20_000],
      [1, 1_020_000, 1_040_000],
      [2, 2_040_000, 2_060_000],
    ]);
  });

  const refusing = (operation: 'issueToken' | 'createConversation', status: number) =>
    runVirtualScenario(
      {
        users: 3,
        journeys: { a: { steps: [conversation] } },
        load: { model: 'closed-users', users: 3, duration: '5s' },
      },
      { wrap: answering((call) => (call.operation === operation ? { status, body: {} } : {})) },
    );

  it('whose service gives no token ask again after a second, not at once', async () => {
    const { exchanges, journeys } = await refusing('issueToken', 500);
    expect(journeys).toHaveLength(15);
    expect(exchanges.map(({ sentAt }) => seconds(sentAt))).toEqual([0, 1, 2, 3, 4].flatMap((at) => [at, at, at]));
  });

  it('whose tokens are all refused do not go round in a circle', async () => {
    const { exchanges, journeys } = await refusing('createConversation', 401);
    // Two tokens each, then none is asked for any more.
    expect(exchanges.filter(({ operation }) => operation === 'issueToken')).toHaveLength(6);
    expect(journeys.length).toBeLessThan(3 * 8);
  });

  it('whose tokens are refused whenever there is an answer do not either: a broken connection is no success', async () => {
    let sent = 0;
    const broken = { kind: 'failed', failure: 'ECONNRESET' } as unknown as Partial<Answer>;
    const { exchanges } = await runVirtualScenario(
      { journeys: { a: { steps: [conversation] } }, load: { model: 'closed-users', users: 1, duration: '5s' } },
      {
        wrap: answering(({ operation }) =>
          operation === 'issueToken' ? {} : sent++ % 2 === 0 ? broken : { status: 401, body: {} },
        ),
      },
    );
    expect(exchanges.map(({ operation, token, status, failure }) => [operation, token, status ?? failure])).toEqual(
      ['t1', 't2'].flatMap((token) => [
        ['issueToken', undefined, 201],
        ['createConversation', token, 'ECONNRESET'],
        ['createConversation', token, 401],
      ]),
    );
  });

  it('whose journey does nothing reach the end of their time', async () => {
    const { journeys } = await runVirtualScenario({
      journeys: { a: { steps: [{ pause: '0s' }] } },
      load: { model: 'closed-users', users: 1, duration: '50ms' },
    });
    expect(journeys).toHaveLength(50);
  });
});
