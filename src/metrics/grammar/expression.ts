import { nearest } from '../../base/index.ts';
import { isParsed, type Parsed } from './parsed.ts';

export const aggregationWords = ['count', 'rate', 'value', 'avg', 'min', 'max', 'med'] as const;

/** How a metric's samples are aggregated. `percentile` is k6's p(N). */
export type Aggregation =
  | { readonly of: (typeof aggregationWords)[number] }
  /** 0 is the smallest sample, 100 the largest. */
  | { readonly of: 'percentile'; readonly percent: number };

/** k6's `===` is read as `==`. */
export const operators = ['<', '<=', '>', '>=', '==', '!='] as const;
export type Operator = (typeof operators)[number];

/** `p(95)<300`, `rate<0.01`, `bound(p(90))<8000`. */
export interface Expression {
  readonly aggregation: Aggregation;
  /** Compare the unfavourable end of the confidence interval instead of the estimate. */
  readonly bound: boolean;
  readonly operator: Operator;
  /** In k6's unit of the metric: times in milliseconds, shares from 0 to 1. */
  readonly threshold: number;
}

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const PERCENTILE = String.raw`p\(\s*${NUMBER}\s*\)`;
const AGGREGATION = `${aggregationWords.join('|')}|${PERCENTILE}`;
// The longest first: `<=` is not `<` with a number that begins with `=`.
const OPERATOR = ['===', ...operators].sort((a, b) => b.length - a.length).join('|');
const writtenOperators = `${operators.slice(0, -1).join(', ')} or ${operators.at(-1)}`;
const THRESHOLD = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;

const EXPRESSION = new RegExp(
  String.raw`^\s*(?:(bound)\(\s*(${AGGREGATION})\s*\)|(${AGGREGATION}))\s*(${OPERATOR})\s*(${THRESHOLD})\s*$`,
);

/** JSON Schema pattern for editors: the texts that `parseExpression` accepts by their syntax. */
export const expressionPattern = EXPRESSION.source;

/** The syntax, for messages and help. */
const expressionForms = `${aggregationWords.join(', ')} or p(N), or bound(…) of one of them; then ${writtenOperators}; then a number`;

/** Parses k6's threshold grammar extended by `bound(…)`. */
export function parseExpression(text: string): Parsed<Expression> {
  const match = EXPRESSION.exec(text);
  if (!match) return { faults: [{ message: `"${text}" is not a gate expression`, hint: hintFor(text) }] };
  const [, bound, bounded, plain, operator = '', number] = match;
  const aggregation = aggregationOf(bounded ?? plain ?? '');
  if (!isParsed(aggregation)) return aggregation;
  const threshold = Number(number);
  if (!Number.isFinite(threshold)) return { faults: [{ message: `${number} is too large to compare` }] };
  return {
    value: {
      aggregation: aggregation.value,
      bound: bound !== undefined,
      operator: operator === '===' ? '==' : (operator as Operator),
      // Converts -0 to 0.
      threshold: threshold + 0,
    },
  };
}

const ONLY_AGGREGATION = new RegExp(`^\\s*(${AGGREGATION})\\s*$`);

/** Parses an aggregation on its own: `med`, `p(90)`. */
export function parseAggregation(text: string): Parsed<Aggregation> {
  const found = ONLY_AGGREGATION.exec(text)?.[1];
  if (found === undefined) {
    return {
      faults: [{ message: `"${text}" is not an aggregation`, hint: `write ${aggregationWords.join(', ')} or p(N)` }],
    };
  }
  return aggregationOf(found);
}

/** @param text that matches `AGGREGATION` */
function aggregationOf(text: string): Parsed<Aggregation> {
  const percent = /^p\(\s*(.*?)\s*\)$/.exec(text)?.[1];
  if (percent === undefined) return { value: { of: aggregationWords.find((word) => word === text) ?? 'value' } };
  if (Number(percent) <= 100) return { value: { of: 'percentile', percent: Number(percent) } };
  const message = `there is no percentile ${Number(percent)}`;
  return { faults: [{ message, hint: 'write p(N) with N from 0 to 100' }] };
}

/** The canonical text; parsing it gives the same expression. */
export function printExpression({ aggregation, bound, operator, threshold }: Expression): string {
  const inner = printAggregation(aggregation);
  return `${bound ? `bound(${inner})` : inner}${operator}${printNumber(threshold)}`;
}

export const printAggregation = (aggregation: Aggregation): string =>
  aggregation.of === 'percentile' ? `p(${printNumber(aggregation.percent)})` : aggregation.of;

/** The shortest text of the number, without a negative exponent, because percentiles cannot be written with one. */
function printNumber(value: number): string {
  const text = String(value);
  return text.includes('e-') ? plainDecimal(value) : text.replace('e+', 'e');
}

/** `1e-7` → `0.0000001`. */
function plainDecimal(value: number): string {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e-');
  const text = `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`;
  return value < 0 ? `-${text}` : text;
}

/** 5.8 → 0.058, not the 0.057999999999999996 that a division gives. */
export const shareOf = (percent: number): number => Number((percent / 100).toPrecision(12));

/** Names that other tools use. */
const SYNONYMS: Readonly<Record<string, string>> = {
  median: 'med',
  mean: 'avg',
  average: 'avg',
  minimum: 'min',
  maximum: 'max',
  percentile: 'p(N)',
};

function hintFor(text: string): string {
  const unit = /^(.*\d)\s*(us|µs|ms|s|min|m|%)\s*$/.exec(text);
  if (unit?.[2] === '%')
    return `shares are 0 to 1; write ${unit[1]?.trim().replace(/[\d.]+$/, (n) => `${shareOf(Number(n))}`)}`;
  if (unit) return 'times are in milliseconds, and a number has no unit; write for example p(95)<300';
  if (/(?:^|[^=<>!])=(?!=)/.test(text)) return `a comparison is ${writtenOperators}`;
  const percentile = /^\s*p(\d+(?:\.\d+)?)(.*)$/.exec(text);
  if (percentile) return `write p(${percentile[1]})${percentile[2]}`;
  const word = /^\s*([A-Za-z_]+)/.exec(text)?.[1];
  const other = word === undefined || !Object.hasOwn(SYNONYMS, word) ? undefined : SYNONYMS[word];
  const near = other ?? (word === undefined ? undefined : nearest(word, [...aggregationWords, 'bound']));
  if (word !== undefined && near !== undefined && near !== word) return `did you mean ${near}?`;
  return `write ${expressionForms}; for example p(95)<300`;
}
