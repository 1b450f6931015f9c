import { describe, expect, it } from 'vitest';
import { fixedWindowPenalty } from '../readings/fixed-window-anchored.ts';
import { admitted, boundsFor, maybe, refused, sliceOf } from '../readings/sample-attempts.exam.ts';
import { fittingNumbers } from './numbers.ts';

const SECOND = 1_000_000;

/** N per 60 s: attempts of which it is unknown whether they counted, N admissions at once, a refusal at 10 s, and an admission. */
function fitting(max: number, admittedAt: number, unknown = 0) {
  const lost = Array.from({ length: unknown }, () => maybe(0));
  const burst = Array.from({ length: max }, () => admitted(1));
  const slice = sliceOf([...lost, ...burst, refused(10 * SECOND), admitted(admittedAt)]);
  return fittingNumbers(fixedWindowPenalty, [slice], boundsFor(max, 60 * SECOND));
}

describe('with which numbers a refusal that blocks explains what was admitted after it', () => {
  it('with windows no longer than the time from the refusal to the admission', () => {
    const to = 52 * SECOND;
    const { windowUs } = fitting(5, 62 * SECOND);
    expect(windowUs?.from).toBeLessThan(10.01 * SECOND);
    expect(windowUs?.to).toBeGreaterThan(to - to / 1_000);
    expect(windowUs?.to).toBeLessThanOrEqual(to);
  });

  it('with no number of requests, if it came too soon', () => {
    expect(fitting(60, 62 * SECOND, 40).max).toBeUndefined();
    expect(fitting(60, 70 * SECOND, 40).max).toEqual({ from: 60, to: 100 });
  });
});
