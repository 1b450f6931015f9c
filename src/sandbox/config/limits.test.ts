import { describe, expect, it } from 'vitest';
import { operationIds, rateAlgorithmNames } from '../../api/index.ts';
import { ConfigurationError, formatProblem } from '../../base/index.ts';
import { settle } from '../config.ts';

const bearer = operationIds.filter((operation) => operation !== 'issueToken');
const limitsOf = (limits: unknown) => settle({ limits }).limits;
const problemsOf = (limits: unknown) => {
  try {
    settle({ limits });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(formatProblem);
  }
};

describe("the limits' settings", () => {
  it('default to the choices of the design', () => {
    expect(limitsOf({})).toEqual({
      order: ['rate', 'daily', 'concurrency'],
      rate: [
        {
          name: 'minute',
          max: 20,
          window: 60_000,
          algorithm: 'fixed-window',
          phase: 0,
          scope: 'application',
          operations: bearer,
          countsInvalid: true,
          countsReplays: true,
          countsRefusedLater: true,
        },
      ],
      concurrency: [
        {
          name: 'slots',
          max: 2,
          algorithm: 'semaphore',
          scope: 'application',
          slot: 'accepted-to-finished',
          retryAfter: 'exact',
        },
      ],
      daily: [
        {
          name: 'day',
          max: 50,
          day: 'utc',
          scope: 'application',
          operations: ['sendMessage'],
          countsInvalid: false,
          countsReplays: false,
          countsRefusedLater: false,
        },
      ],
    });
  });

  it('take a number for its maximum, one limit, several stacked ones, or none', () => {
    const settled = limitsOf({
      rate: 7,
      concurrency: [],
      daily: [{ max: 3 }, { max: 9, scope: 'user' }, { scope: 'user' }],
    });
    expect(settled.rate.map(({ max, name }) => [max, name])).toEqual([[7, 'minute']]);
    expect(settled.concurrency).toEqual([]);
    expect(settled.daily.map(({ max, name, scope }) => [max, name, scope])).toEqual([
      [3, 'day', 'application'],
      [9, 'day-user', 'user'],
      [50, 'day-user-2', 'user'],
    ]);
  });

  it('count something', () => {
    expect(problemsOf({ rate: { scope: 'user', operations: ['issueToken'] } })).toEqual([
      'limits.rate.operations: counts nothing: issueToken comes before there is a user',
    ]);
    const both = { scope: 'conversation', operations: ['issueToken', 'createConversation'] };
    expect(problemsOf({ daily: [{}, both] })).toEqual([
      'limits.daily.1.operations: counts nothing: issueToken and createConversation come before there is a conversation',
    ]);
    expect(problemsOf({ rate: { scope: 'application', operations: ['issueToken'] } })).toEqual([]);
    expect(problemsOf({ rate: { scope: 'token', operations: ['issueToken', 'readTurn'] } })).toEqual([]);
  });

  it.each([
    [{ algorithm: 'fixed-window', phase: '17s' }, { phase: 17_000 }],
    [{ algorithm: 'fixed-window-first-request' }, {}],
    [{ algorithm: 'fixed-window-block' }, { block: 60_000 }],
    [{ algorithm: 'fixed-window-block', block: '2min' }, { block: 120_000 }],
    [{ algorithm: 'sliding-log' }, {}],
    [{ algorithm: 'sliding-log-attempts' }, {}],
    [{ algorithm: 'sliding-counter' }, { phase: 0, variant: 'below' }],
    [
      { algorithm: 'sliding-counter', variant: 'floored' },
      { phase: 0, variant: 'floored' },
    ],
    [{ algorithm: 'token-bucket' }, { burst: 20 }],
    [
      { algorithm: 'token-bucket-per-tick', burst: 5 },
      { burst: 5, phase: 0 },
    ],
    [
      { algorithm: 'token-bucket-per-window', max: 3 },
      { burst: 3, phase: 0 },
    ],
    [{ algorithm: 'gcra', burst: 1 }, { burst: 1 }],
    [{ algorithm: 'leaky-queue', burst: 4 }, { burst: 4 }],
  ])('fill in what %j leaves open, and are the same after a second reading', (rate, expected) => {
    const settled = settle({ limits: { rate } });
    const { algorithm, phase, burst, block, variant } = settled.limits.rate[0] as unknown as Record<string, unknown>;
    const given = Object.fromEntries(
      Object.entries({ phase, burst, block, variant }).filter(([, value]) => value !== undefined),
    );
    expect([algorithm, given]).toEqual([rate.algorithm, expected]);
    expect(settle(JSON.parse(JSON.stringify(settled)))).toEqual(settled);
  });

  it('make a lease of a semaphore with its time', () => {
    const { concurrency } = limitsOf({ concurrency: { algorithm: 'lease', ttl: '30s', retryAfter: 'absent' } });
    expect(concurrency).toEqual([
      {
        name: 'slots',
        max: 2,
        algorithm: 'lease',
        ttl: 30_000,
        slot: 'accepted-to-finished',
        scope: 'application',
        retryAfter: 'absent',
      },
    ]);
    expect(limitsOf(JSON.parse(JSON.stringify({ concurrency }))).concurrency).toEqual(concurrency);
  });

  it('name everything that is wrong at once, where it was written and with what to write', () => {
    const wrong = {
      order: ['rate', 'daily'],
      rate: [
        { algorithm: 'sliding-log', burst: 5, phase: '1s', max: 0 },
        { algorithm: 'slidin-log', window: '0.5ms', windw: '60s' },
        { max: 2_000_000, window: '1s' },
        { algorithm: 'sliding-counter', max: 200_000, window: '1d' },
        { algorithm: 'token-bucket', burst: 1_000_000_000, window: '1d' },
      ],
      concurrency: { algorithm: 'lease', scope: 'everybody' },
      daily: { ttl: '3s', day: 'local', operations: [] },
      speed: 3,
    };
    expect(problemsOf(wrong).sort()).toEqual([
      'limits.concurrency.scope: must be one of application, user, token, conversation, address, not "everybody"',
      'limits.concurrency.ttl: is missing; a lease needs one, for example ttl: 30s',
      'limits.daily.day: must be one of utc, token-timezone, first-use, rolling, not "local"',
      'limits.daily.operations: must have at least 1 item',
      'limits.daily.ttl: unknown key "ttl"; allowed here: name, max, day, scope, operations, countsInvalid, countsReplays, countsRefusedLater',
      'limits.order: must name rate, concurrency, daily, each once',
      'limits.rate.0.burst: does not apply to sliding-log; it belongs to token-bucket, token-bucket-per-tick, token-bucket-per-window, gcra, leaky-queue',
      'limits.rate.0.max: must be at least 1',
      'limits.rate.0.phase: does not apply to sliding-log; it belongs to fixed-window, sliding-counter, token-bucket-per-tick, token-bucket-per-window',
      `limits.rate.1.algorithm: must be one of ${rateAlgorithmNames.join(', ')}, not "slidin-log"; did you mean sliding-log?`,
      'limits.rate.1.window: must be at least 1ms',
      'limits.rate.1.windw: unknown key "windw"; did you mean window?',
      'limits.rate.2.max: must not be more than one per microsecond of the window',
      'limits.rate.3.window: is too long for sliding-counter to count so many requests exactly; use fixed-window or sliding-log',
      'limits.rate.4.window: is too long for token-bucket to count so many requests exactly; use fixed-window or sliding-log',
      'limits.speed: unknown key "speed"; allowed here: order, rate, concurrency, daily',
    ]);
    expect(problemsOf({ rate: { max: 0 }, daily: 0, concurrency: null }).sort()).toEqual([
      'limits.concurrency: must be an object, not null',
      'limits.daily.max: must be at least 1',
      'limits.rate.max: must be at least 1',
    ]);
    expect(problemsOf({ rate: { window: 'soon' } })).toEqual([
      'limits.rate.window: "soon" is not a duration; write for example 250ms, 1.5s, 2min or 1h',
    ]);
    expect(problemsOf({ rate: { name: 'x' }, daily: { name: 'x' } })).toEqual([
      'limits: each name may occur only once',
    ]);
    expect(problemsOf({ concurrency: { ttl: '3s' } })).toEqual([
      'limits.concurrency.ttl: does not apply to semaphore; it belongs to lease',
    ]);
  });
});
