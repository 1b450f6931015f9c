import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { Part } from '../evidence/slice.ts';
import { firstUnplaceable, inOneOrder } from '../readings/anchored-windows.exam.ts';
import { type Attempt, boundsFor, sliceOf } from '../readings/sample-attempts.exam.ts';
import { unfitting } from './fit.ts';

const parts = fc.constantFrom(
  ...Array.from({ length: 12 }, () => Part.admitted),
  ...[Part.refused, Part.refused, Part.maybe, Part.ambiguous],
);
const attempts = fc.array(
  fc.record({ from: fc.nat({ max: 16 }), length: fc.constantFrom(0, 0, 1, 1, 2, 4), part: parts }),
  { minLength: 2, maxLength: 12 },
);

it('names the first request that no window can hold, with all since the pause before, after which a window surely began', () => {
  let refuted = 0;
  const law = fc.property(
    attempts,
    fc.constantFrom(1, 2, 3),
    fc.constantFrom(4, 5),
    fc.boolean(),
    (drawn, max, longUs, isAgreeable) => {
      const seen = isAgreeable ? notNested(drawn.map(ending)) : drawn.map(ending);
      const slice = sliceOf(seen);
      const found = unfitting(slice, boundsFor(max, 4, { longUs }));

      const unknown = Math.min(...seen.filter(({ part }) => !isCertain(part)).map(({ from }) => from));
      const ordered = inOneOrder(seen.filter(({ part }) => part === Part.admitted));
      const known = ordered.filter(({ to }) => to < unknown);
      const last = firstUnplaceable(known, { max, shortUs: 4, longUs });
      const first = known
        .slice(0, last + 1)
        .findLastIndex(({ from }, i) => i === 0 || (known[i - 1]?.to ?? 0) < from - longUs);
      const isSure = last >= 0 && (known[first]?.to ?? 0) < (known[last]?.from ?? 0);
      const named = isSure ? known.slice(first, last + 1) : [];
      refuted += isSure ? 1 : 0;

      expect(found?.observed ?? 0).toBe(named.length);
      expect(found?.possible ?? 0).toBe(Math.max(0, named.length - 1));
      const beginnings = (found?.positions ?? []).map((position) => slice.from[position]);
      expect(beginnings).toEqual(named.map(({ from }) => from));
    },
  );
  fc.assert(law, { numRuns: runs(20_000), seed: 3 });
  expect(refuted).toBeGreaterThan(runs(20_000) / 10);
});

const isCertain = (part: Part) => part === Part.admitted || part === Part.refused;

const ending = ({ from, length, part }: { from: number; length: number; part: Part }): Attempt => ({
  from,
  to: from + length,
  part,
});

/** Ends rise with beginnings. Of those that begin together, the last to end comes first, which is as good an order for a journal. */
function notNested(seen: readonly Attempt[]): Attempt[] {
  const ends = seen.map(({ to }) => to).sort((a, b) => a - b);
  return seen
    .toSorted((a, b) => a.from - b.from)
    .map((one, i) => ({ ...one, to: ends[i] as number }))
    .reverse();
}
