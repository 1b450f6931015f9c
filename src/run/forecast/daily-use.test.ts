import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { mostInADay } from './daily-use.ts';
import { planScenario } from './plan-scenario.ts';
import { renderPrice } from './price-text.ts';
import { checkBudget, spendsMuch } from './spending.ts';

type Input = Parameters<typeof loadedFrom>[0];

/** A message every so often for 24 hours; nothing but the day's quota is ever met. */
const soak = (count: number, profile: object = {}, users: Input['users'] = 1): Input =>
  ({
    users,
    journeys: { a: { onRefused: 'continue', steps: [{ createConversation: {} }, { sendMessage: { message: 'Hi' } }] } },
    load: { model: 'constant-rate', rate: `${count}/day`, duration: '24h' },
    profile,
  }) as unknown as Input;

const priced = async (input: Input, now: string, embedded = false) =>
  (await planScenario(loadedFrom(input), { embedded, now: new Date(`2026-01-15T${now}Z`) })).price;

const range = (low: number, high = low) => ({ low, high });

describe('the price of a day', () => {
  it.each([
    ['00:00:30', range(50), range(30)],
    ['12:00:00', range(40), range(0)],
    ['18:00:00', range(50), range(10)],
  ])('that changes at 00:00 UTC depends on when the run starts: %s', async (now, dailyUse, refused) => {
    const price = await priced(soak(80, { limits: { daily: { day: 'utc' } } }), now);
    expect(price).toMatchObject({ dailyUse, refused: { daily: refused }, dayIsKnown: true });
  });

  it.each(['00:00:30', '04:55:00', '12:00:00'])(
    'of which nobody knows when it turns is that of the fullest 24 hours, whenever the run begins: %s',
    async (now) => {
      const price = await priced(soak(80), now);
      expect([price.dailyUse.high, price.refused.daily.high, price.dayIsKnown]).toEqual([50, 30, false]);
      expect(price.most).toMatchObject({ newMessages: 80, dailyUse: 80 });
    },
  );

  it.each([
    [{ daily: { day: 'rolling' } }, {}, [48, true]],
    [{ daily: { day: 'first-use' } }, {}, [48, false]],
    [{ daily: { day: 'first-use' } }, { exclusive: true, flushed: { daily: true } }, [48, true]],
    [{ daily: { reading: 'utc' } }, {}, [24, true]],
    [{ daily: { reading: 'rolling', day: 'utc' } }, {}, [48, true]],
    [{ daily: { day: 'token-timezone' } }, {}, [48, false]],
  ] as const)('of the kind %j with %j', async (limits, others, [most, isKnown]) => {
    const price = await priced(soak(48, { limits, ...others }), '12:00:00');
    expect([price.most.dailyUse, price.dayIsKnown]).toEqual([most, isKnown]);
  });

  it.each([
    ['first-use', [0, 1, 24, 24.5], 2],
    ['first-use', [0, 23.999, 24], 2],
    // What comes after the end of a day begins the next, 30 hours after the first: all three are of it.
    ['first-use', [0, 30, 48, 53], 3],
    ['first-use', [0, 30, 54], 1],
    ['rolling', [0, 23.999, 24], 2],
    ['rolling', [0, 30, 48, 53, 54], 3],
    ['utc', [0, 23.999, 24], 2],
  ] as const)('of the kind %s holds, of messages after %j hours, at most %j', (day, hours, most) => {
    const loaded = loadedFrom(soak(1));
    const sent = hours.map((hour, seq) => {
      const sentAt = Math.round(hour * 3_600e6) as Micros;
      return { application: 'a1', user: 'u1', seq, sentAt, warmUp: false, day: '' };
    });
    expect(mostInADay(sent, { loaded, embedded: false, day, serviceAt: (at) => at })).toBe(most);
  });

  it('is the same for every start within a minute', async () => {
    const input = { ...soak(1), load: { model: 'constant-rate', rate: '1/s', duration: '90s' } } as unknown as Input;
    expect(await priced(input, '12:00:59.999')).toEqual(await priced(input, '12:00:00'));
  });

  it('of tokens of one time zone is a day of that zone; of several zones, any 24 hours', async () => {
    const profile = { limits: { daily: { day: 'token-timezone' } } };
    const at = async (...zones: string[]) => {
      const users = zones.map((timezone, i) => ({ id: `u${i}`, timezone }));
      return (await priced(soak(48, profile, users as never), '11:00:00')).most.dailyUse;
    };
    // Midnight in Auckland is 11:00 UTC in January, in Kiritimati 10:00.
    expect(await at('Pacific/Auckland')).toBe(48);
    expect(await at('Pacific/Kiritimati')).toBe(46);
    expect(await at('Etc/GMT+1')).toBe(28);
    expect(await at('Etc/GMT+1', 'Pacific/Kiritimati')).toBe(48);
  });

  it('of tokens of several time zones is, for the embedded sandbox, the date in the zone of each message', async () => {
    const at = async (max: number, startTime: string, ...zones: string[]) => {
      const limits = { daily: { max, day: 'token-timezone' } };
      const users = zones.map((timezone, i) => ({ id: `u${i}`, timezone }));
      const load = { model: 'constant-rate', rate: '2/h', duration: '48h' };
      const input = { ...soak(96, { limits }, users as never), load, sandbox: { startTime, limits } };
      const { dailyUse, refused, most } = await priced(input as unknown as Input, '12:00:00', true);
      return [dailyUse, refused.daily, most.dailyUse];
    };
    // Of the second date, each sends 24.
    expect(await at(45, '2026-01-15T12:00:00Z', 'UTC', 'America/New_York')).toEqual([range(45), range(3), 45]);
    // 25 October has 25 hours in Zurich.
    const changed = await at(1_000, '2026-10-24T20:30:00Z', 'Europe/Zurich', 'America/New_York');
    expect(changed).toEqual([range(49), range(0), 49]);
  });

  it('of the embedded sandbox starts now, unless the scenario sets its clock, which does not affect other services', async () => {
    const input = soak(80);
    const set = { ...input, sandbox: { startTime: '2026-01-15T00:00:00Z', limits: { daily: 1_000 } } } as Input;
    expect((await priced(input, '12:00:00', true)).dailyUse).toEqual(range(40));
    expect((await priced(set, '12:00:00', true)).dailyUse).toEqual(range(80));
    expect((await priced(set, '12:00:00')).dailyUse).toEqual(range(40, 50));
  });

  it('of several days is confirmed by the fullest day, and reported with the total', async () => {
    const twoDays = { ...soak(24), load: { model: 'constant-rate', rate: '24/day', duration: '48h' } } as Input;
    const { profile } = loadedFrom(twoDays);
    const few = await priced(twoDays, '09:00:00');
    expect([few.most.newMessages, few.most.dailyUse, spendsMuch(few, profile)]).toEqual([48, 24, false]);
    const many = await priced(soak(48), '12:00:00');
    expect(spendsMuch(many, profile)).toBe(true);
    expect(() => checkBudget(few, { ...profile, budget: { messages: 47 } })).toThrow('48 messages');
    const told = renderPrice(many, profile.limits);
    expect(told).toContain('messages     48, and 48 of them accepted as new\n');
    expect(told).toContain(
      "daily        new messages 24 to 48 of 50 on the busiest day, depending on when the service's day ends; within the limit\n",
    );
    expect(renderPrice(await priced(soak(80), '00:00:00'), profile.limits)).toContain(
      'unrefused    240 requests and 80 new messages, if the service refuses nothing\n',
    );
  });
});
