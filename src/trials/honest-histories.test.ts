import { expect, it } from 'vitest';
import { rateAlgorithmNames } from '../api/index.ts';
import { runs } from '../testing/share.ts';
import { describe as told } from './honest/tally.ts';
import { tryMany } from './honest/try.ts';
import { happenings } from './world/happenings.ts';

/** `.ci/run` judges 20,800: npm run trials. */
const HISTORIES = runs(2_000);
/** A virtual day takes milliseconds; a loaded machine takes longer. */
const PATIENCE_MS = 600_000;

/**
 * What may be said of a correct service, because it is true: codes that its profile does not map; and waits that do not become
 * shorter, where each new request restarts them.
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
