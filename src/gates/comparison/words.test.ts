import { expect, it } from 'vitest';
import { differenceText, estimateText, pointsText, valueText } from './words.ts';

it('numbers and differences are told with their unit', () => {
  const told: [text: string | undefined, expected: string | undefined][] = [
    [valueText(1_005.4, 'ms'), '1,005 ms'],
    [valueText(999.6, 'ms'), '1,000 ms'],
    [valueText(50.24, 'ms'), '50.2 ms'],
    [valueText(0.0123456, 'share'), '1.23 %'],
    // As in every other output: what is not all is not called 100 %.
    [valueText(0.9996, 'share'), '99.96 %'],
    [valueText(1, 'share'), '100 %'],
    [valueText(12_345, 'count'), '12,345'],
    [differenceText({ absolute: -1_234.4, relative: -0.1 }, 'ms'), '-10 % (-1,234 ms)'],
    [differenceText({ absolute: -0.116, relative: 0.116 }, 'ms'), '+11.6 %'],
    [differenceText({ absolute: 0.005 }, 'share'), '+0.5 points'],
    [pointsText(0.01), '1 point'],
    [pointsText(-0.01), '-1 point'],
    [pointsText(0), '0 points'],
    [pointsText(0.015), '1.5 points'],
    [pointsText(-0.12), '-12 points'],
    [
      estimateText({ unit: 'ms', base: 50, candidate: 51, difference: { absolute: 0.9, relative: 0.018 } }),
      '+1.8 % (+0.9 ms)',
    ],
    [
      estimateText({ unit: 'ms', base: 50, candidate: 51, difference: { absolute: -0.3, relative: -0.006 } }),
      '-0.6 % (-0.3 ms) round against round',
    ],
    // Only the ratio is tested, so its sign decides.
    [estimateText({ unit: 'ms', base: 50, candidate: 51, difference: { absolute: -0.3, relative: 0.006 } }), '+0.6 %'],
    [
      estimateText({ unit: 'share', base: 0.5, candidate: 0.5, difference: { absolute: 0.01 } }),
      '+1 point round against round',
    ],
    [estimateText({ unit: 'share', base: 0, candidate: 0, difference: { absolute: 0 } }), '0 points'],
    [estimateText({ unit: 'ms' }), undefined],
  ];
  for (const [text, expected] of told) expect(text).toBe(expected);
});
