import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arcs } from '../certificates/certificate.ts';
import { admitted, boundsFor, sliceOf } from '../readings/sample-attempts.exam.ts';
import { holdsArcs, type RawArc } from '../verify/rate/arcs.ts';
import { admittedOf } from './admitted.ts';
import { crowds } from './crowd.ts';
import { placementConflict } from './placement.ts';
import { law } from './small-numbers.exam.ts';

describe('windows that begin at least six apart', () => {
  const W = 6;

  /** By trying all: numbers are whole, and so are beginnings where there are any. */
  function canBegin(spans: readonly { readonly fromUs: number; readonly toUs: number }[], since = -W): boolean {
    const [first, ...others] = spans.toSorted((a, b) => a.toUs - b.toUs);
    if (!first) return true;
    for (let at = Math.max(first.fromUs, since + W); at <= first.toUs; at++)
      if (
        canBegin(
          others.filter(({ fromUs, toUs }) => at < fromUs || at > toUs),
          at,
        )
      )
        return true;
    return false;
  }

  const bursts = fc
    .array(fc.tuple(fc.nat({ max: 24 }), fc.nat({ max: 2 })), { minLength: 6, maxLength: 14 })
    .map((all) => all.map(([from, length]) => ({ from, to: from + length })).sort((a, b) => a.from - b.from));

  it('cannot begin within each of some spans where this is said, nor is one of them spared', () => {
    let refuted = 0;
    law([bursts, fc.integer({ min: 1, max: 2 })], (all, max) => {
      const slice = sliceOf(all.map(({ from, to }) => admitted(from, to)));
      const spans: { fromUs: number; toUs: number }[] = [];
      crowds(admittedOf(slice), max + 1, W, (i, toUs) => {
        spans.push({ fromUs: slice.from[i] as number, toUs });
        return false;
      });
      const arcs = placementConflict(slice, boundsFor(max, W));
      expect(arcs === undefined).toBe(canBegin(spans));
      if (!arcs) return;
      refuted += 1;
      expect(canBegin(arcs)).toBe(false);
      for (const arc of arcs) expect(canBegin(arcs.filter((one) => one !== arc))).toBe(true);
      const raw = (some: typeof arcs): RawArc[] =>
        some.map(({ positions }) => ({
          says: 'boundary-within',
          decided: positions.map((i) => ({ from: slice.from[i] as number, to: slice.to[i] as number })),
        }));
      const verified = (some: typeof arcs) =>
        holdsArcs({ rule: 'fixed-window-anchored-arcs' } as Arcs, raw(some), {
          ...{ max, windowUs: W, shortUs: W, longUs: W, slackUs: 0 },
          slackAt: () => 0,
        });
      expect(verified(arcs)).toBe(true);
      expect(verified(arcs.slice(1))).toBe(false);
    });
    expect(refuted).toBeGreaterThan(0);
  });
});
