import { expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import type { Bottleneck } from '../../collect/index.ts';
import { describeBottleneck } from './bottlenecks.ts';
import { WARNING_CHARACTERS } from './summary-table.ts';

const [us, allowedUs] = [2_470_000 as Micros, 500_000 as Micros];

it.each<[Bottleneck, string]>([
  [
    { what: 'lag', percentile: 'p99', us, allowedUs },
    'one request in a hundred left 2.47 s or more after it was due (allowed: 500 ms)',
  ],
  [{ what: 'event-loop', us, allowedUs }, 'its event loop was typically 2.47 s late (allowed: 500 ms)'],
  [
    { what: 'standstill', us, allowedUs },
    'its event loop stood still: answers waited 2.47 s on average to be read (allowed: 500 ms)',
  ],
  [
    { what: 'late-reads', count: 12_345, of: 123_456, allowedShare: 0.05 },
    '12,345 of 123,456 answers may have waited longer for it than for the service (allowed: 5 %)',
  ],
  [
    { what: 'late-drops', count: 12_345, of: 123_456, allowedShare: 0.01 },
    'it dropped 12,345 of 123,456 arrivals that it was late for (allowed: 1 %)',
  ],
  [
    { what: 'local-failure', failure: 'EADDRNOTAVAIL', count: 12_345 },
    '12,345 requests failed on its own machine (EADDRNOTAVAIL)',
  ],
])('a bottleneck %o is one clause, which a warning does not cut', (bottleneck, clause) => {
  expect(describeBottleneck(bottleneck)).toBe(clause);
  expect(`the generator was the bottleneck: ${clause}`.length).toBeLessThanOrEqual(WARNING_CHARACTERS);
});
