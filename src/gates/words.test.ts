import { expect, it } from 'vitest';
import { boundsText, formatValue, observedText } from './words.ts';

it('what was observed and required is told with its unit', () => {
  const told: [text: string | undefined, expected: string | undefined][] = [
    [formatValue(12_345.678, 'ms'), '12,345.7 ms'],
    [formatValue(4_000, 'count'), '4,000'],
    // Counts are exact, however many digits they have.
    [formatValue(1_000_001, 'count'), '1,000,001'],
    [formatValue(1_234_567, 'bytes'), '1,234,567 bytes'],
    [formatValue(1, 'bytes'), '1 byte'],
    [formatValue(1, 'bytes/s'), '1 byte a second'],
    [formatValue(1_234_567.89, 'bytes/s'), '1,234,568 bytes a second'],
    [formatValue(6.761352, '1/s'), '6.76135 a second'],
    [formatValue(0.0999999, 'share'), '9.99999 %'],
    [observedText(0.283129, 'share', 0.2), '28.3 %'],
    // A share close to its threshold must not look equal to it.
    [observedText(0.010004, 'share', 0.01), '1.0004 %'],
    [observedText(0.01, 'share', 0.01), '1 %'],
    [observedText(0.99996, 'share', 0.5), '> 99.99 %'],
    [boundsText({ method: 'order-statistics' }, 'ms'), ' (too few for any bound)'],
    [boundsText({ method: 'batch-means' }, 'ms'), ' (varies too much over time for any bound)'],
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
  ];
  for (const [text, expected] of told) expect(text).toBe(expected);
});
