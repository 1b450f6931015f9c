import { expect, it } from 'vitest';
import { boundsText, formatValue, observedText } from './words.ts';

it.each([
  [formatValue(12_345.678, 'ms'), '12,345.7 ms'],
  [formatValue(4_000, 'count'), '4,000'],
  [formatValue(0.0999999, 'share'), '9.99999 %'],
  [observedText(0.283129, 'share', 0.2), '28.3 %'],
  // A share close to its threshold must not look equal to it.
  [observedText(0.010004, 'share', 0.01), '1.0004 %'],
  [observedText(0.01, 'share', 0.01), '1 %'],
  [observedText(0.99996, 'share', 0.5), '> 99.99 %'],
  [boundsText({ method: 'order-statistics' }, 'ms'), ' (too few for any bound)'],
  [
    boundsText({ low: 250, method: 'order-statistics' }, 'ms'),
    ' (with 95 % confidence at least 250 ms, no bound above)',
  ],
  [
    boundsText({ high: 310, method: 'order-statistics' }, 'ms'),
    ' (with 95 % confidence at most 310 ms, no bound below)',
  ],
  [
    boundsText({ low: 0.0000123456, high: 0.283129, method: 'clopper-pearson' }, 'share'),
    ' (95 % bounds: 0.00123 % to 28.3 %)',
  ],
])('%j is told as %j', (text, expected) => {
  expect(text).toBe(expected);
});
