import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { courseOf, type Stretch } from './course.ts';

const SECOND = 1e6;

describe('a clock that is set', () => {
  const set = (byUs: number) =>
    courseOf([
      { from: 0, serviceUs: 100 * SECOND, speed: 1 },
      { from: 10 * SECOND, serviceUs: 110 * SECOND + byUs, speed: 1 },
    ]);

  it('forward leaves out what lies between', () => {
    const { at, wallAt, runAt } = set(5 * SECOND);
    expect([at(9 * SECOND), at(10 * SECOND)]).toEqual([109 * SECOND, 115 * SECOND]);
    expect(wallAt(10 * SECOND)).toBe(115 * SECOND);
    expect(runAt(112 * SECOND)).toBe(10 * SECOND);
  });

  it('back stands until that is made up for, though the wall shows it', () => {
    const { at, wallAt, runAt } = set(-5 * SECOND);
    expect([at(10 * SECOND), at(14 * SECOND), at(16 * SECOND)]).toEqual([110 * SECOND, 110 * SECOND, 111 * SECOND]);
    expect(wallAt(10 * SECOND)).toBe(105 * SECOND);
    expect([runAt(110 * SECOND), runAt(111 * SECOND)]).toEqual([10 * SECOND, 16 * SECOND]);
  });

  it('never goes back, and shows nothing before the first run time at which it does', () => {
    const stretch = fc.record({
      from: fc.nat(50),
      serviceUs: fc.integer({ min: -50, max: 200 }),
      speed: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(stretch, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: -50, max: 400 }),
        (drawn, serviceUs) => {
          const stretches = drawn.toSorted((a, b) => a.from - b.from) as unknown as readonly [Stretch, ...Stretch[]];
          const { at, runAt } = courseOf(stretches);
          const seen = Array.from({ length: 100 }, (_, t) => at(t));
          expect(seen).toEqual(seen.toSorted((a, b) => a - b));
          const t = runAt(serviceUs);
          expect(at(t)).toBeGreaterThanOrEqual(serviceUs - 1e-9);
          expect(at(t - 0.001)).toBeLessThan(serviceUs + 1e-9);
        },
      ),
    );
  });
});
