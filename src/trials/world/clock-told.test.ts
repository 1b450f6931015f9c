import { describe, expect, it } from 'vitest';
import { exchange, us } from '../../testing/history/sample-records.ts';
import type { ServiceClock } from './clock.ts';
import { unseenUs } from './clock-told.ts';
import { courseOf } from './course.ts';
import { datesOf } from './dates.ts';

const SECOND = 1_000_000;
const BEGIN_US = Date.UTC(2026, 0, 1) * 1_000;

/** A clock that is set at the tenth second of the run. */
function setBy(byUs: number) {
  const course = courseOf([
    { from: 0, serviceUs: BEGIN_US, speed: 1 },
    { from: 10 * SECOND, serviceUs: BEGIN_US + 10 * SECOND + byUs, speed: 1 },
  ]);
  const dates = datesOf(7, course, false);
  const clock = { steps: [{ at: 10 * SECOND, byUs }], dates, bounds: { driftPpm: 500, granularityUs: us(0) } };
  const answered = (second: number) =>
    exchange({
      seq: second,
      sentAt: us(second * SECOND),
      headersAt: us(second * SECOND + 1_000),
      receivedAt: us(second * SECOND + 1_000),
      date: dates.textAt(second * SECOND, false),
    });
  return (...seconds: readonly number[]) => unseenUs(clock as unknown as ServiceClock, seconds.map(answered));
}

describe('what a profile has to grant of a clock that is set', () => {
  it('is nothing where answers before and after tell it', () => {
    expect(setBy(30 * SECOND)(9, 11)).toBe(0);
  });

  it('is all of it where nobody saw the one time or the other, or saw no difference', () => {
    expect(setBy(30 * SECOND)(11, 12)).toBe(30 * SECOND);
    expect(setBy(-30 * SECOND)(8, 9)).toBe(30 * SECOND);
    expect(setBy(0.7 * SECOND)(9, 11)).toBe(0.7 * SECOND);
  });
});
