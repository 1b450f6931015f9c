import { expect, it } from 'vitest';
import { axis } from './dots.ts';
import { logScale } from './log-scale.ts';

it('a scale begins and ends with the durations themselves if they are round', () => {
  const { at, ticks } = logScale([1_000, 5_000]);
  expect(ticks).toEqual([1_000, 2_000, 5_000]);
  expect([at(1_000), at(5_000)]).toEqual([0, 100]);
  expect(logScale([1_001, 5_001]).ticks).toEqual([1_000, 2_000, 5_000, 10_000]);
});

it('labels hours without a long fraction', () => {
  const labels = [...axis(logScale([1_000_000_000, 5_000_000_000])).text.matchAll(/>([^<]*)<\/text>/g)];
  expect(labels.map(([, label]) => label)).toEqual(['1000 s', '2000 s', '1h 23m']);
});
