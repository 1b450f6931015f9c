import { describe, expect, it } from 'vitest';
import { instantOnAxis, spaceBetween, timeAxis } from './time-axis.ts';

const labels = (from: number, step: number, count: number) =>
  Array.from({ length: count }, (_, i) => instantOnAxis(from + i * step, step));

describe('the axis of time', () => {
  it('has round tick distances in seconds, minutes, hours or days, without 2.5 and 250 s', () => {
    const steps = timeAxis.incrs as number[];
    expect(steps.filter((step) => step >= 0.1 && step <= 7_200)).toEqual([
      0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200,
    ]);
    expect(steps[0]).toBe(0.00001);
  });

  it('formats ticks with the decimals of the tick distance, so that none is rounded', () => {
    expect(labels(0, 0.5, 4)).toEqual(['0.0 s', '0.5 s', '1.0 s', '1.5 s']);
    expect(labels(14.8702, 0.00005, 3)).toEqual(['14.87020 s', '14.87025 s', '14.87030 s']);
    expect(labels(0, 5, 4)).toEqual(['0 s', '5 s', '10 s', '15 s']);
    for (const step of timeAxis.incrs as number[]) {
      const told = labels(0, step, 12).map(Number.parseFloat);
      const unit = step >= 3_600 ? 3_600 : step >= 60 ? 60 : 1;
      for (const [i, value] of told.entries()) expect(value * unit, `${i} × ${step}`).toBeCloseTo(i * step, 9);
    }
  });

  it('formats all ticks of an axis in one unit', () => {
    expect(labels(570, 15, 4)).toEqual(['570 s', '585 s', '600 s', '615 s']);
    expect(labels(0, 300, 4)).toEqual(['0 min', '5 min', '10 min', '15 min']);
    expect(labels(0, 7_200, 3)).toEqual(['0 h', '2 h', '4 h']);
  });

  it('gives long labels more room', () => {
    expect(spaceBetween(0, 12, 300)).toBeLessThan(70);
    expect(spaceBetween(100_000.5, 100_000.5001, 300)).toBeGreaterThan(110);
  });
});
