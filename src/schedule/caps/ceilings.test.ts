import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock, Micros, VirtualClock } from '../../base/index.ts';
import type { Arrival } from '../../plan/index.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { Ceilings, type Passage } from './ceilings.ts';

const arrivalAt = (intendedAt: number, ceiling?: number): Arrival => ({
  index: 0,
  intendedAt: intendedAt as Micros,
  phase: 'load',
  journey: 'a',
  user: 0,
  ...(ceiling === undefined ? {} : { ceiling }),
});

interface Started {
  readonly at: number;
  readonly intendedAt: number;
  /** Planned distance to the group before. */
  readonly gap: number;
  readonly group: number;
}

/** What starts, and when, where arrivals come and those that are held wake as late as the generator is. */
function playCeiling(gaps: readonly number[], lateness: () => number): Started[] {
  const ceilings = new Ceilings();
  const started: Started[] = [];
  const held: {
    readonly wakesAt: number;
    readonly again: (now: Micros) => Passage;
    readonly of: Omit<Started, 'at'>;
  }[] = [];
  const take = (passage: Passage, of: Omit<Started, 'at'>, now: number) => {
    if (passage.kind === 'start') started.push({ ...of, at: now });
    if (passage.kind === 'held') held.push({ wakesAt: passage.at + lateness(), again: passage.again, of });
  };
  let now = 0;
  const wakeUntil = (time: number) => {
    for (;;) {
      held.sort((a, b) => a.wakesAt - b.wakesAt);
      const first = held[0];
      if (!first || first.wakesAt > time) return;
      held.shift();
      now = Math.max(now, first.wakesAt);
      take(first.again(now as Micros), first.of, now);
    }
  };
  let intendedAt = 0;
  let group = 0;
  let distance = 0;
  for (const gap of gaps) {
    intendedAt += gap;
    if (gap > 0) {
      group += 1;
      distance = gap;
    }
    const comesAt = Math.max(now, intendedAt + lateness());
    wakeUntil(comesAt);
    now = Math.max(now, comesAt);
    const of = { intendedAt, gap: distance, group };
    take(ceilings.passageOf(arrivalAt(intendedAt, 0), now as Micros), of, now);
  }
  wakeUntil(Number.POSITIVE_INFINITY);
  return started;
}

const heldAt = (ceilings: Ceilings, intendedAt: number, now: number) => {
  const passage = ceilings.passageOf(arrivalAt(intendedAt, 0), now as Micros);
  if (passage.kind !== 'held') throw new Error(`is not held but to ${passage.kind}`);
  return passage;
};

describe('a rate that is a ceiling', () => {
  it('keeps arrivals in order, never closer together than half of what is planned, and drops what is to start 20 ms late or more', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 60 });
    const lates = fc.infiniteStream(fc.oneof({ weight: 5, arbitrary: fc.nat(300) }, fc.nat(60_000)));
    fc.assert(
      fc.property(gaps, lates, (planned, lateness) => {
        const started = playCeiling(planned, () => lateness.next().value ?? 0);
        for (const [k, { at, gap, intendedAt, group }] of started.entries()) {
          const last = started[k - 1];
          // Against the one started before: at least half of the planned distance, less what dropped ones in between gave up.
          if (last && last.group !== group) expect(at - last.at).toBeGreaterThanOrEqual(gap / 2);
          if (last?.group !== group) expect(at - intendedAt).toBeLessThan(40_000);
          expect(group).toBeGreaterThanOrEqual(last?.group ?? 0);
        }
      }),
    );
  });

  it('never starts more than planned from any start on, and does not add up what timers are late by', () => {
    // Every timer wakes late, by 0 to 600 µs: a hundred a second.
    const gaps = Array.from({ length: 3_000 }, () => 10_000);
    let k = 0;
    const started = playCeiling(gaps, () => (k++ * 131) % 600);
    expect(started).toHaveLength(3_000);
    expect(Math.max(...started.map(({ at, intendedAt }) => at - intendedAt))).toBeLessThan(1_300);
    const spans = started.slice(100).map(({ at }, i) => at - (started[i]?.at ?? 0));
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(100 * 10_000 - 1_000);
  });

  it('keeps what is planned for the same instant together', () => {
    const ceilings = new Ceilings();
    const passages = [0, 0, 0].map((at, k) => ceilings.passageOf(arrivalAt(at, 0), (at + k * 15_000) as Micros));
    expect(passages).toEqual([0, 1, 2].map(() => ({ kind: 'start' })));
  });

  it('drops one of an instant that wakes after those of a later instant have started', () => {
    const ceilings = new Ceilings();
    ceilings.passageOf(arrivalAt(0, 0), 15_000 as Micros);
    const [first, twin] = [heldAt(ceilings, 10_000, 15_000), heldAt(ceilings, 10_000, 15_000)];
    const later = heldAt(ceilings, 20_000, 20_000);
    expect([first.again(25_000 as Micros), later.again(36_000 as Micros), twin.again(36_500 as Micros)]).toEqual([
      { kind: 'start' },
      { kind: 'start' },
      { kind: 'late' },
    ]);
  });

  it('lets nobody pass one that still sleeps, though those between them were too late', () => {
    const ceilings = new Ceilings();
    ceilings.passageOf(arrivalAt(0, 0), 15_000 as Micros);
    const sleeping = heldAt(ceilings, 10_000, 15_000);
    expect(ceilings.passageOf(arrivalAt(12_000, 0), 33_000 as Micros)).toEqual({ kind: 'late' });
    const last = heldAt(ceilings, 30_000, 33_000);
    expect([sleeping.at, last.at]).toEqual([25_000, 43_000]);
    expect(sleeping.again(36_000 as Micros)).toEqual({ kind: 'start' });
    expect(last.again(45_000 as Micros)).toEqual({ kind: 'start' });
  });

  it('is asked of its own load model only', () => {
    const ceilings = new Ceilings();
    ceilings.passageOf(arrivalAt(0, 0), 0 as Micros);
    expect(ceilings.passageOf(arrivalAt(10_000, 1), 10_005 as Micros)).toEqual({ kind: 'start' });
    expect(ceilings.passageOf(arrivalAt(11_000), 99_000 as Micros)).toEqual({ kind: 'start' });
  });
});

/** A generator that does nothing between two instants: whoever is to wake then wakes at the end of it. */
const stalled =
  (fromUs: number, toUs: number) =>
  (clock: VirtualClock): Clock => ({
    now: () => clock.now(),
    sleepUntil: (at, signal) => clock.sleepUntil((at >= fromUs && at < toUs ? toUs : at) as Micros, signal),
  });

describe('what is held and then dropped because a cap is full', () => {
  it('keeps nobody behind it waiting, and nobody keeps a distance to it', () => {
    const ceilings = new Ceilings();
    expect(ceilings.passageOf(arrivalAt(0, 0), 15_000 as Micros)).toEqual({ kind: 'start' });
    const [first, second] = [heldAt(ceilings, 10_000, 15_000), heldAt(ceilings, 20_000, 20_000)];
    expect([first.at, second.at]).toEqual([25_000, 35_000]);
    // Both wake late.
    first.leave();
    expect(second.again(38_000 as Micros)).toEqual({ kind: 'start' });
  });

  it('holds nobody of the same instant back who finds room', () => {
    const ceilings = new Ceilings();
    ceilings.passageOf(arrivalAt(0, 0), 15_000 as Micros);
    const [first, twin] = [heldAt(ceilings, 10_000, 15_000), heldAt(ceilings, 10_000, 15_000)];
    first.leave();
    expect(twin.again(25_000 as Micros)).toEqual({ kind: 'start' });
    first.leave();
    expect(heldAt(ceilings, 20_000, 25_000).at).toBe(35_000);
  });
});

type Steps = Parameters<typeof runVirtualScenario>[0]['journeys']['a']['steps'];

describe('after a stall of the generator', () => {
  const stalledRun = (noCatchUp: boolean, late = 1_000_000, more: Steps = []) =>
    runVirtualScenario(
      {
        journeys: { a: { steps: [{ issueToken: {} }, ...more] } },
        load: { model: 'constant-rate', rate: '50/s', duration: '3s', noCatchUp },
      },
      { generatorClock: stalled(1_000_000, 1_000_000 + late) },
    );

  it('an open model sends what it owes at once, and tells how late it was', async () => {
    const { exchanges, drops, counts } = await stalledRun(false);
    expect([exchanges.length, drops.length, counts]).toEqual([150, 0, { arrivals: 150, drops: 0 }]);
    const inStall = exchanges.filter(({ intendedAt }) => intendedAt >= 1_000_000 && intendedAt < 2_000_000);
    expect(inStall.map(({ sentAt }) => sentAt)).toEqual(inStall.map(() => 2_000_000));
    expect(inStall[0]?.receivedAt).toBe(2_020_000);
  });

  it('one whose rate is a ceiling drops what it is late for, and goes on at its times', async () => {
    const { exchanges, drops, counts } = await stalledRun(true);
    expect(drops.map(({ reason, arrival }) => [reason, arrival])).toEqual(
      Array.from({ length: 50 }, (_, k) => ['late', 50 + k]),
    );
    expect([exchanges.length, counts]).toEqual([100, { arrivals: 150, drops: 50 }]);
    expect(exchanges.every(({ sentAt, intendedAt }) => sentAt === intendedAt)).toBe(true);
    const sent = exchanges.map(({ sentAt }) => sentAt);
    expect(Math.min(...sent.slice(1).map((at, k) => at - (sent[k] ?? 0)))).toBe(20_000);
  });

  it('one that comes while others are held by an earlier one lets none of them start in a burst', async () => {
    // 20 ms are in order; the second stall finds one of a short one held.
    const { exchanges, drops } = await runVirtualScenario(
      {
        journeys: { a: { steps: [{ issueToken: {} }] } },
        load: { model: 'constant-rate', rate: '800/s', duration: '2s', noCatchUp: true },
      },
      { generatorClock: (clock) => stalled(800_000, 1_300_000)(stalled(500_000, 514_000)(clock) as VirtualClock) },
    );
    const sent = exchanges.map(({ sentAt }) => sentAt).sort((a, b) => a - b);
    expect(Math.min(...sent.slice(1).map((at, k) => at - (sent[k] ?? 0)))).toBeGreaterThanOrEqual(625);
    // Of any tenth of a second none has more than its 80, but for what a late timer adds at its ends.
    const most = Math.max(...sent.map((from) => sent.filter((at) => at >= from && at < from + 100_000).length));
    expect(most).toBeLessThanOrEqual(82);
    expect(drops.every(({ reason }) => reason === 'late')).toBe(true);
    expect(exchanges.length + drops.length).toBe(1_600);
  });

  it('a short one shifts what follows by as much, and the shift is told as waiting', async () => {
    const { exchanges, drops } = await stalledRun(true, 15_000);
    expect(drops).toEqual([]);
    const shifted = exchanges.filter(({ intendedAt }) => intendedAt >= 1_000_000);
    expect(new Set(shifted.map(({ sentAt, intendedAt }) => sentAt - intendedAt))).toEqual(new Set([15_000]));
    // The first one waited for the generator, which is its fault; the others for the ceiling.
    expect(shifted.map(({ capWaitUs }) => capWaitUs?.pace)).toEqual([undefined, ...shifted.slice(1).map(() => 15_000)]);
  });

  it('the shift is told as waiting of what is intended at the arrival, and of nothing later', async () => {
    const { exchanges } = await stalledRun(true, 15_000, [{ pause: '1ms' }, { issueToken: {} }]);
    const waits = exchanges.flatMap(({ step, capWaitUs }) =>
      capWaitUs?.pace === undefined ? [] : [[step, capWaitUs.pace]],
    );
    expect(waits).toEqual(waits.map(() => [0, 15_000]));
    expect(waits.length).toBeGreaterThan(50);
  });
});
