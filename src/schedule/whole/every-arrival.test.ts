import { describe, expect, it } from 'vitest';
import type { Clock, Micros, VirtualClock } from '../../base/index.ts';
import { type Recorded, runVirtualScenario } from '../../testing/virtual.ts';
import { MOST_JOURNEYS } from '../run-plan.ts';
import { stopAt } from './small-runs.exam.ts';

/** Every arrival that a record speaks of as sent or dropped, in order; each as often as it is told. */
function arrivalsTold({ exchanges, drops }: Recorded): readonly number[] {
  const sent = new Set(exchanges.map(({ arrival }) => arrival));
  const dropped = drops.flatMap(({ arrival, count = 1 }) => Array.from({ length: count }, (_, k) => arrival + k));
  return [...sent, ...dropped].sort((a, b) => a - b);
}

const whole = (count: number) => Array.from({ length: count }, (_, k) => k);
const ask = [{ createConversation: {} }, { sendMessage: { message: 'Hello' } }, { followTurn: {} }];

describe('every arrival ends in the journal, as an exchange or as a drop', () => {
  const load = { model: 'constant-rate', rate: '10/s', duration: '10s' } as const;
  const journeys = { a: { onRefused: 'continue' as const, steps: ask } };

  it('when the plan is run to its end', async () => {
    const run = await runVirtualScenario({ users: 5, journeys, load });
    expect(arrivalsTold(run)).toEqual(whole(100));
    expect(run.counts).toEqual({ arrivals: 100, drops: 0 });
  });

  it.each([
    ['ends what is open', true],
    ['stops at once', false],
  ])('when the run is interrupted and %s', async (_, gently) => {
    const run = await runVirtualScenario({ users: 5, journeys, load }, stopAt(3_050_000, gently));
    expect(arrivalsTold(run)).toEqual(whole(100));
    expect(run.counts).toEqual({ arrivals: 100, drops: 69 });
    // Those of one second share a line.
    expect(run.drops.map(({ arrival, count, lastArrival }) => [arrival, count, lastArrival])).toEqual([
      [31, 9, 39],
      ...[4, 5, 6, 7, 8, 9].map((second) => [second * 10, 10, second * 10 + 9]),
    ]);
    expect(new Set(run.drops.map(({ reason }) => reason))).toEqual(new Set(['stopped']));
  });

  it('when its warm-up ends within a second that is left over: no line speaks of both', async () => {
    const run = await runVirtualScenario({ users: 5, journeys, load, warmUp: '4250ms' }, stopAt(3_050_000, true));
    expect(run.drops.map(({ arrival, count, lastArrival }) => [arrival, count, lastArrival])).toEqual([
      [31, 9, 39],
      [40, 3, 42],
      [43, 7, 49],
      ...[5, 6, 7, 8, 9].map((second) => [second * 10, 10, second * 10 + 9]),
    ]);
  });

  it('when journeys wait for a cap while the run is stopped at once', async () => {
    const run = await runVirtualScenario(
      {
        caps: { openTurns: 1 },
        journeys: { a: { steps: [{ sendMessage: { message: 'x', conversation: 'c' } }] } },
        load: { model: 'burst', count: 5 },
      },
      { ...stopAt(25_000, false), delayUs: () => [20_000 as Micros, 20_000 as Micros] },
    );
    expect(arrivalsTold(run)).toEqual(whole(5));
    expect(run.counts.arrivals).toBe(5);
    expect(run.journeys.length + run.drops.length).toBe(5);
    expect(run.drops.length).toBeGreaterThan(0);
  });

  it('when users loop: only what they began is an arrival', async () => {
    const run = await runVirtualScenario(
      { users: 3, journeys, load: { model: 'closed-users', users: 3, duration: '1h', think: '1s' } },
      stopAt(60_000_000, true),
    );
    const told = arrivalsTold(run);
    expect(new Set(told).size).toBe(told.length);
    expect(run.counts).toEqual({ arrivals: told.length, drops: 0 });
    expect(run.journeys.map(({ arrival }) => arrival).sort((a, b) => a - b)).toEqual(told);
  });

  it('does not blame a generator that was a little late for what then waited long for the service', async () => {
    // Each timer fires 30 ms late; one connection, and answers take a second: the others wait for it until the run stops.
    const lateBy30 = (clock: VirtualClock): Clock => ({
      now: () => clock.now(),
      sleepUntil: (at, signal) => clock.sleepUntil((at + 30_000) as Micros, signal),
    });
    const run = await runVirtualScenario(
      { caps: { inFlight: 1 }, journeys: { a: { steps: [{ createConversation: {} }] } }, load },
      { ...stopAt(3_050_000, true), generatorClock: lateBy30, delayUs: () => [500_000 as Micros, 500_000 as Micros] },
    );
    const reasons = (from: number, to: number) =>
      new Set(run.drops.filter((drop) => from <= drop.intendedAt && drop.intendedAt < to).map(({ reason }) => reason));
    // The arrival of 3.0 s began at 3.03 s and waited 20 ms.
    expect(reasons(0, 3_000_000)).toEqual(new Set(['stopped']));
    expect(reasons(3_000_000, 3_000_001)).toEqual(new Set(['late']));
    expect(reasons(3_050_000, 10_000_000)).toEqual(new Set(['stopped']));
  });

  it('tells journeys apart in what is left over', async () => {
    const steps = [{ issueToken: {} }];
    const run = await runVirtualScenario(
      { journeys: { a: { steps }, b: { steps } }, load: { model: 'constant-rate', rate: '1000/s', duration: '3s' } },
      stopAt(999_500, true),
    );
    const left = run.drops.map(({ journey, intendedAt, count = 1 }) => ({
      journey,
      second: Math.floor(intendedAt / 1_000_000),
      count,
    }));
    expect(left.map(({ journey, second }) => `${journey}${second}`).sort()).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(left.reduce((sum, { count }) => sum + count, 0)).toBe(2_000);
    expect(run.counts).toEqual({ arrivals: 3_000, drops: 2_000 });
  });

  it('and says of those that were due when the run stopped that the generator was late for them', async () => {
    // A generator that stands still from 1 s on, and is stopped at 2 s.
    const asleep = (clock: VirtualClock): Clock => ({
      now: () => clock.now(),
      sleepUntil: (at, signal) => clock.sleepUntil((at >= 1_000_000 ? 9_000_000 : at) as Micros, signal),
    });
    const run = await runVirtualScenario(
      { journeys: { a: { steps: [{ issueToken: {} }] } }, load },
      { ...stopAt(2_000_000, true), generatorClock: asleep },
    );
    const reasons = run.drops.map(({ reason, count = 1 }) => [reason, count]);
    expect(reasons).toEqual([['late', 10], ...Array.from({ length: 8 }, () => ['stopped', 10])]);
  });

  it('and of none if it was stopped before it began, however late it begins', async () => {
    const lateBy500 = (clock: VirtualClock): Clock => ({
      now: () => (clock.now() + 500_000) as Micros,
      sleepUntil: (at, signal) => clock.sleepUntil((at - 500_000) as Micros, signal),
    });
    const run = await runVirtualScenario(
      { journeys: { a: { steps: [{ issueToken: {} }] } }, load: { model: 'burst', count: 4 } },
      { interrupt: (stopping) => stopping.stop('interrupted', true), generatorClock: lateBy500 },
    );
    expect(run.drops.map(({ reason, count = 1 }) => [reason, count])).toEqual([['stopped', 4]]);
  });

  it('and not of those that were not due yet when it stopped, however long it stands still then', async () => {
    // As where so many journeys are under way that the plan waits for one of them to end.
    const deaf = (clock: VirtualClock): Clock => ({
      now: () => clock.now(),
      sleepUntil: (at, signal) =>
        at >= 1_000_000 ? clock.sleepUntil(8_500_000 as Micros) : clock.sleepUntil(at, signal),
    });
    const run = await runVirtualScenario(
      { journeys: { a: { steps: [{ issueToken: {} }] } }, load },
      { ...stopAt(2_000_000, true), generatorClock: deaf },
    );
    const reasons = run.drops.map(({ reason, count = 1 }) => [reason, count]);
    expect(reasons).toEqual([['late', 10], ...Array.from({ length: 8 }, () => ['stopped', 10])]);
  });

  it('and of a run that was stopped before it began that nothing was late', async () => {
    const run = await runVirtualScenario(
      { journeys: { a: { steps: [{ issueToken: {} }] } }, load },
      { interrupt: (stopping) => stopping.stop('interrupted', true) },
    );
    expect(new Set(run.drops.map(({ reason }) => reason))).toEqual(new Set(['stopped']));
    expect(run.counts).toEqual({ arrivals: 100, drops: 100 });
  });

  it('when it is held by noCatchUp while the run is stopped: it waits no longer', async () => {
    let sleeps = 0;
    // The second arrival comes 12 ms late, so the third is held until 52 ms.
    const lateOnce = (clock: VirtualClock): Clock => ({
      now: () => clock.now(),
      sleepUntil: (at, signal) => {
        if (++sleeps > 100) throw new Error('it never waits long enough');
        return clock.sleepUntil((at === 20_000 ? 32_000 : at) as Micros, signal);
      },
    });
    const run = await runVirtualScenario(
      {
        journeys: { a: { steps: [{ issueToken: {} }] } },
        load: { model: 'constant-rate', rate: '50/s', duration: '80ms', noCatchUp: true },
      },
      { ...stopAt(45_000, false), generatorClock: lateOnce },
    );
    expect(run.drops.map(({ intendedAt, reason }) => [intendedAt, reason])).toEqual([
      [60_000, 'stopped'],
      [40_000, 'stopped'],
    ]);
    expect([run.durationUs, run.counts]).toEqual([45_000, { arrivals: 4, drops: 2 }]);
  });

  it('when more are due at once than are begun at once', async () => {
    const count = MOST_JOURNEYS + 2;
    const run = await runVirtualScenario({
      journeys: { a: { steps: [{ pause: '1s' }] } },
      load: { model: 'burst', count },
    });
    expect(run.counts).toEqual({ arrivals: count, drops: 0 });
    // A generator that has started so many serves its sockets for a moment before it starts more.
    const late = run.journeys.filter(({ startedAt }) => startedAt > 0);
    expect(late.map(({ arrival, startedAt }) => [arrival, startedAt])).toEqual([
      [MOST_JOURNEYS, 1_000_001],
      [MOST_JOURNEYS + 1, 1_000_001],
    ]);
  });
});
