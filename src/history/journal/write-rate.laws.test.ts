import fc from 'fast-check';
import { expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { RateOfLastSecond } from './write-rate.ts';

const BUCKET_US = 100_000;

it('is the number of events in the last ten tenths of a second', () => {
  const events = fc.array(
    fc.record({ afterUs: fc.oneof(fc.nat({ max: 60_000 }), fc.nat({ max: 3_000_000 })), count: fc.nat({ max: 3 }) }),
    {
      minLength: 10,
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(events, (all) => {
      const rate = new RateOfLastSecond();
      const counted: { readonly bucket: number; readonly count: number }[] = [];
      let now = 0;
      for (const { afterUs, count } of all) {
        now += afterUs;
        const bucket = Math.floor(now / BUCKET_US);
        counted.push({ bucket, count });
        const recent = counted.filter((one) => one.bucket > bucket - 10);
        expect(rate.count(us(now), count)).toBe(recent.reduce((sum, one) => sum + one.count, 0));
      }
    }),
  );
});
