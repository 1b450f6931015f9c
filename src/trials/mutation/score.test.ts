import { describe, expect, it } from 'vitest';
import { scoreOf } from './score.ts';

describe('a mutation score', () => {
  it('is a share with the interval that its sample carries', () => {
    const { share, low, high } = scoreOf(85, 100);
    expect(share).toBe(0.85);
    expect(low).toBeCloseTo(0.7672, 4);
    expect(high).toBeCloseTo(0.9069, 4);
    expect(scoreOf(850, 1_000).high - scoreOf(850, 1_000).low).toBeLessThan(0.045);
  });

  it('stays within 0 and 1 if none or all mutants were detected', () => {
    expect(scoreOf(0, 10)).toMatchObject({ share: 0, killed: 0, tried: 10 });
    expect(scoreOf(0, 10).low).toBeCloseTo(0, 10);
    expect(scoreOf(0, 10).high).toBeCloseTo(0.2775, 4);
    expect(scoreOf(10, 10).low).toBeCloseTo(0.7225, 4);
    expect(scoreOf(10, 10).high).toBeCloseTo(1, 10);
  });
});
