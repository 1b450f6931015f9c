import { describe, expect, it } from 'vitest';
import type { ClockRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { ServiceClock } from './service-clock.ts';

const record = (at: number, serviceUs: number, rate = 1, plusMinusUs = 0): ClockRecord => ({
  kind: 'clock',
  at: us(at),
  serviceUs: us(serviceUs),
  plusMinusUs: us(plusMinusUs),
  rate,
});

describe('ServiceClock', () => {
  it('follows the last record at or before an instant; before all of them, the first one', () => {
    const clock = new ServiceClock();
    for (const one of [record(100, 5_000, 60), record(200, 20_000, 1)]) clock.add(one);
    expect([99, 100, 101, 199, 200, 205].map((at) => clock.at(us(at), 0))).toEqual([
      4_940, 5_000, 5_060, 10_940, 20_000, 20_005,
    ]);
  });

  it('runs as fast as its records say, however far apart two of them are', () => {
    const clock = new ServiceClock();
    expect(clock.rate).toBe(1);
    // Two Date headers, 54 ms apart, on both sides of a whole second.
    for (const one of [record(12_511, 1_000_000), record(66_893, 2_000_000)]) clock.add(one);
    expect(clock.rate).toBe(1);
    clock.add(record(0, 500_000, 60));
    expect(clock.rate).toBe(60);
  });

  it('follows Date headers that agree, and of those that contradict one another the first alone, however small the steps', () => {
    const second = 1_000_000;
    const dated = (times: readonly (readonly [at: number, serviceUs: number])[]) => {
      const [inOrder, reversed] = [new ServiceClock(), new ServiceClock()];
      const records = times.map(([at, serviceUs]) => record(at * second, serviceUs * second, 1, 1.1 * second));
      for (const one of records) inOrder.add(one);
      for (const one of records.toReversed()) reversed.add(one);
      return (at: number) => {
        const told = inOrder.at(us(at * second), 0);
        expect(reversed.at(us(at * second), 0)).toBe(told);
        return told / second;
      };
    };
    const even = dated([
      [0, 100],
      [30, 131],
      [60, 160],
    ]);
    expect([even(10), even(40), even(70)]).toEqual([110, 141, 170]);
    const standing = dated([
      [0, 100],
      [1, 100],
      [2, 100],
      [3, 100],
      [4, 100],
    ]);
    expect([standing(1), standing(4), standing(9)]).toEqual([101, 104, 109]);
    const ofTwoServers = dated([
      [0, 100],
      [30, 140],
      [60, 160],
    ]);
    expect([ofTwoServers(31), ofTwoServers(61)]).toEqual([131, 161]);
  });

  it('is the generator’s clock if nothing is recorded', () => {
    const clock = new ServiceClock();
    expect(clock.recorded).toBe(false);
    expect(clock.at(us(7), 1_000)).toBe(1_007);
  });

  it('accepts records in any order, and of two at one instant uses the more certain', () => {
    const records = [record(200, 900, 1, 50), record(0, 100), record(200, 950, 1, 10), record(200, 940, 1, 10)];
    const forward = new ServiceClock();
    const backward = new ServiceClock();
    for (const one of records) forward.add(one);
    for (const one of [...records].reverse()) backward.add(one);
    expect(forward.at(us(200), 0)).toBe(950);
    expect(backward.at(us(200), 0)).toBe(950);
    expect(forward.at(us(10), 0)).toBe(110);
  });
});
