import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../base/index.ts';
import type { Draft } from '../certificates/draft.ts';
import { type Bounds, FLUSHED, unflushed } from '../evidence/bounds.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { rateReadings } from './index.ts';
import { type Attempt, boundsFor, sliceOf } from './sample-attempts.exam.ts';

/*
 * What every reading says of small histories drawn at random, on times so coarse that windows, tokens and intervals meet at
 * their edges all the time. Whether it may say so is for the laws to tell; that it still says so, for the golden files. Where
 * that is meant to be otherwise, npx vitest run src/check --update, and read the diff.
 */

const HISTORIES = 160;

function drawn(seed: number): { readonly slice: Slice; readonly bounds: Bounds } {
  const random = seededRandom(seed, 'drawn attempts');
  const among = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
  const max = among([1, 2, 3, 5]);
  const windowUs = among([4, 6, 10, 60]);
  const slackUs = among([0, 0, 0, 1]);
  const drift = among([0, 0, 0.1]);
  const flushed = random.next() < 0.7;
  const longUs = windowUs / (1 - drift) + slackUs;
  const bounds = boundsFor(max, windowUs, {
    shortUs: Math.max(0, windowUs * (1 - drift) - slackUs),
    longUs,
    drift,
    slackUs,
    originUs: random.integer(3 * windowUs),
    phaseUncertaintyUs: among([0, 0.5, Number.POSITIVE_INFINITY]),
    refusals:
      random.next() < 0.1
        ? { provable: false, missing: ['a complete history'] }
        : flushed
          ? FLUSHED
          : unflushed(0, longUs),
  });
  const span = among([1, 2, 4]) * windowUs;
  const attempts = Array.from({ length: 3 + random.integer(5 * max + 4) }, () => attempt(random, span, windowUs));
  return { slice: { ...sliceOf(attempts), whole: random.next() < 0.8 }, bounds };
}

function attempt(random: Random, span: number, windowUs: number): Attempt {
  const fate = random.next();
  const part = fate < 0.6 ? Part.admitted : fate < 0.85 ? Part.refused : fate < 0.95 ? Part.maybe : Part.ambiguous;
  if (part === Part.maybe && random.next() < 0.1)
    return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, part };
  const from = random.integer(span + 1);
  return { from, to: from + (random.next() < 0.6 ? 0 : random.integer(random.next() < 0.1 ? windowUs : 3)), part };
}

const brief = (draft: Draft | undefined): string => (draft === undefined ? '-' : draft.rule);

describe('of histories drawn at random', () => {
  it.each(rateReadings.map((reading) => [reading.name, reading] as const))(
    '%s says what it said',
    async (name, reading) => {
      const lines = Array.from({ length: HISTORIES }, (_, seed) => {
        const { slice, bounds } = drawn(seed);
        const over = reading.overAdmission(slice, bounds);
        const unexplained = [...reading.unexplained(slice, bounds)];
        const proofs = unexplained.map((position) => reading.wrongfulRefusal(slice, bounds, position));
        const inconsistent = reading.inconsistent?.(slice, bounds);
        const parameters = reading.parameters?.(slice, bounds);
        const all = JSON.stringify([over, proofs, inconsistent, parameters]);
        const digest = createHash('sha256').update(all).digest('hex').slice(0, 10);
        return `${seed}: ${brief(over)}, [${unexplained}], ${brief(inconsistent)}; ${digest}`;
      });
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`drawn/${name}.golden`);
    },
  );
});
