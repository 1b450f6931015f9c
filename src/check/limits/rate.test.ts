import { expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import { header, us, written } from '../../testing/history/sample-records.ts';
import { foldedOf } from './judging.exam.ts';
import { rateCase } from './rate.ts';

/** The reading that is judged where the header declares that one. */
function declared(reading: string, countsRefused: boolean, instead?: string) {
  const { evidence } = foldedOf([
    header({
      profile: TargetProfileSchema.parse({ limits: { rate: { ...written.rate, countsRefused } } }),
      limits: {
        rate: { max: 20, windowUs: us(60_000_000), reading },
        concurrency: { max: 2 },
        daily: { max: 50 },
      },
    }),
  ]);
  const { declared, readings, unknown } = rateCase(evidence, instead);
  return [declared, readings.length, unknown !== undefined];
}

it('a rate limit is judged by the reading that is declared; a sliding log by the one that counts what the profile says', () => {
  expect(declared('sliding-log', false)).toEqual(['sliding-log', 1, false]);
  expect(declared('sliding-log', true)).toEqual(['sliding-log-counting-refused', 1, false]);
  expect(declared('token-bucket', true)).toEqual(['token-bucket', 1, false]);
  expect(declared('gcra', false)).toEqual(['token-bucket', 1, false]);
  expect(declared('token-bucket', true, 'sliding-log')).toEqual(['sliding-log-counting-refused', 1, false]);
  expect(declared('unknown', true)).toEqual(['unknown', 9, true]);
  expect(declared('utc', false)).toEqual(['unknown', 9, true]);
});
