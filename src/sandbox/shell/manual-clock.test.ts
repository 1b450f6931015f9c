import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { manualClock } from './manual-clock.ts';

const at = (us: number) => us as Micros;

describe('a manual clock', () => {
  it('does not advance until it is moved, and never goes back', () => {
    const clock = manualClock(at(100));
    expect([clock.now(), clock.now(), clock.mapping.serviceUs, clock.mapping.rate]).toEqual([100, 100, 100, 0]);
    clock.moveTo(at(100));
    clock.moveTo(at(250));
    expect([clock.now(), clock.mapping.serviceUs]).toEqual([250, 250]);
    expect(() => clock.moveTo(at(249))).toThrow('cannot go backwards');
    expect(clock.now()).toBe(250);
  });

  it('stops at every instant that somebody waits for, in their order, also at those that are asked for on the way', () => {
    const clock = manualClock(at(0));
    const seen: [string, number][] = [];
    const wait = (name: string, us: number) => clock.whenShows(at(us), () => seen.push([name, clock.now()]));
    wait('late', 90);
    wait('b', 30);
    wait('c', 30);
    clock.whenShows(at(10), () => {
      seen.push(['a', clock.now()]);
      wait('on the way', 20);
      wait('now', 10);
      wait('beyond', 51);
    });
    const giveUp = wait('given up', 40);
    giveUp();
    clock.moveTo(at(50));
    expect(seen).toEqual([
      ['a', 10],
      ['now', 10],
      ['on the way', 20],
      ['b', 30],
      ['c', 30],
    ]);
    clock.moveTo(at(90));
    expect(seen.slice(5)).toEqual([
      ['beyond', 51],
      ['late', 90],
    ]);
  });

  it('runs everything that is due before it returns', () => {
    const clock = manualClock(at(7));
    let acted = 0;
    clock.whenShows(at(7), () => acted++);
    expect(acted).toBe(1);
    clock.moveTo(at(8));
    expect(acted).toBe(1);
  });
});
