import { describe, expect, it } from 'vitest';
import { type Micros, microsFromSeconds } from '../../base/index.ts';
import { dayCounter, decide, fixedWindow, semaphore } from './index.ts';
import { examine } from './limiter.exam.ts';

const minute = microsFromSeconds(60);
const utc = (text: string) => (Date.parse(text) * 1_000) as Micros;

examine({
  name: 'fixed window',
  make: (max) => fixedWindow({ max, windowUs: minute }),
  freeAt: (now) => (now - (now % minute) + minute) as Micros,
});
examine({
  name: 'day counter',
  make: (max) => dayCounter({ max }),
  freeAt: (now) => (new Date(now / 1_000).setUTCHours(24, 0, 0, 0) * 1_000) as Micros,
});
examine({ name: 'semaphore', make: (max) => semaphore({ max }), freeAt: (now) => (now + 7_000_000) as Micros });

describe('fixed window', () => {
  it('is aligned to the minute of the clock: N before and N after the boundary are all admitted', () => {
    const limiter = fixedWindow({ max: 20, windowUs: minute });
    const boundary = utc('2026-11-21T12:01:00Z');
    const admitted = (now: number) =>
      Array.from({ length: 21 }, () => decide(limiter, 'a', now as Micros, now as Micros).admitted);
    expect(admitted(boundary - 1).filter(Boolean)).toHaveLength(20);
    expect(admitted(boundary).filter(Boolean)).toHaveLength(20);
  });
});

describe('day counter', () => {
  it('turns at midnight in UTC, also on the day on which clocks change elsewhere', () => {
    const limiter = dayCounter({ max: 1 });
    const lastOfDay = (utc('2026-10-26T00:00:00Z') - 1) as Micros;
    decide(limiter, 'a', utc('2026-10-25T00:00:00Z'), lastOfDay);
    expect(limiter.peek('a', lastOfDay)).toEqual({ admitted: false, retryAtUs: utc('2026-10-26T00:00:00Z') });
    expect(limiter.peek('a', utc('2026-10-26T00:00:00Z')).admitted).toBe(true);
  });
});

describe('semaphore', () => {
  it('frees each unit at its own instant and names the earliest', () => {
    const limiter = semaphore({ max: 2 });
    const at = (seconds: number) => microsFromSeconds(1_000 + seconds);
    expect(decide(limiter, 'a', at(0), at(9))).toEqual({ admitted: true, remaining: 1 });
    expect(decide(limiter, 'a', at(1), at(4))).toEqual({ admitted: true, remaining: 0, resetAtUs: at(9) });
    expect(decide(limiter, 'a', at(2), at(5))).toEqual({ admitted: false, retryAtUs: at(4) });
    expect(decide(limiter, 'a', at(4), at(6))).toEqual({ admitted: true, remaining: 0, resetAtUs: at(9) });
    expect(decide(limiter, 'a', at(5), at(7))).toEqual({ admitted: false, retryAtUs: at(6) });
  });
});
