import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { answering, answeringLate } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { retryAfterUs } from './retry.ts';

describe('Retry-After', () => {
  it.each([
    { retryAfter: '2', us: 2_000_000 },
    { retryAfter: '0', us: 0 },
    { retryAfter: ' 60 ', us: 60_000_000 },
    { retryAfter: 'Sat, 21 Nov 2026 12:00:30 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: 30_000_000 },
    { retryAfter: 'Sat, 21 Nov 2026 11:59:30 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: 0 },
    { retryAfter: 'Sat, 21 Nov 2026 12:00:30 GMT', us: undefined },
    { retryAfter: 'Saturday, 21-Nov-26 12:00:30 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: 30_000_000 },
    // As asctime writes it, which tells no zone: that of this machine is not meant.
    { retryAfter: 'Sat Nov 21 12:00:30 2026', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: 30_000_000 },
    { retryAfter: 'Sat, 21 Nov 2026 12:00:30 GMT', date: 'Sat Nov 21 12:00:00 2026', us: 30_000_000 },
    { retryAfter: 'Sat, 21 Nov 2026 12:00:30 GMT', date: '0', us: undefined },
    { retryAfter: '99999999999', us: 99_999_999_999_000_000 },
    // What Date.parse would take for a day long past, and so for leave to go on at once.
    { retryAfter: '-5', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: undefined },
    { retryAfter: '0.5', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: undefined },
    { retryAfter: '1, 7', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: undefined },
    { retryAfter: 'soon', date: 'Sat, 21 Nov 2026 12:00:00 GMT', us: undefined },
    { us: undefined },
  ])('$retryAfter is $us µs', ({ us, ...headers }) => {
    expect(retryAfterUs(headers)).toBe(us);
  });
});

it.each([
  ['60s', [20_000, 60_040_000]],
  ['59s', [20_000]],
])('a wait of 60 s is waited for where at most %s are', async (retryAfterCeiling, sentAt) => {
  const refusing = answering(({ operation }, { receivedAt }) =>
    operation === 'createConversation' && receivedAt < 1_000_000
      ? { status: 429, headers: { 'retry-after': '60' } }
      : {},
  );
  const onRefused = { retry: { max: 3, retryAfterCeiling } };
  const { exchanges } = await runVirtualScenario(
    { journeys: { a: { steps: [{ createConversation: {}, onRefused }] } }, load: { model: 'burst', count: 1 } },
    { wrap: refusing },
  );
  expect(exchanges.slice(1).map((exchange) => exchange.sentAt)).toEqual(sentAt);
});

it.each([
  [{ first: '1min' }, [60, 60]],
  [{ first: '20s' }, [20, 30]],
  [{ first: '1min', ceiling: '40s' }, [40, 40]],
])(
  'waits of a backoff grow up to the ceiling, by default 30 s or the first wait: %j waits %j seconds',
  async (backoff, waits) => {
    const failing = answering(({ operation }) => (operation === 'createConversation' ? { status: 503 } : {}));
    const { exchanges } = await runVirtualScenario(
      {
        journeys: { a: { steps: [{ createConversation: {}, onError: { retry: { max: 2, backoff } } }] } },
        load: { model: 'burst', count: 1 },
      },
      { wrap: failing },
    );
    const [first, second, third] = exchanges.filter(({ operation }) => operation === 'createConversation');
    const between = (one: typeof first, other: typeof first) =>
      other && one && (other.intendedAt - one.receivedAt) / 1_000_000;
    expect([between(first, second), between(second, third)]).toEqual(waits);
  },
);

it.each([
  [{ interval: '1min', deadline: '150s' }, [0, 60, 120]],
  [{ interval: '20s' }, [0, 20, 40]],
  [{ interval: '1min' }, [0, 60]],
  [{ interval: '5min' }, [0, 300]],
  [{ interval: '1min', deadline: '50s' }, [0]],
])(
  'polls are an interval apart, though it is longer than the defaults: %j polls at %j seconds',
  async (settings, at) => {
    const { exchanges } = await runVirtualScenario(
      {
        journeys: {
          a: {
            steps: [
              { createConversation: {} },
              { sendMessage: { message: 'Hello' } },
              { followTurn: { by: 'poll', ...settings } },
            ],
          },
        },
        load: { model: 'burst', count: 1 },
      },
      { sandbox: { latency: { queued: constant('1s'), processing: constant('20min') } } },
    );
    const polls = exchanges.filter(({ operation }) => operation === 'readTurn').map(({ intendedAt }) => intendedAt);
    expect(polls.map((intendedAt) => (intendedAt - (polls[0] ?? 0)) / 1_000_000)).toEqual(at);
  },
);

const constant = (value: string) => ({ distribution: 'constant', value }) as const;

it('a backoff begins when the answer was received, however late the generator gets to it', async () => {
  const lateUs = (operation: string) => (operation === 'createConversation' ? 30_000 : 0);
  const fails = answering(({ operation }, { receivedAt }) => ({
    ...(operation === 'createConversation' && receivedAt < 300_000 && { status: 503 }),
    receivedAt: (receivedAt - lateUs(operation)) as Micros,
  }));
  const readLate = answeringLate(({ operation }) => lateUs(operation));
  const onError = { retry: { max: 3, backoff: { first: '100ms' } } };
  const { exchanges } = await runVirtualScenario(
    { journeys: { a: { steps: [{ createConversation: {}, onError }] } }, load: { model: 'burst', count: 1 } },
    { wrap: (sender, clock) => fails(readLate(sender, clock), clock) },
  );
  const [, first, second, third] = exchanges;
  expect([first, second, third].map((exchange) => exchange?.status)).toEqual([503, 503, 201]);
  expect(second?.intendedAt).toBe((first?.receivedAt ?? 0) + 100_000);
  expect(third?.intendedAt).toBe((second?.receivedAt ?? 0) + 200_000);
});

it('a backoff after a token request without an answer begins at its end, too', async () => {
  const breaks = answering(({ operation }, { receivedAt }) =>
    operation === 'issueToken' && receivedAt < 100_000
      ? { failure: 'ECONNRESET', receivedAt: (receivedAt - 30_000) as Micros }
      : {},
  );
  const readLate = answeringLate(({ operation }) => (operation === 'issueToken' ? 30_000 : 0));
  const onError = { retry: { max: 1, backoff: { first: '100ms' } } };
  const { exchanges } = await runVirtualScenario(
    { journeys: { a: { steps: [{ createConversation: {}, onError }] } }, load: { model: 'burst', count: 1 } },
    { wrap: (sender, clock) => breaks(readLate(sender, clock), clock) },
  );
  const [broken, , created] = exchanges;
  expect(exchanges.map(({ status, failure }) => status ?? failure)).toEqual(['ECONNRESET', 201, 201]);
  expect(created?.intendedAt).toBe((broken?.receivedAt ?? 0) + 100_000);
});

describe('expectations and retries', () => {
  it('are held against the last attempt only', async () => {
    const steps = [
      { createConversation: {} },
      { burst: { of: 'readHistory' as const, count: 19 } },
      { readHistory: {}, onRefused: { retry: { max: 2 } }, expect: { status: 200 } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: { model: 'burst', count: 1 } });
    const last = exchanges.slice(-2);
    expect(last.map(({ status, attempt, expect: checked }) => [status, attempt, checked])).toEqual([
      [429, 1, undefined],
      [200, 2, { checked: 1, unmet: [] }],
    ]);
  });

  it('are held when the retries are used up', async () => {
    const retry = { max: 1, obeyRetryAfter: false, backoff: { first: '1s' } };
    const steps = [
      { createConversation: {} },
      { burst: { of: 'readHistory' as const, count: 19 } },
      { readHistory: {}, onRefused: { retry }, expect: { status: 200 } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: { model: 'burst', count: 1 } });
    expect(exchanges.at(-1)?.expect?.unmet).toEqual(['status: expected 200, found 429']);
    expect(exchanges.at(-2)?.expect).toBeUndefined();
  });

  it('advice that is too far away ends the retries, and is given as the reason', async () => {
    const steps = [
      { createConversation: {} },
      { burst: { of: 'readHistory' as const, count: 20 }, onRefused: { retry: { max: 3, retryAfterCeiling: '10s' } } },
    ];
    const { exchanges, journeys } = await runVirtualScenario({
      journeys: { a: { steps } },
      load: { model: 'burst', count: 1 },
    });
    expect(exchanges.every(({ attempt }) => attempt === 1)).toBe(true);
    expect(journeys[0]).toMatchObject({
      outcome: 'stopped',
      stoppedAt: { because: '429 rate_limited, Retry-After beyond retryAfterCeiling' },
    });
  });
});

it('an issueToken step answered 401 with retryable: false is not tried again: its credentials stay the same', async () => {
  const { exchanges, journeys } = await runVirtualScenario(
    {
      journeys: { a: { onError: { retry: { max: 2 } }, steps: [{ issueToken: {} }] } },
      load: { model: 'burst', count: 1 },
    },
    { wrap: answering(() => ({ status: 401, body: errorOf('unauthorized', false) })) },
  );
  expect(exchanges.map(({ operation, status }) => [operation, status])).toEqual([['issueToken', 401]]);
  expect(journeys[0]?.stoppedAt?.because).toBe('status 401 unauthorized, not retryable');
});

const errorOf = (code: string, retryable: boolean) => ({
  error: { code, message: 'No', retryable, request_id: '0b6f2b5e-6d1c-4f0e-9a55-3f6f9d6a1c11' },
});

it.each([
  ['createConversation', 422, false, {}, 1, 'status 422 odd, not retryable'],
  ['createConversation', 429, false, { afterwards: 'continue' }, 1, undefined],
  ['createConversation', 422, true, {}, 3, 'status 422 odd, retries used up'],
  ['createConversation', 422, false, { obeyRetryable: false }, 3, 'status 422 odd, retries used up'],
  ['issueToken', 429, false, {}, 1, 'no token: status 429, not retryable'],
  ['issueToken', 401, false, {}, 1, 'no token: status 401, not retryable'],
  // With another token it is another request.
  ['createConversation', 401, false, {}, 2, 'no token: rejected, retries used up'],
] as const)(
  '%s answered %i with retryable: %s is retried as that says, with %j: %i attempts, %s',
  async (operation, status, retryable, settings, attempts, because) => {
    const policy = { retry: { max: 2, ...settings } };
    const { exchanges, journeys } = await runVirtualScenario(
      {
        journeys: { a: { onRefused: policy, onError: policy, steps: [{ createConversation: {} }] } },
        load: { model: 'burst', count: 1 },
      },
      { wrap: answering((call) => (call.operation === operation ? { status, body: errorOf('odd', retryable) } : {})) },
    );
    expect(exchanges.filter((exchange) => exchange.operation === operation)).toHaveLength(attempts);
    expect(journeys[0]?.stoppedAt?.because).toBe(because);
  },
);
