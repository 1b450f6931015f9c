import { describe, expect, it } from 'vitest';
import { fitsOf } from './fits.ts';

describe('what fits, in words', () => {
  it('has few digits that leave nothing out, and says on which side of a whole window others begin', () => {
    const window = 60_000_000;
    expect(fitsOf('rate', { max: { from: 20, to: 20 }, windowUs: { from: 54_375_562, to: 66_046_270 } }, window)).toBe(
      '20 requests; a window of 54.37 s to 66.05 s',
    );
    expect(
      fitsOf('daily', { max: { from: 1_234, to: 1_236 }, windowUs: { from: 54_400_000, to: 54_400_000 } }, 0),
    ).toBe('1,234 to 1,236 new messages; a window of 54.4 s');
    expect(fitsOf('rate', { capacity: { from: 2 }, perWindow: { to: 20.52 } }, window)).toBe(
      'a capacity of 2 or more; 20.52 or less regained per window',
    );
    expect(fitsOf('concurrency', { max: { from: 1, to: 2 } }, 0)).toBe('1 to 2 turns');
    const phase = (...phaseUs: [number, number][]) => fitsOf('rate', { phaseUs }, window);
    expect(phase([1_200_000, 1_900_000])).toBe(
      "windows that begin 1.2 s to 1.9 s after each whole 60 s of the service's clock",
    );
    expect(phase([0, 110], [59_999_890, window])).toBe(
      "windows that begin within a millisecond of each whole 60 s of the service's clock",
    );
    expect(phase([0, 1_500_000], [59_000_000, window])).toBe(
      "windows that begin between 1 s before and 1.5 s after each whole 60 s of the service's clock",
    );
    expect(phase([0, 110], [59_999_890, 0])).toBe(
      "windows that begin within a millisecond of each whole 60 s of the service's clock",
    );
    expect(phase([59_000_000, 1_000_000])).toBe(
      "windows that begin within 1 s of each whole 60 s of the service's clock",
    );
    expect(phase([0, window])).toBe('');
  });
});
