import { describe, expect, test } from 'vitest';
import { bearerOperationIds, sandboxProfile, TargetProfileSchema } from '../../api/index.ts';
import { settle } from '../../sandbox/index.ts';
import { ScenarioSchema } from '../../scenario/index.ts';
import { sandboxLimits, undeclaredLimits } from './sandbox-limits.ts';

const scenarioWith = (limits: unknown) =>
  ScenarioSchema.parse({
    name: 's',
    load: { model: 'burst', count: 1 },
    journeys: { ask: { steps: [{ pause: '1s' }] } },
    sandbox: { limits },
  });
const settled = (limits: unknown, profile: object = {}) =>
  settle({
    limits: sandboxLimits({ scenario: scenarioWith(limits), profile: TargetProfileSchema.parse(profile) }),
  }).limits;

describe("the embedded sandbox's limits", () => {
  test("are the sandbox's defaults if scenario and profile set none", () => {
    expect(settle({ limits: sandboxLimits({ scenario: scenarioWith(undefined), profile: sandboxProfile() }) })).toEqual(
      settle({}),
    );
    expect(settled(undefined)).toEqual(settle({}).limits);
  });

  test('are what the profile declares', () => {
    const profile = {
      limits: {
        rate: {
          max: 7,
          window: '10s',
          reading: 'token-bucket',
          scope: 'user',
          counts: ['sendMessage'],
          countsReplays: false,
        },
        concurrency: { max: 3, scope: 'token', slot: 'processing-only' },
        daily: { max: 9, day: 'rolling', scope: 'user' },
      },
      limitOrder: ['concurrency', 'rate', 'daily'],
    };
    const { order, rate, concurrency, daily } = settled(undefined, profile);
    expect(order).toEqual(['concurrency', 'rate', 'daily']);
    expect(rate).toMatchObject([
      {
        max: 7,
        window: 10_000,
        algorithm: 'token-bucket',
        burst: 7,
        scope: 'user',
        operations: ['sendMessage'],
        countsReplays: false,
      },
    ]);
    expect(concurrency).toMatchObject([{ max: 3, scope: 'token', slot: 'processing-only' }]);
    expect(daily).toMatchObject([{ max: 9, day: 'rolling', scope: 'user' }]);
  });

  test("are the scenario's, completed by the profile's", () => {
    const profile = { limits: { rate: { max: 7, window: '10s', scope: 'user' }, daily: { max: 9 } } };
    expect(settled({ rate: 5, daily: [] }, profile)).toMatchObject({
      rate: [{ max: 5, window: 10_000, scope: 'user', algorithm: 'fixed-window' }],
      daily: [],
      concurrency: [{ max: 2 }],
    });
    const stacked = settled(
      {
        rate: [
          { algorithm: 'gcra', burst: 1 },
          { max: 100, window: '1h', scope: 'application' },
        ],
      },
      profile,
    ).rate;
    expect(stacked).toMatchObject([
      { max: 7, window: 10_000, scope: 'user', algorithm: 'gcra', burst: 1 },
      { max: 100, window: 3_600_000, scope: 'application', algorithm: 'fixed-window' },
    ]);
    expect(settled({ order: ['daily', 'rate', 'concurrency'] }).order).toEqual(['daily', 'rate', 'concurrency']);
  });

  test.each([
    ['unknown', 'fixed-window'],
    ['constructor', 'fixed-window'],
    ['fixed-window-aligned', 'fixed-window'],
    ['fixed-window-anchored', 'fixed-window-first-request'],
    ['fixed-window-penalty', 'fixed-window-block'],
    ['sliding-log', 'sliding-log'],
    ['sliding-log-counting-refused', 'sliding-log-attempts'],
    ['sliding-counter', 'sliding-counter'],
    ['token-bucket', 'token-bucket'],
    ['gcra', 'gcra'],
    ['interval-refill', 'token-bucket-per-tick'],
  ])('read %s in a profile as %s', (reading, algorithm) => {
    expect(settled(undefined, { limits: { rate: { reading } } }).rate[0]?.algorithm).toBe(algorithm);
  });

  test.each([
    ['unknown', 'accepted-to-finished'],
    ['semaphore', 'accepted-to-finished'],
    ['accepted-to-finished', 'accepted-to-finished'],
    ['processing-only', 'processing-only'],
  ])('read %s of the concurrency limit in a profile as slots held %s', (reading, slot) => {
    expect(settled(undefined, { limits: { concurrency: { reading } } }).concurrency[0]?.slot).toBe(slot);
  });

  test.each([
    ['unknown', 'utc', 'utc'],
    ['rolling', 'unknown', 'rolling'],
    ['first-use', 'utc', 'first-use'],
  ])('read %s of the daily limit in a profile, whose day is %s, as days of the kind %s', (reading, day, kind) => {
    expect(settled(undefined, { limits: { daily: { reading, day } } }).daily[0]?.day).toBe(kind);
  });

  test('count what the profile counts by default: everything except token requests', () => {
    expect(settled(undefined).rate[0]?.operations).toEqual(bearerOperationIds);
  });
});

describe('limits of the sandbox that are not declared', () => {
  const notes = (limits: unknown, profile: object = {}, defects?: string[]) => {
    const scenario = scenarioWith(limits);
    const sandbox = { ...scenario.sandbox, ...(defects && { defects }) } as typeof scenario.sandbox;
    return undeclaredLimits({ scenario: { ...scenario, sandbox }, profile: TargetProfileSchema.parse(profile) });
  };

  test('are reported, with the profile entry that would declare them', () => {
    expect(notes({ rate: { max: 5 }, concurrency: 3 })).toEqual([
      "the sandbox's rate limit has max: 5, but the profile declares max: 20, and the sandbox is judged by the profile; to declare the same, write profile: { limits: { rate: { max: 5 } } }",
      "the sandbox's concurrency limit has max: 3, but the profile declares max: 2, and the sandbox is judged by the profile; to declare the same, write profile: { limits: { concurrency: { max: 3 } } }",
    ]);
    expect(notes({ rate: { max: 20, window: '10s' } })[0]).toContain(
      'has window: 10000ms, but the profile declares window: 60000ms',
    );
  });

  test('are not reported if they equal the profile, are several or none, or belong to a requested defect', () => {
    expect(notes(undefined)).toEqual([]);
    expect(notes({ rate: { max: 5 } }, { limits: { rate: { max: 5 } } })).toEqual([]);
    expect(notes({ daily: { day: 'utc' } })).toEqual([]);
    expect(notes({ rate: [], concurrency: [], daily: [] })).toEqual([]);
    expect(
      notes({
        rate: [
          { name: 'a', max: 5 },
          { name: 'b', max: 7 },
        ],
      }),
    ).toEqual([]);
    expect(notes({ rate: { max: 5 } }, {}, ['O24'])).toEqual([]);
  });
});
