import { describe, expect, it } from 'vitest';
import { sandboxProfile, TargetProfileSchema } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import { exchange } from '../../report/exporters/journals.exam.ts';
import { LiveCounter } from './live-state.ts';

const us = (seconds: number): Micros => Math.round(seconds * 1e6) as Micros;
const plan = { phases: [{ name: 'all', startUs: us(0), durationUs: us(90), load: [] }], durationUs: us(90) };
const read = (at: number, members: Partial<Exchange> = {}) =>
  exchange(0, { operation: 'readHistory', sentAt: us(at), receivedAt: us(at + 0.01), status: 200, ...members });
const sent = (at: number, turn: string, members: Partial<Exchange> = {}) =>
  read(at, { operation: 'sendMessage', status: 202, turn: { id: turn, status: 'queued' }, ...members });

describe('the live state of a run', () => {
  it('counts the current window, open turns, the service’s day, and refusals by limit', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    live.add({ kind: 'clock', at: us(0), serviceUs: us(86_400 * 20_000 - 30), plusMinusUs: us(0), rate: 1 });
    for (let i = 0; i < 5; i++) live.add(read(i));
    live.add(sent(6, 't1'));
    live.add(sent(7, 't2'));
    live.add(
      read(8, {
        outcome: 'refused',
        status: 429,
        error: { code: 'concurrency_limited', retryable: true, requestId: 'r' },
      }),
    );
    // A gateway may have answered instead of the service.
    live.add(read(8, { status: 500 }));
    live.add(read(8, { outcome: 'failed', failure: 'ECONNRESET' }));
    // Not a success: an unusable body, or a status that is not a success of the operation.
    live.add(read(8, { bodyProblem: 'not-json' }));
    live.add(read(8, { status: 204 }));
    live.add({ kind: 'stream', turn: 't1', event: 'completed', at: us(9) });
    const state = live.state(us(10), false);
    expect(state).toMatchObject({
      phase: 'all',
      leftUs: us(80),
      requests: 12,
      // Of the one with 500 nobody knows whether the limit counted it.
      minute: { used: 9, possible: 10, max: 20 },
      openTurns: { used: 1, max: 2 },
      today: { used: 2, max: 50 },
      refused: { rate: 0, concurrency: 1, daily: 0, unattributed: 0 },
      errors: 4,
      service: { p50Us: us(0.01) },
      warnings: [],
    });
    // 30 s after the start, a new minute and a new day of the service begin.
    expect(live.state(us(31), false)).toMatchObject({
      minute: { used: 0 },
      today: { used: 0 },
      openTurns: { used: 1 },
    });
    expect(live.state(us(91), false).phase).toBe('finishing');
  });

  it('says how many journeys go on after the plan, unless the run was stopped or users are in a loop', () => {
    const ended = (of: Partial<typeof plan> & { arrivalCount?: number; loops?: readonly never[] }) => {
      const live = new LiveCounter({ ...plan, ...of }, sandboxProfile());
      live.add({
        kind: 'journey',
        arrival: 0,
        journey: 'a',
        user: 'u',
        at: us(1),
        durationUs: us(1),
        outcome: 'completed',
      } as never);
      live.add({ kind: 'drop', intendedAt: us(1), arrival: 1, journey: 'a', reason: 'late' });
      return live;
    };
    const counted = ended({ arrivalCount: 5, loops: [] });
    expect(counted.state(us(91), false).goingOn).toEqual({ journeys: 3 });
    expect(counted.state(us(1), false)).not.toHaveProperty('goingOn');
    expect(counted.state(us(91), true)).not.toHaveProperty('goingOn');
    expect(ended({ arrivalCount: 5, loops: [{}] as never }).state(us(91), false).goingOn).toEqual({});
  });

  it('takes a turn for open until a status of the profile says that it has ended', () => {
    const turns = { open: ['WAITING', 'RUNNING'], completed: ['DONE'], failed: ['BROKEN'] };
    const live = new LiveCounter(plan, TargetProfileSchema.parse({ turns }));
    const poll = (at: number, id: string, status: string) =>
      live.add(read(at, { operation: 'readTurn', turn: { id, status } }));
    for (const turn of ['t1', 't2', 't3']) live.add(sent(1, turn));
    for (const turn of ['t1', 't2', 't3']) poll(2, turn, 'RUNNING');
    // What no list has may be any; the follower goes on, too.
    poll(3, 't1', 'completed');
    expect(live.state(us(4), false).openTurns).toMatchObject({ used: 3 });
    poll(5, 't1', 'DONE');
    poll(5, 't2', 'BROKEN');
    expect(live.state(us(6), false).openTurns).toMatchObject({ used: 1 });
  });

  it('counts the requests of the last five whole seconds', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    const sendUntil = (end: number, perSecond: number) => {
      for (let second = end - 10; second < end; second++)
        for (let i = 0; i < perSecond; i++) live.add(read(second + i / 10));
    };
    expect(live.state(us(0.5), false).perSecond).toBeUndefined();
    for (const at of [0, 0.5, 1.2]) live.add(read(at));
    expect([1, 2, 3.9].map((now) => live.state(us(now), false).perSecond)).toEqual([2, 1.5, 1]);
    sendUntil(30, 4);
    expect([30, 32, 34.9, 35].map((now) => live.state(us(now), false).perSecond)).toEqual([4, 2.4, 0.8, 0]);
    sendUntil(60, 2);
    expect(live.state(us(60), false).perSecond).toBe(2);
  });

  it('counts every request of a service that answers after seconds', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    for (let i = 0; i < 80; i++) live.add(read(i / 10, { receivedAt: us(i / 10 + 3) }));
    expect([8, 10, 11].map((now) => live.state(us(now), false).perSecond)).toEqual([10, 10, 10]);
    // One that a worker tells twenty seconds late is not of the last ones.
    live.add(read(30.5));
    live.add(read(10.5));
    expect(live.state(us(31), false).perSecond).toBe(1 / 5);
  });

  it('keeps the counts of a window, a day and a second when an answer to an earlier request comes late', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    live.add({ kind: 'clock', at: us(0), serviceUs: us(86_400 * 20_000 - 40), plusMinusUs: us(0), rate: 1 });
    for (const at of [40, 40.5, 41]) live.add(sent(at, `t${at}`));
    live.add(sent(20.5, 'late', { receivedAt: us(41.5) }));
    live.add(sent(41.6, 't41.6'));
    expect(live.state(us(42), false)).toMatchObject({ minute: { used: 4 }, today: { used: 4 }, perSecond: 1 });
  });

  it('keeps what was counted before the service’s clock was known', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    live.add(sent(0.1, 't1'));
    live.add({ kind: 'clock', at: us(0.1), serviceUs: us(86_400 * 20_000), plusMinusUs: us(1), rate: 1 });
    live.add(sent(0.2, 't2'));
    expect(live.state(us(1), false)).toMatchObject({ minute: { used: 2 }, today: { used: 2 } });
  });

  it('counts again after one Date was days ahead', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    for (const [at, day] of [
      [0, 20_000],
      [1, 20_003],
      [2, 20_000],
    ] as const) {
      live.add({ kind: 'clock', at: us(at), serviceUs: us(86_400 * day + at), plusMinusUs: us(1), rate: 1 });
      live.add(sent(at + 0.1, `t${at}`));
    }
    live.add(sent(3, 't3'));
    expect(live.state(us(4), false)).toMatchObject({ minute: { used: 2 }, today: { used: 2 } });
  });

  it('has no time left once nothing more is started', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    expect(live.state(us(10), false).leftUs).toBe(us(80));
    expect(live.state(us(10), true).leftUs).toBeUndefined();
    expect(live.state(us(95), true)).toMatchObject({ elapsedUs: us(95), stoppedUs: us(10) });
    const whole = new LiveCounter(plan, sandboxProfile());
    expect([whole.state(us(10), false), whole.state(us(95), true)].map(({ stoppedUs }) => stoppedUs)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('stays in a phase without planned length until the run ends', () => {
    const phases = [
      { name: 'planned', startUs: us(0), durationUs: us(10), load: [] },
      { name: 'closed', startUs: us(10), durationUs: us(0), untilDone: true, load: [] },
    ] as const;
    const live = new LiveCounter({ phases, durationUs: us(10) }, sandboxProfile());
    expect(live.state(us(4), false)).toMatchObject({ phase: 'planned' });
    expect(live.state(us(4), false).leftUs).toBeUndefined();
    expect(live.state(us(25), false).phase).toBe('closed');
    expect(live.state(us(25), true).phase).toBe('finishing');
  });

  it('shows recent percentiles of successes for which there are enough', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    const after = (count: number, fields: Parameters<typeof read>[1] = {}) => {
      for (let i = 0; i < count; i++) live.add(read(1, fields));
      return live.state(us(2), false).service;
    };
    expect(after(1)).toEqual({});
    expect(after(9, { outcome: 'refused', status: 429 })).toEqual({});
    expect(after(9, { status: 500 })).toEqual({});
    expect(after(1)).toEqual({ p50Us: us(0.01) });
    expect(after(17)).toEqual({ p50Us: us(0.01) });
    expect(after(1)).toEqual({ p50Us: us(0.01), p95Us: us(0.01) });
  });

  it('shows the fullest bucket, not the sum of all', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    for (let i = 0; i < 15; i++) live.add(read(1, { application: 'a1' }));
    for (let i = 0; i < 12; i++) live.add(read(1, { application: 'a2' }));
    live.add(sent(2, 't1', { application: 'a2' }));
    live.add(sent(2, 't2', { application: 'a3' }));
    expect(live.state(us(3), false)).toMatchObject({
      minute: { used: 15, max: 20, fullestOf: { buckets: 3, scope: 'application' } },
      openTurns: { used: 1, max: 2, fullestOf: { buckets: 2, scope: 'application' } },
      today: { used: 1, max: 50 },
    });
    const together = new LiveCounter(plan, TargetProfileSchema.parse({ limits: { rate: { scope: 'address' } } }));
    together.add(read(1, { application: 'a1' }));
    together.add(read(1, { application: 'a2' }));
    expect(together.state(us(3), false).minute).toEqual({ used: 2, max: 20 });
  });

  it('does not count two conversations together because two users chose the same name', () => {
    const live = new LiveCounter(plan, TargetProfileSchema.parse({ limits: { rate: { scope: 'conversation' } } }));
    for (const user of ['u1', 'u2']) live.add(read(1, { user, conversation: 'support' }));
    expect(live.state(us(3), false).minute).toEqual({
      used: 1,
      max: 20,
      fullestOf: { buckets: 2, scope: 'conversation' },
    });
  });

  it('warns of an overloaded generator according to its last interval', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    const health = (at: number, members: object) =>
      live.add({ kind: 'health', at: us(at), eventLoopP99Us: us(0.001), gcUs: us(0), backlog: 0, ...members });
    health(1, { eventLoopP99Us: us(0.05), scheduleLagP99Us: us(0.03), cpuUs: us(0.95), backlog: 5_000 });
    expect(live.state(us(1), false).warnings).toEqual([
      "the generator's event loop is 50 ms late",
      'requests leave 30 ms after they are due',
      'the generator takes 95 % of a core',
      '5,000 records wait for the disk',
    ]);
    health(2, { cpuUs: us(0.1) });
    expect(live.state(us(2), false).warnings).toEqual([]);
  });

  it('warns of each worker according to its own last interval, also of the one that did not report last', () => {
    const live = new LiveCounter(plan, sandboxProfile());
    const health = (worker: number, at: number, members: object) =>
      live.add({ kind: 'health', worker, at: us(at), gcUs: us(0), backlog: 0, ...members });
    const [busy, idle] = [{ cpuUs: us(0.95), connectionQueue: 7 }, { cpuUs: us(0.6) }];
    health(1, 1, busy);
    health(2, 1.01, idle);
    expect(live.state(us(1.1), false)).toMatchObject({
      connectionQueue: 7,
      warnings: ['worker 1: the generator takes 95 % of a core'],
    });
    health(2, 1.02, { ...idle, connectionQueue: 9 });
    health(3, 1.03, { ...idle, connectionQueue: 2 });
    expect(live.state(us(1.1), false)).toMatchObject({ connectionQueue: 9 });
    // Late by half a second: its interval has 1.49 s, the one after it 0.5 s.
    health(1, 2, idle);
    health(2, 2.5, idle);
    health(1, 3, idle);
    expect(live.state(us(3), false).warnings).toEqual([]);
    // One that has ended is not warned of for ever.
    health(1, 4, busy);
    for (const at of [4, 5, 6]) health(2, at, idle);
    expect(live.state(us(6), false).warnings).toEqual([]);
    expect(live.state(us(6), false)).not.toHaveProperty('connectionQueue');
  });
});
