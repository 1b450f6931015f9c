import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { placedLoadModels } from '../../scenario/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { stopper } from '../interrupts.ts';
import { sandboxSettings } from '../target/target.ts';
import { settleLoad } from './settle-load.ts';
import { runVirtually } from './virtual-run.ts';

const constant = (value: string) => ({ distribution: 'constant', value }) as const;
const ask = [
  { createConversation: {} },
  { sendMessage: { message: 'Hello' } },
  { followTurn: { by: 'poll' as const, interval: '2s' } },
];

/** Settles a scenario and runs it against the sandbox with its limits, with turns of the assumed length. */
async function paced(input: Parameters<typeof loadedFrom>[0], startTime = '2026-01-15T00:00:00Z') {
  const loaded = await settleLoad(loadedFrom(input), true);
  const plan = compilePlan(loaded.scenario);
  const records: JournalRecord[] = [];
  await runVirtually({
    loaded,
    plan,
    settings: { ...sandboxSettings(loaded), startTime },
    embedded: true,
    delayUs: () => [2_000 as Micros, 2_000 as Micros],
    record: (record) => records.push(record),
    stop: () => stopper().signals,
  });
  const exchanges = records.flatMap((record) => (record.kind === 'exchange' ? [record] : []));
  return {
    load: plan.phases.flatMap((phase) => phase.load),
    arrivals: plan.arrivalCount,
    refused: exchanges.filter(({ outcome }) => outcome === 'refused').map(({ error }) => error?.code),
    messages: exchanges.filter(({ operation, status }) => operation === 'sendMessage' && status === 202).length,
  };
}

describe('paced-to-limits', () => {
  const journeys = { ask: { steps: ask } };

  it.each([
    ['of 25 hours', ['Europe/Zurich'], 2, '2026-10-24T22:20:00Z'],
    ['of 26 hours', ['Antarctica/Troll'], 2, '2026-10-24T22:20:00Z'],
    ['of 24 hours, on the same day', ['Asia/Tokyo'], 2, '2026-10-24T22:20:00Z'],
    ['that begins 9 hours earlier in another time zone', ['UTC', 'Asia/Tokyo'], 3, '2026-01-15T15:00:00Z'],
  ])('sends no second day of messages into a date %s', async (_, zones, max, startTime) => {
    const { refused, messages } = await paced(
      {
        profile: { limits: { daily: { max, day: 'token-timezone' } } },
        users: zones.map((timezone, i) => ({ id: `u${i}`, timezone })),
        journeys,
        load: { model: 'paced-to-limits', duration: '4d' },
      },
      startTime,
    );
    expect(refused).toEqual([]);
    expect(messages).toBeGreaterThanOrEqual(3 * max);
  });

  it.each([
    [['Europe/Zurich'], 25],
    [['Africa/Casablanca'], 25],
    [['Antarctica/Troll'], 26],
    [['UTC'], 24],
    [['UTC', 'Asia/Tokyo'], 33],
    [['America/St_Johns', 'Asia/Kathmandu'], 24 + 9.25],
    [['UTC', undefined], 26],
    [[undefined], 24],
  ])('takes for a day in the time zones %j at most %d hours', async (zones, hours) => {
    const { scenario } = await settleLoad(
      loadedFrom({
        profile: { limits: { daily: { day: 'token-timezone' } } },
        users: zones.map((timezone, i) => ({ id: `u${i}`, timezone })),
        journeys,
        load: { model: 'paced-to-limits', duration: '1h' },
      }),
      true,
    );
    const model = [...placedLoadModels(scenario)][0]?.[1];
    expect(model?.model === 'paced-to-limits' && model.allowance?.limits.daily.dayUs).toBe(hours * 3_600_000_000);
  });

  it('counts polls: one more journey a minute would be refused, but paced ones are admitted', async () => {
    // Turns of 9.9 s, polled at 0, 2, … 10 s: a journey has 8 requests, and two journeys fit into a minute.
    const sandbox = { latency: { queued: constant('0s'), processing: constant('9900ms') } };
    const run = await paced({
      sandbox,
      users: 3,
      journeys,
      load: { model: 'paced-to-limits', duration: '20min' },
    });
    expect(run.load).toEqual(['paced to the limits: 1.999 per minute (rate), 50 a day, for 20 min']);
    expect([run.arrivals, run.messages, run.refused]).toEqual([40, 40, []]);
    const more = await paced({
      sandbox,
      users: 3,
      journeys,
      load: { model: 'constant-rate', rate: '3/min', duration: '20min' },
    });
    expect(more.refused).toContain('rate_limited');
  });

  it('counts turns in process, on a service whose clock runs faster', async () => {
    const run = await paced({
      sandbox: { clockRate: 60, latency: { queued: constant('10s'), processing: constant('50s') } },
      journeys: {
        ask: {
          steps: [{ createConversation: {} }, { sendMessage: { message: 'Hi' } }, { followTurn: { by: 'stream' } }],
        },
      },
      load: { model: 'paced-to-limits', duration: '20s' },
    });
    // A turn takes a second of the run: with two at once, two journeys start in one; the margin is 20 ms.
    expect(run.load[0]).toMatch(/^paced to the limits: 1\.9\d+ per second \(concurrency\), 50 a day, for 20\.0 s$/);
    expect([run.arrivals, run.messages, run.refused]).toEqual([40, 40, []]);
  });

  it('stops at the daily quota, and continues on the next day', async () => {
    const run = await paced({
      sandbox: { clockRate: 8_640, latency: { queued: constant('0s'), processing: constant('1s') } },
      journeys: {
        ask: {
          steps: [{ createConversation: {} }, { sendMessage: { message: 'Hi' } }, { followTurn: { by: 'stream' } }],
        },
      },
      load: { model: 'paced-to-limits', duration: '15s' },
    });
    // A day of the service takes 10 s of the run; its 50 messages are sent at its beginning.
    expect([run.arrivals, run.messages, run.refused]).toEqual([100, 100, []]);
  });

  it('leaves more than a day to a message that may be quicker than the one of the day before', async () => {
    const run = await paced({
      // The first message waits for a token, that of the next day does not.
      sandbox: { clockRate: 8_640, tokenLifetime: '7d', limits: { daily: { day: 'rolling' } } },
      journeys: { ask: { steps: [{ createConversation: {} }, { sendMessage: { message: 'Hi' } }] } },
      load: { model: 'paced-to-limits', duration: '15s' },
    });
    expect([run.arrivals, run.messages, run.refused]).toEqual([100, 100, []]);
  });

  it('uses a limit per user once for each user', async () => {
    const own = {
      limits: {
        rate: { scope: 'user' as const },
        concurrency: { scope: 'user' as const },
        daily: { scope: 'user' as const },
      },
    };
    const settled = async (users: number, onlyUsers?: string[]) => {
      const loaded = await settleLoad(
        loadedFrom({
          users,
          profile: own,
          journeys,
          load: [{ model: 'paced-to-limits', duration: '1min', journeys: ['ask'], ...(onlyUsers && { onlyUsers }) }],
        }),
        true,
      );
      return compilePlan(loaded.scenario).arrivalCount;
    };
    const ofOne = await settled(1);
    expect(await settled(10)).toBeGreaterThanOrEqual(10 * ofOne);
    expect(await settled(10, ['u7'])).toBe(ofOne);
    expect(await settled(10, ['u7', 'u2'])).toBe(await settled(2));
  });

  it('uses the most expensive of its journeys', async () => {
    const read = { steps: [{ createConversation: {} }, { readHistory: {} }] };
    const rate = async (names: string[]) => {
      const loaded = await settleLoad(
        loadedFrom({
          journeys: { ask: { steps: ask }, read },
          load: { model: 'paced-to-limits', duration: '1h', journeys: names },
        }),
        true,
      );
      return compilePlan(loaded.scenario).phases[0]?.load[0];
    };
    expect(await rate(['read'])).toContain('9.997 per minute (rate), for');
    expect(await rate(['read', 'ask'])).toBe(await rate(['ask']));
  });

  /** What the only load model of a scenario may use. */
  const allowanceOf = async (input: Omit<Parameters<typeof loadedFrom>[0], 'load'>, embedded = true) => {
    const load = { model: 'paced-to-limits', duration: '1min' } as const;
    const { scenario } = await settleLoad(loadedFrom({ ...input, load }), embedded);
    return [...placedLoadModels(scenario)].flatMap(([, model]) =>
      model.model === 'paced-to-limits' ? (model.allowance ?? []) : [],
    )[0];
  };

  it('gives the application with most users no more than its limit', async () => {
    // Three of five users are one application's: of 34 requests 20.4 would be.
    const application = { clientId: '${env.ID}', clientSecret: '${env.SECRET}' };
    const allowance = await allowanceOf({ users: 5, applications: { one: application, other: application }, journeys });
    expect(allowance?.limits).toMatchObject({ rate: { max: 33 }, concurrency: { max: 3 }, daily: { max: 83 } });
  });

  it('gives each user its own limit, however many there are', async () => {
    const perUser = { profile: { limits: { rate: { scope: 'user' } } }, users: 150_000 } as const;
    expect((await allowanceOf({ ...perUser, journeys }))?.limits.rate.max).toBe(3_000_000);
  });

  it('counts what is asked of conversations that only the service knows', async () => {
    const read = { readHistory: { conversation: '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c' } };
    const known = { journeys: { read: { steps: [read, read] } } };
    expect((await allowanceOf(known, false))?.cost.requests).toBe(2);
  });

  it('takes turns one after another for one at a time', async () => {
    const perMinute = async (steps: typeof ask) => {
      const loaded = await settleLoad(
        loadedFrom({
          profile: { limits: { rate: { max: 10_000 }, daily: { max: 1_000_000 } } },
          journeys: { a: { steps } },
          load: { model: 'paced-to-limits', duration: '1h' },
        }),
        true,
      );
      return Number(
        /paced to the limits: ([\d.]+) per minute \(concurrency\)/.exec(
          compilePlan(loaded.scenario).phases[0]?.load[0] ?? '',
        )?.[1],
      );
    };
    const once = await perMinute(ask);
    const twice = await perMinute([...ask, ...ask.slice(1)]);
    expect(once).toBeGreaterThan(1);
    expect(twice / once).toBeGreaterThan(0.35);
    expect(twice / once).toBeLessThan(0.55);
  });

  it('says where a journey stopped that was to be rehearsed', async () => {
    const loaded = loadedFrom({
      tokens: { timezone: 'Europe/Zurch' },
      journeys,
      load: { model: 'paced-to-limits', duration: '1min' },
    });
    await expect(settleLoad(loaded, true)).rejects.toThrow(
      'test.yaml load: what its journeys cost is unknown: in a rehearsal, journey ask stopped at createConversation (no token: status 422); run it with --once --debug to see why',
    );
  });

  it('gives no pace to a journey of which only the beginning can be rehearsed', async () => {
    const bursts = { repeat: { times: 2, steps: [{ burst: { of: 'readHistory' as const, count: 10_000 } }] } };
    const loaded = loadedFrom({
      profile: { limits: { rate: { max: 1_000_000 } } },
      journeys: { read: { steps: [{ createConversation: {} }, bursts] } },
      load: { model: 'paced-to-limits', duration: '1min' },
    });
    await expect(settleLoad(loaded, true)).rejects.toThrow(
      'test.yaml load: what its journeys cost is unknown: journey read sends 20,000 requests or more, too many to rehearse; shorten it, or give a rate: constant-rate',
    );
  });

  it('reports all load models for which there is no pace', async () => {
    const settle = (...journeys: object[][]) =>
      settleLoad(
        loadedFrom({
          journeys: Object.fromEntries(journeys.map((steps, j) => [`j${j}`, { steps: steps as never }])),
          phases: [
            {
              name: 'p',
              load: journeys.map((_, j) => ({ model: 'paced-to-limits', duration: '1min', journeys: [`j${j}`] })),
            },
          ],
        }),
        true,
      ).catch((error: Error) => error.message.split('\n'));
    const sending = (count: number) => [{ createConversation: {} }, { burst: { count } }];
    expect(await settle([{ issueToken: {} }], sending(50), sending(51))).toEqual([
      'test.yaml phases[0].load[0]: no declared limit counts what its journeys send; give a rate: constant-rate, or a journey that sends messages',
      'test.yaml phases[0].load[2]: a journey sends 51 new messages, the declared day allows 50; send fewer messages in a journey',
    ]);
    expect(await settle(sending(50))).toMatchObject({ scenario: { name: 'test' } });
  });
});
