import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { honestLimiters } from './honest-limiters.exam.ts';
import { rateReadings, readingNamed, readingNames } from './index.ts';
import { honestHistory, refute } from './reading.exam.ts';

/** Of each of twelve honest limiters. */
const HISTORIES = runs(1_700);

describe.each(Object.entries(honestLimiters))('an honest %s', (name, { make, readings }) => {
  it.each(readings)(`is never refuted as %s in ${HISTORIES} histories`, (readingName) => {
    const reading = readingNamed(rateReadings, readingName);
    if (!reading) throw new Error(`no reading ${readingName}`);
    const accused: number[] = [];
    for (let seed = 0; seed < HISTORIES; seed++) {
      const { slice, bounds } = honestHistory(make, seed, name);
      if (refute(reading, slice, bounds)) accused.push(seed);
    }
    expect(accused).toEqual([]);
  });
});

it('every reading of the rate limit is that of an honest limiter', () => {
  const tested = new Set(Object.values(honestLimiters).flatMap(({ readings }) => readings));
  expect([...tested].sort()).toEqual(readingNames('rate').sort());
});
