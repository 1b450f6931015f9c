import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Micros } from '../../base/index.ts';
import { settle } from '../config.ts';
import { conversation_id, lasting, root, startWithUser } from './http-client.exam.ts';
import { startClock } from './start-clock.ts';

const messages = `${root}/conversations/${conversation_id}/messages`;
const manual = {
  clock: 'manual',
  control: true,
  startTime: '2026-11-21T23:58:30Z',
  latency: { queued: lasting('1s'), processing: lasting('4s') },
} as const;

describe('a sandbox whose clock is moved by hand', () => {
  const start = async (settings = {}) => {
    const client = await startWithUser({ ...manual, ...settings });
    const move = (json: object | string) => client.request('POST', '/_sandbox/clock', json);
    return { ...client, move };
  };

  it('shows its clock, and moves it on as told', async () => {
    const { request, move, sandbox } = await start();
    const shown = { now: '2026-11-21T23:58:30.000Z', service_us: Date.UTC(2026, 10, 21, 23, 58, 30) * 1_000, rate: 0 };
    expect((await request('GET', '/_sandbox/clock')).body).toEqual(shown);
    expect([sandbox.clock.serviceUs, sandbox.clock.rate]).toEqual([shown.service_us, 0]);
    expect((await move({ advance: '1h30m' })).body.now).toBe('2026-11-22T01:28:30.000Z');
    const moved = await move({ set: '2026-11-23T00:00:00.000001+01:00' });
    expect([moved.status, moved.body]).toEqual([
      200,
      { now: '2026-11-22T23:00:00.000Z', service_us: Date.UTC(2026, 10, 22, 23) * 1_000 + 1, rate: 0 },
    ]);
    expect(moved.headers.get('date')).toBe('Sun, 22 Nov 2026 23:00:00 GMT');
    expect((await move({ advance: '1us' })).body.service_us).toBe(moved.body.service_us + 1);
    expect((await move({ advance: '0' })).status).toBe(200);
  });

  it('starts to the microsecond, and says to the microsecond why it cannot be set', async () => {
    const { move, sandbox } = await start({ startTime: '2026-11-21T23:58:59.999998Z' });
    expect(sandbox.clock.serviceUs).toBe(Date.UTC(2026, 10, 21, 23, 58, 59) * 1_000 + 999_998);
    expect((await move({ set: '2026-11-21T23:58:59.999Z' })).body.error.message).toBe(
      'set: the clock shows 2026-11-21T23:58:59.999998Z and never goes back',
    );
  });

  it.each([
    [{ set: '2026-11-21T23:58:29.999Z' }, 'set: the clock shows 2026-11-21T23:58:30.000Z and never goes back'],
    [{ set: '2300-01-01T00:00:00Z' }, 'the clock ends with the year 2199'],
    [{ advance: '1000000d' }, 'must be {"advance"'],
    [{ advance: '-1s' }, 'must be {"advance"'],
    [{ advance: 5 }, 'must be {"advance"'],
    [{ advance: '1s', set: '2027-01-01T00:00:00Z' }, 'must be {"advance"'],
    [{}, 'must be {"advance"'],
    ['{', 'must be {"advance"'],
  ])('refuses %j, and stays where it is', async (json, problem) => {
    const { request, move } = await start();
    const answer = await move(json);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
    expect(answer.body.error.message).toContain(problem);
    expect((await request('GET', '/_sandbox/clock')).body.now).toBe('2026-11-21T23:58:30.000Z');
  });

  it('lets minute, day, turns and tokens pass with it, exactly', async () => {
    const { request, move } = await start({
      limits: { rate: { max: 4 }, daily: { max: 1 } },
      tokenLifetime: '10min',
    });
    await request('POST', `${root}/conversations`, { conversation_id });
    const sent = await request('POST', messages, { client_message_id: 'm1', message: 'x' });
    const turn = () => request('GET', `${root}/turns/${sent.body.turn_id}`);
    expect((await turn()).body.status).toBe('queued');
    const second = await request('POST', messages, { client_message_id: 'm2', message: 'x' });
    expect([second.body.error.code, second.headers.get('retry-after')]).toEqual(['daily_quota_exceeded', '90']);
    expect([(await turn()).status, (await turn()).headers.get('retry-after')]).toEqual([429, '30']);
    await move({ advance: '29s999999us' });
    expect((await turn()).status).toBe(429);
    await move({ advance: '1us' });
    expect((await turn()).body).toMatchObject({ status: 'completed', updated_at: '2026-11-21T23:58:35.000Z' });
    await move({ set: '2026-11-21T23:59:59.999999Z' });
    expect((await request('POST', messages, { client_message_id: 'm2', message: 'x' })).status).toBe(429);
    await move({ advance: '1us' });
    expect((await request('POST', messages, { client_message_id: 'm2', message: 'x' })).status).toBe(202);
    await move({ set: '2026-11-22T00:08:29.999999Z' });
    expect((await turn()).status).toBe(200);
    await move({ advance: '1us' });
    expect((await turn()).body.error.message).toBe('the user token has expired');
  });

  it('tells open streams what happens, when it happens', async () => {
    const { request, move, sandbox, token } = await start();
    await request('POST', `${root}/conversations`, { conversation_id });
    const sent = await request('POST', messages, { client_message_id: 'm1', message: 'x' });
    const stream = new WebSocket(`${sandbox.url.replace('http', 'ws')}${root}/turns/${sent.body.turn_id}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const told: { type: string; at: string; status?: string }[] = [];
    stream.on('message', (data) => told.push(JSON.parse(String(data))));
    const closed = once(stream, 'close');
    const until = async (count: number) => {
      while (told.length < count) await once(stream, 'message');
      return told.map(({ type, status }) => status ?? type);
    };
    expect(await until(1)).toEqual(['queued']);
    await move({ advance: '999999us' });
    await move({ advance: '1us' });
    expect((await until(2)).slice(1)).toEqual(['processing']);
    await move({ advance: '3s999999us' });
    const pieces = told.length;
    await move({ advance: '1us' });
    await closed;
    expect(told.slice(2, -1).map(({ type }) => type)).toEqual(told.slice(2, -1).map(() => 'answer.delta'));
    expect(told.length - 3).toBeGreaterThan(2);
    expect(pieces).toBeLessThanOrEqual(told.length - 1);
    expect(told.at(-1)).toMatchObject({ type: 'turn.completed', at: '2026-11-21T23:58:35.000Z' });
  });

  it('is asked for with the control plane, and without a rate', async () => {
    await expect(startWithUser({ clock: 'manual' })).rejects.toThrow('clock: manual needs the control plane');
    await expect(startWithUser({ ...manual, clockRate: 60 })).rejects.toThrow(
      'clockRate: has no effect on a manual clock',
    );
    await expect(startWithUser({ startTime: '2300-01-01T00:00:00Z' })).rejects.toThrow(
      'startTime: must lie from 1970 to 2199',
    );
    const running = await startWithUser({ control: true });
    const refused = await running.request('POST', '/_sandbox/clock', { advance: '1s' });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      'the clock runs by itself; a sandbox started with --clock manual can be moved',
    ]);
    expect((await running.request('GET', '/_sandbox/clock')).body.rate).toBe(1);
    const uncontrolled = await startWithUser();
    expect((await uncontrolled.request('GET', '/_sandbox/clock')).status).toBe(404);
  });

  it('continues from its last time when its store is opened again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spillway-clock-'));
    try {
      const store = join(folder, 'store');
      const first = await start({ store });
      await first.move({ advance: '1d' });
      await first.sandbox.close();
      const second = await start({ store });
      expect((await second.request('GET', '/_sandbox/clock')).body.now).toBe('2026-11-22T23:58:30.000Z');
      expect((await second.move({ set: '2026-11-22T23:58:29Z' })).status).toBe(422);
      await second.sandbox.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the clock of a store that is opened again', () => {
  const hour = 3_600_000_000;
  const anHourAgo = (Date.now() * 1_000 - hour) as Micros;
  const saved = { wallUs: anHourAgo, serviceUs: 5e15 as Micros, rate: 1, latestUs: 5e15 as Micros };
  const resumed = (change: Partial<typeof saved>, settings = {}) => {
    const clock = startClock(settle({ startTime: '2030-01-01T00:00:00Z', ...settings }), {
      saved: { ...saved, ...change },
    });
    return clock.now() - saved.serviceUs;
  };
  // As much as this machine may take between two lines of a test.
  const slack = 60_000_000;

  it.each([
    ['ran on at its rate while nobody served', { rate: 60 }, 60 * hour, slack * 60],
    ['ran on at its old rate, whatever the new one', { rate: 60 }, 60 * hour, slack * 60],
    ['stood still if it was moved by hand', { rate: 0 }, 0, slack],
    ['never goes back, though the time of day has', { wallUs: (anHourAgo + 9 * hour) as Micros }, 0, slack],
    ['is not behind what the service has acted on', { latestUs: (5e15 + 3 * hour) as Micros }, 3 * hour, slack],
  ])('%s', (_, change, expected, within) => {
    const passed = resumed(change);
    expect(passed).toBeGreaterThanOrEqual(expected);
    expect(passed).toBeLessThan(expected + within);
  });
});
