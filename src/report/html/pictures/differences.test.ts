import { expect, it } from 'vitest';
import type { MetricComparison } from '../../../gates/index.ts';
import { differencePicture } from './differences.ts';

const slack = { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 };

/** Left end and width of the band of differences that do not matter, in percent of the chart. */
function bandOf(base: number): readonly number[] {
  const metric = { metric: 'm', unit: 'ms', base, difference: { absolute: 0, relative: 0 }, verdict: 'same' };
  const { text } = differencePicture([metric as MetricComparison], slack);
  return (/class="slack" x="([\d.]+)%" width="([\d.]+)%"/.exec(text) ?? []).slice(1).map(Number);
}

it('the band is as wide as the larger slack', () => {
  // 1 ms of 2 ms is 50 %; the chart reaches to 1.5 times that, and 8 % further.
  expect(bandOf(2)).toEqual([50 - 50 / 1.62, 100 / 1.62].map((percent) => expect.closeTo(percent, 1)));
  // Of 1 s, 5 % is more than 1 ms; the chart reaches to 10 % at least, and 8 % further.
  expect(bandOf(1_000)).toEqual([50 - 25 / 1.08, 50 / 1.08].map((percent) => expect.closeTo(percent, 1)));
});
