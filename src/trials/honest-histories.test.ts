import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rateAlgorithmNames } from '../api/index.ts';
import { describe as told } from './honest/tally.ts';
import { tryMany } from './honest/try.ts';
import { happenings } from './world/happenings.ts';

/** `.ci/run` judges 20,800: npm run trials. */
const HISTORIES = 240;
/** Timeout. A virtual day takes milliseconds, but a loaded machine is slower. */
const PATIENCE_MS = 600_000;

/**
 * Observations that are true of some correct services: error codes that the profile does not map, and waits that do not become
 * shorter because each new request restarts them.
 */
const isTrue = new Set(['code-unmapped', 'retry-after-does-not-count-down']);

it(
  `${HISTORIES} correct services are accused of nothing, and nothing untrue is said of them`,
  () => {
    const tally = tryMany(0, HISTORIES);
    expect(tally.histories).toBe(HISTORIES);
    expect(tally.accused, told(tally, [0, HISTORIES - 1])).toEqual([]);
    expect(Object.keys(tally.told).filter((kind) => !isTrue.has(kind))).toEqual([]);
    expect(Object.keys(tally.happened).sort()).toEqual(Object.keys(happenings).sort());
    expect(Object.keys(tally.byAlgorithm).sort()).toEqual([...rateAlgorithmNames].sort());
    const algorithms = Object.values(tally.byAlgorithm);
    const total = (count: 'focused' | 'met') => algorithms.reduce((sum, one) => sum + one[count], 0);
    expect(total('met') / total('focused'), 'the limit is reached').toBeGreaterThan(0.3);
  },
  PATIENCE_MS,
);

it.each(['../../README.md', './README.md'])('%s says how many', (document) => {
  const text = readFileSync(new URL(document, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(new RegExp(`judges ${HISTORIES} (such )?histories`));
});
