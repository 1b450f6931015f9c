import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Clock, type Micros, VirtualClock } from '../base/index.ts';
import { followByPolling, type PollingEnd, type PollingOptions, type PollSeen } from './follow-by-polling.ts';

const us = (value: number) => value as Micros;
const SECOND = 1_000_000;

interface Poll {
  readonly intendedAt: number;
  readonly wentAt: number;
}

/** Follows in virtual time; each poll takes as long as `takes` says, and the clock wakes whoever waits for poll k by `wakes` late. */
async function follow(
  over: Partial<PollingOptions>,
  sees: (k: number) => PollSeen,
  takes: (k: number) => number = () => 0,
  wakes: (k: number) => number = () => 0,
) {
  const clock = new VirtualClock();
  const polls: Poll[] = [];
  const late: Clock = {
    now: () => clock.now(),
    sleepUntil: (at, signal) => clock.sleepUntil(us(at + wakes(polls.length)), signal),
  };
  const following = () =>
    new Promise<PollingEnd>((ended, failed) =>
      followByPolling({
        clock: late,
        startAt: us(0),
        intervalUs: us(SECOND),
        backoff: 1,
        maxIntervalUs: us(30 * SECOND),
        deadlineAt: us(60 * SECOND),
        signal: new AbortController().signal,
        poll: (intendedAt, listener) => {
          const k = polls.push({ intendedAt, wentAt: clock.now() }) - 1;
          void clock.sleepUntil(us(clock.now() + takes(k))).then(() => listener.seen(sees(k)), failed);
        },
        ended,
        failed,
        ...over,
      }),
    );
  const ended = await clock.run(following);
  return {
    end: { ended, at: clock.now(), polls: polls.length },
    polls,
    intended: polls.map((poll) => poll.intendedAt / SECOND),
    went: polls.map((poll) => poll.wentAt / SECOND),
  };
}
const completedAt =
  (last: number) =>
  (k: number): PollSeen => ({ state: k < last ? 'open' : 'completed' });

describe('following by polling', () => {
  it('polls at the planned times until the turn is completed or failed', async () => {
    const { end, intended } = await follow({ startAt: us(SECOND / 2) }, completedAt(3), () => 300_000);
    expect(intended).toEqual([0.5, 1.5, 2.5, 3.5]);
    expect(end).toEqual({ ended: 'completed', at: 3_800_000, polls: 4 });
    expect((await follow({}, () => ({ state: 'failed' }))).end).toEqual({ ended: 'failed', at: 0, polls: 1 });
  });

  it('backs off up to the largest interval', async () => {
    expect((await follow({ backoff: 2, maxIntervalUs: us(5 * SECOND) }, completedAt(5))).intended).toEqual([
      0, 1, 3, 7, 12, 17,
    ]);
    expect((await follow({ maxIntervalUs: us(SECOND / 2) }, completedAt(2))).intended).toEqual([0, 0.5, 1]);
  });

  it('after a poll slower than the interval the next goes at once, keeps its intended time, and no burst follows', async () => {
    const { intended, went } = await follow({}, completedAt(4), (k) => (k === 1 ? 5.5 * SECOND : 0));
    expect(intended).toEqual([0, 1, 2, 7.5, 8.5]);
    expect(went).toEqual([0, 1, 6.5, 7.5, 8.5]);
  });

  it('keeps to its plan though the clock wakes late, so that a late generator asks no less often', async () => {
    const { intended, went } = await follow({}, completedAt(4), undefined, () => 250_000);
    expect(intended).toEqual([0, 1, 2, 3, 4]);
    expect(went).toEqual([0, 1.25, 2.25, 3.25, 4.25]);
  });

  it('after a standstill of the generator it goes on from there: one poll is late, and no burst follows', async () => {
    const stall = (k: number) => (k === 1 ? 3.5 * SECOND : 0);
    const { intended, went } = await follow({}, completedAt(3), undefined, stall);
    expect(intended).toEqual([0, 1, 5.5, 6.5]);
    expect(went).toEqual([0, 4.5, 5.5, 6.5]);
    const first = await follow({ startAt: us(SECOND) }, completedAt(2), undefined, (k) => (k === 0 ? 1.5 * SECOND : 0));
    expect(first.intended).toEqual([1, 3.5, 4.5]);
  });

  it('makes the poll that was due before the deadline also where the generator stood still beyond it, and no other', async () => {
    const stall = (k: number) => (k === 2 ? 1.5 * SECOND : 0);
    const until = { deadlineAt: us(2.5 * SECOND) };
    const seen = await follow(until, completedAt(2), undefined, stall);
    expect(seen.went).toEqual([0, 1, 3.5]);
    expect(seen.end.ended).toBe('completed');
    expect((await follow(until, completedAt(9), undefined, stall)).end).toEqual({
      ...{ ended: 'deadline', at: 3.5 * SECOND, polls: 3 },
    });
    // Where the poll before took so long, it is the service that was late.
    expect((await follow(until, completedAt(2), (k) => (k === 1 ? 1.8 * SECOND : 0))).end).toEqual({
      ...{ ended: 'deadline', at: 2.8 * SECOND, polls: 2 },
    });
  });

  it('ends at the deadline without another poll', async () => {
    const { end, intended } = await follow({ deadlineAt: us(2.5 * SECOND) }, () => ({ state: 'open' }));
    expect(intended).toEqual([0, 1, 2]);
    expect(end).toEqual({ ended: 'deadline', at: 2.5 * SECOND, polls: 3 });
    expect((await follow({ deadlineAt: us(SECOND) }, () => ({ state: 'open' }))).intended).toEqual([0]);
    expect((await follow({ startAt: us(9), deadlineAt: us(9) }, () => ({ state: 'open' }))).end).toEqual({
      ended: 'deadline',
      at: 9,
      polls: 0,
    });
  });

  it('after a refused poll it continues at the next planned time, or gives up', async () => {
    const refusedOnce =
      (verdict: 'continue' | 'stop') =>
      (k: number): PollSeen =>
        k === 0 ? { state: 'unknown', verdict } : { state: 'completed' };
    expect((await follow({}, refusedOnce('continue'))).intended).toEqual([0, 1]);
    expect((await follow({}, refusedOnce('stop'))).end).toEqual({ ended: 'given-up', at: 0, polls: 1 });
  });

  it('stops with the signal, while waiting and after a poll; a turn that completed meanwhile stays completed', async () => {
    const stopping = new AbortController();
    const stopAt =
      (last: number, state: 'open' | 'completed') =>
      (k: number): PollSeen => {
        if (k === last) stopping.abort();
        return { state };
      };
    expect((await follow({ signal: stopping.signal }, stopAt(0, 'open'))).end.ended).toBe('stopped');
    expect((await follow({ signal: stopping.signal }, () => ({ state: 'open' }))).end).toEqual({
      ended: 'stopped',
      at: 0,
      polls: 0,
    });
    const other = new AbortController();
    const completes = (): PollSeen => {
      other.abort();
      return { state: 'completed' };
    };
    expect((await follow({ signal: other.signal }, completes)).end.ended).toBe('completed');
  });

  it('never polls before the intended time, never more than once late in a row of punctual polls, never in a burst', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 * SECOND }), { minLength: 1, maxLength: 15 }),
        fc.integer({ min: 1, max: 3 }),
        async (durations, backoff) => {
          const { polls } = await follow(
            { backoff, maxIntervalUs: us(4 * SECOND), deadlineAt: us(1_000 * SECOND) },
            completedAt(durations.length),
            (k) => durations[k] ?? 0,
          );
          polls.forEach((poll, k) => {
            expect(poll.wentAt).toBeGreaterThanOrEqual(poll.intendedAt);
            const before = polls[k - 1];
            if (!before) return;
            const interval = Math.min(SECOND * backoff ** (k - 1), 4 * SECOND);
            expect(poll.intendedAt).toBe(before.wentAt + interval);
            expect(poll.wentAt).toBe(Math.max(poll.intendedAt, before.wentAt + (durations[k - 1] ?? 0)));
          });
        },
      ),
      { numRuns: 50 },
    );
  });
});
