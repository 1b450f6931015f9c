import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Micros } from '../base/index.ts';
import { dateTime } from './replies.ts';
import { httpDate } from './shell/headers.ts';

/** Near one another as requests are, and anywhere. */
const instants = fc.array(
  fc.oneof(fc.integer({ min: -1e15, max: 7e15 }), fc.integer({ min: 1.79e15, max: 1.79e15 + 3e8 })),
  { minLength: 1, maxLength: 50 },
);

it('are formatted as Date formats them, rounded down', () => {
  fc.assert(
    fc.property(instants, (sequence) => {
      for (const us of sequence) {
        expect(dateTime(us as Micros)).toBe(new Date(Math.floor(us / 1_000)).toISOString());
        expect(httpDate(us)).toBe(new Date(Math.floor(us / 1_000_000) * 1_000).toUTCString());
      }
    }),
  );
});
