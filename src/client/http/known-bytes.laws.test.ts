import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { KnownBytes } from './known-bytes.ts';

/** Bytes, a copy with a few changes, holes, and the bytes around. */
const cases = fc
  .record({
    known: fc.uint8Array({ minLength: 4, maxLength: 40 }),
    changes: fc.array(fc.record({ at: fc.nat(39), bits: fc.integer({ min: 1, max: 255 }) }), { maxLength: 2 }),
    edges: fc.uniqueArray(fc.nat(40), { maxLength: 6 }),
    before: fc.nat(9),
    behind: fc.nat(3),
  })
  .map(({ known, changes, edges, before, behind }) => {
    const inOrder = edges.map((edge) => Math.min(edge, known.length)).sort((a, b) => a - b);
    const holes = inOrder.flatMap((from, index) => {
      const to = inOrder[index + 1];
      return index % 2 === 0 && to !== undefined ? [{ from, to }] : [];
    });
    const other = Uint8Array.from(known);
    for (const { at, bits } of changes) if (at < other.length) other[at] = (other[at] ?? 0) ^ bits;
    const bytes = Buffer.concat([Buffer.alloc(before, 1), other, Buffer.alloc(behind, 2)]);
    return { known: Buffer.from(known), other, holes, bytes, before };
  });

it('match if and only if every byte outside the holes is equal, at any offset', () => {
  const property = fc.property(cases, ({ known, other, holes, bytes, before }) => {
    const isInHole = (at: number) => holes.some(({ from, to }) => from <= at && at < to);
    const isSame = known.every((byte, at) => byte === other[at] || isInHole(at));
    expect(new KnownBytes(known, holes).areAt(bytes, before)).toBe(isSame);
  });
  fc.assert(property, { numRuns: runs(3_000) });
});
