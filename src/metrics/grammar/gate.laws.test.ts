import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { metricNames, metricOf } from '../table.ts';
import { tagValues } from '../tags.ts';
import {
  type Aggregation,
  aggregationWords,
  type Expression,
  expressionPattern,
  operators,
  parseExpression,
  printExpression,
} from './expression.ts';
import { parseSelector, printSelector, type Selector } from './selector.ts';

const percent = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.double({ min: 0, max: 100, noNaN: true }).map((value) => value + 0),
);
const aggregations = fc.oneof(
  fc.constantFrom(...aggregationWords).map((of): Aggregation => ({ of })),
  percent.map((value): Aggregation => ({ of: 'percentile', percent: value })),
);
const expressions: fc.Arbitrary<Expression> = fc.record({
  aggregation: aggregations,
  bound: fc.boolean(),
  operator: fc.constantFrom(...operators),
  threshold: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
});

const selectors: fc.Arbitrary<Selector> = fc.constantFrom(...metricNames).chain((metric) =>
  fc
    .record(
      Object.fromEntries(
        metricOf(metric).tags.map((tag) => {
          const values = tagValues(metric, tag);
          const any = fc.string({ minLength: 1 }).filter((text) => /^[^{}"']+$/.test(text));
          const status = fc.integer({ min: 100, max: 999 }).map(String);
          return [tag, values ? fc.constantFrom(...values) : tag === 'status' ? status : any];
        }),
      ),
      { requiredKeys: [] },
    )
    // An outcome excludes most statuses.
    .map((tags) => Object.entries(tags).filter(([tag]) => tag !== 'status' || !('outcome' in tags)))
    .map((tags) => ({ metric, tags: Object.fromEntries(tags) }) as Selector),
);

/** Changes to a text that do not change its meaning. */
const spaced = (text: string, spaces: readonly boolean[]) =>
  text
    .replace(/[()<>=!]+|[a-z]+(?=[(<>=!])/g, (part, at: number) => (spaces[at % spaces.length] ? ` ${part} ` : part))
    .replace(/p \(/g, 'p(')
    .replace(/bound \(/g, 'bound(')
    .replace(/p\s+\(/g, 'p(')
    .replace(/bound\s+\(/g, 'bound(');

describe('parser and printer agree', () => {
  it('on every expression', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        expect(parseExpression(printExpression(expression))).toEqual({ value: expression });
      }),
      { numRuns: 2_000 },
    );
  });

  it('on every accepted text: printing and parsing it again gives the same value and text', () => {
    const texts = fc.oneof(
      fc
        .tuple(expressions, fc.array(fc.boolean(), { minLength: 1 }))
        .map(([one, spaces]) => spaced(printExpression(one), spaces)),
      fc.string(),
      fc.stringMatching(/^(bound\()?(p\(\d{1,3}(\.\d)?\)|med|rate)\)?(<|<=|===|>)\d+$/),
    );
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseExpression(text);
        expect(new RegExp(expressionPattern).test(text) || 'faults' in parsed).toBe(true);
        if (!('value' in parsed)) return;
        read++;
        const printed = printExpression(parsed.value);
        expect(parseExpression(printed)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(200);
  });

  it('on every metric with its tags', () => {
    fc.assert(
      fc.property(selectors, (selector) => {
        expect(parseSelector(printSelector(selector))).toEqual({ value: selector });
      }),
      { numRuns: 1_000 },
    );
  });
});
