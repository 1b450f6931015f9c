import { describe, expect, it } from 'vitest';
import { clientOf, type Limits, us } from './limited-client.exam.ts';

const asking = (rate: Limits['rate']) => {
  const client = clientOf({ rate });
  return (...instants: readonly number[]) => instants.map((ms) => client.at(ms).converse().status);
};

describe('a limit with a phase admits again where its window or tick begins', () => {
  it.each(['fixed-window', 'token-bucket-per-tick', 'token-bucket-per-window'] as const)('%s', (algorithm) => {
    // A window begins at 17 s, whichever whole number of windows the phase has besides.
    for (const phase of ['17s', '77s']) {
      const statusesAt = asking({ algorithm, phase, max: 1, window: '1min' });
      expect(statusesAt(0, 17_000 - us, 17_000, 77_000 - us, 77_000)).toEqual([201, 429, 201, 429, 201]);
    }
  });

  it('sliding-counter, by how much of the window before is left', () => {
    const statusesAt = asking({
      algorithm: 'sliding-counter',
      variant: 'at-most',
      phase: '17s',
      max: 2,
      window: '1min',
    });
    // Two in the window that ends at 17 s, which count as one at 47 s.
    expect(statusesAt(0, 0, 0, 17_000, 47_000 - us, 47_000)).toEqual([201, 201, 429, 429, 429, 201]);
  });
});
