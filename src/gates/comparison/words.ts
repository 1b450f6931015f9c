import type { Difference, MetricComparison } from './result.ts';

type Unit = MetricComparison['unit'];

const three = (value: number): string => String(Number(value.toPrecision(3)));

/** `50.2 ms`, `1.5 %`, `12`. */
export function valueText(value: number, unit: Unit): string {
  if (unit === 'share') return `${three(100 * value)} %`;
  return unit === 'ms' ? `${three(value)} ms` : three(value);
}

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text);

/** `+9.8 % (+4.9 ms)`, `-0.5 points`. */
export function differenceText({ absolute, relative }: Difference, unit: Unit): string {
  if (unit === 'share') return signed(absolute, `${three(100 * absolute)} points`);
  const plain = signed(absolute, valueText(absolute, unit));
  return relative === undefined ? plain : `${signed(relative, `${three(100 * relative)} %`)} (${plain})`;
}
