import { expect, it } from 'vitest';
import { rateAlgorithmNames } from '../api/index.ts';
import { describe as told } from './honest/tally.ts';
import { tryMany } from './honest/try.ts';
import { happenings } from './world/happenings.ts';

/** In a part; TRIALS multiplies them. */
const HISTORIES = 1_000 * Number(process.env.TRIALS ?? 1);
/** A virtual day takes milliseconds, a loaded machine takes its time. */
export const PATIENCE_MS = 600_000;

/**
 * What may be told of an honest service, because it is so: codes that its profile does not map; and waits that do not become
 * shorter, where asking again begins them anew.
 */
const true_: readonly string[] = ['code-unmapped', 'retry-after-does-not-count-down'];

/** @param parts numbers of the parts that are played here, from 0 on */
export function sitHonestExam(parts: readonly number[]): void {
  it.each(parts.map((part) => part * HISTORIES))(
    `from seed %i on, ${HISTORIES} honest services are accused of nothing, and nothing untrue is told of them`,
    (from) => {
      const tally = tryMany(from, HISTORIES);
      expect(tally.histories).toBe(HISTORIES);
      expect(tally.accused, told(tally, [from, from + HISTORIES - 1])).toEqual([]);
      expect(Object.keys(tally.told).filter((kind) => !true_.includes(kind))).toEqual([]);
      expect(Object.keys(tally.happened).sort()).toEqual(Object.keys(happenings).sort());
      expect(Object.keys(tally.byAlgorithm).sort()).toEqual([...rateAlgorithmNames].sort());
      for (const [name, { focused, met }] of Object.entries(tally.byAlgorithm))
        expect(met / focused, `${name} meets its limit`).toBeGreaterThan(0.2);
    },
    PATIENCE_MS,
  );
}
