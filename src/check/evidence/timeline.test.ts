import { describe, expect, it } from 'vitest';
import { type Micros, seededRandom } from '../../base/index.ts';
import type { ClockRecord } from '../../history/index.ts';
import { timelineOf } from './timeline.ts';

const clock = (at: number, serviceUs: number, plusMinusUs: number, rate = 1): ClockRecord => ({
  kind: 'clock',
  at: at as Micros,
  serviceUs: serviceUs as Micros,
  plusMinusUs: plusMinusUs as Micros,
  rate,
});
const evenly = (records: readonly ClockRecord[], driftPpm: number) =>
  timelineOf(records, { driftPpm, mayLackRecords: false });
const NOON = 1_795_262_400_000_000;
const SECOND = 1_000_000;

describe('service time', () => {
  it('without any record is run time, and says nothing of the hour', () => {
    const timeline = evenly([], 500);
    expect(timeline.at(7)).toBe(7);
    expect(timeline.phaseUncertaintyUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts from run time 0, at the rate of the service', () => {
    const timeline = evenly([clock(500, NOON, 900, 60)], 0);
    expect(timeline.at(500)).toBe(30_000);
    expect(timeline.at(1_500) - timeline.at(500)).toBe(60_000);
    expect(timeline.originUs).toBe(NOON - 30_000);
    expect(timeline.phaseUncertaintyUs).toBe(900.5);
    expect(timeline.stepUs).toBe(0);
  });

  it('of a remote service is what all Date headers together allow, and never jumps between them', () => {
    const records = [
      clock(10_000_000, NOON + 10_400_000, 1_000_000),
      clock(40_000_000, NOON + 39_900_000, 1_000_000),
      clock(70_000_000, NOON + 70_700_000, 1_000_000),
    ];
    const timeline = evenly(records, 0);
    // Offsets allowed: [-0.6, 1.4], [-1.1, 0.9] and [-0.3, 1.7] s.
    expect(timeline.originUs).toBe(NOON + 300_000);
    expect(timeline.phaseUncertaintyUs).toBe(600_000.5);
    expect(timeline.at(70_000_000) - timeline.at(10_000_000)).toBe(60_000_000);
    expect(timeline.stepUs).toBe(0);
  });

  it('grants drift to what records far apart say', () => {
    const records = [clock(0, NOON, 100), clock(1_000_000_000, NOON + 1_000_000_400, 100)];
    expect(evenly(records, 1).stepUs).toBe(0);
    expect(evenly(records, 0).stepUs).toBeGreaterThan(0);
  });

  it('is as unsure at the start as a clock can have drifted until it was first seen', () => {
    const hour = 3_600 * SECOND;
    const { originUs, phaseUncertaintyUs } = evenly([clock(6 * hour, NOON + 6 * hour, SECOND)], 500);
    expect(originUs).toBe(NOON);
    // 500 of a million of six hours, beside the second that the record itself may be off.
    expect(phaseUncertaintyUs).toBe(10.8 * SECOND + SECOND + 0.5);
  });

  it('that contradicts itself makes every length unsure by as much', () => {
    const records = [clock(0, NOON, 1_000_000), clock(30_000_000, NOON + 35_000_000, 1_000_000)];
    const timeline = evenly(records, 0);
    expect(timeline.stepUs).toBe(7_000_000);
    expect(timeline.phaseUncertaintyUs).toBe(3_500_000.5);
  });

  it('may have been set where its seconds agree only if one was written late, by as much as they are apart', () => {
    // Middles of seconds, of which none is off by more than a half: [-0.1, 0.9] and [1.54, 2.54].
    const records = [0.4, 2.04, 0.4].map((ahead, k) => clock(k * SECOND, NOON + (k + ahead) * SECOND, SECOND));
    const timeline = evenly(records, 0);
    expect(timeline.stepUs).toBe(2.64 * SECOND);
    // What second it is at the service is told by all three together as before.
    expect(timeline.phaseUncertaintyUs).toBe(0.18 * SECOND + 0.5);
    expect(evenly(records.slice(0, 1), 0).stepUs).toBe(0);
  });

  it('of which a record may be missing says nothing of any length', () => {
    const timeline = timelineOf([clock(0, NOON, 0, 20)], { driftPpm: 0, mayLackRecords: true });
    expect(timeline.stepUs).toBeGreaterThan(1e14);
    expect(timeline.phaseUncertaintyUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('is no surer of itself for agreeing with one of two that contradict one another', () => {
    const records = [0, 5, 0, 0].map((ahead, k) => clock(k * SECOND, NOON + (k + ahead) * SECOND, SECOND));
    const timeline = evenly(records, 0);
    expect([timeline.stepUs, timeline.phaseUncertaintyUs]).toEqual([7 * SECOND, 3.5 * SECOND + 0.5]);
  });

  it('jumps where an exact clock was set forward by hand, and only there', () => {
    const timeline = evenly([clock(0, NOON, 0), clock(1_000, NOON + 86_400_000_000, 0)], 0);
    expect(timeline.at(999)).toBe(999);
    expect(timeline.at(1_000)).toBe(86_400_000_000);
    expect(timeline.at(1_500)).toBe(86_400_000_500);
  });

  it('never runs backwards, even where the clock was set back', () => {
    const timeline = evenly([clock(0, NOON, 0), clock(1_000, NOON - 500, 0), clock(2_000, NOON + 900, 0, 2)], 0);
    const instants = [0, 500, 999, 1_000, 1_500, 1_999, 2_000, 2_500].map(timeline.at);
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
    expect(timeline.stepUs).toBeGreaterThanOrEqual(1_500);
  });
});

describe('of clock records drawn at random', () => {
  it('the mapping is what it was', async () => {
    const line = (seed: number) => {
      const random = seededRandom(seed, 'clock records');
      const among = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
      const records = Array.from({ length: 1 + random.integer(5) }, () => {
        const at = random.integer(8) * SECOND;
        const off = among([0, 0, 0, 1, -1, 50_000, -50_000, SECOND, -SECOND, 40 * SECOND]);
        return clock(
          at,
          NOON + at + off,
          among([0, 1, 1_000, 99_999, 100_000, SECOND, -1]),
          among([1, 1, 1, 1, 2, 0.5, 0]),
        );
      });
      const { at, originUs, phaseUncertaintyUs, stepUs } = evenly(records, among([0, 500, 100_000]));
      const seen = [0, 1, 2.5, 4, 7, 20].map((second) => Number(at(second * SECOND).toFixed(3)));
      return `${seed}: ${seen.join(' ')}; ${originUs} ± ${phaseUncertaintyUs}, ${stepUs}`;
    };
    const lines = Array.from({ length: 150 }, (_, seed) => line(seed));
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../drawn/timelines.golden');
  });
});
