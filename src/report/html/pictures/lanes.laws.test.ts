import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../history/index.ts';
import { us } from '../../../testing/history/sample-records.ts';
import { lanesOf } from './lanes.ts';

/** An accepted turn, optionally observed open and finished. */
const turn = fc
  .record({
    sent: fc.nat(500),
    headers: fc.integer({ min: 0, max: 20 }),
    open: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    rest: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  })
  .map(({ sent, headers, open, rest }) => {
    const headersAt = sent + headers;
    const openUntil = headersAt + (open ?? 0);
    return { sent, headersAt, openUntil, to: rest === undefined ? undefined : openUntil + rest, open };
  });

const turnsOf = (
  drawn: readonly {
    sent: number;
    headersAt: number;
    openUntil: number;
    to: number | undefined;
    open: number | undefined;
  }[],
): Turn[] =>
  drawn
    .map(
      ({ sent, headersAt, openUntil, to, open }, i): Turn => ({
        id: `t${i}`,
        acceptance: {
          seq: i,
          intendedAt: us(sent),
          sentAt: us(sent),
          headersAt: us(headersAt),
          receivedAt: us(headersAt),
          application: 'a1',
          user: 'u1',
          arrival: 0,
          journey: 'ask',
        },
        state: to === undefined ? 'unfinished' : 'completed',
        ...(open !== undefined && { certain: { from: us(headersAt), to: us(openUntil) } }),
        possible: { from: us(sent), ...(to !== undefined && { to: us(to) }) },
        polls: 0,
        streamEvents: 0,
        regressed: false,
      }),
    )
    .sort((a, b) => (a.acceptance?.sentAt ?? 0) - (b.acceptance?.sentAt ?? 0));

/** The maximum number of turns certainly in process at one instant. */
function mostCertain(turns: readonly Turn[]): number {
  const spans = turns.flatMap(({ certain }) => certain ?? []);
  return Math.max(0, ...spans.map(({ from }) => spans.filter((one) => one.from <= from && from < one.to).length));
}

describe('lanes of turns', () => {
  it('exceed the line only if more turns than the limit were certainly in process, and never hide a certain turn', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 25 }), fc.integer({ min: 1, max: 4 }), (drawn, max) => {
        const turns = turnsOf(drawn);
        const made = lanesOf(turns, { max, scope: 'application', named: new Set() })?.lanes;
        expect(made?.lane).toHaveLength(turns.length);
        const used = Math.max(...(made?.lane ?? [])) + 1;
        if (used > max) expect(mostCertain(turns)).toBeGreaterThan(max);
        if (mostCertain(turns) > max) expect(used).toBeGreaterThan(max);
        const bySeq = new Map(turns.map((one) => [one.acceptance?.seq, one]));
        const placed = (made?.seq ?? []).flatMap((seq, i) => {
          const certain = bySeq.get(seq)?.certain;
          return certain ? [{ ...certain, lane: made?.lane[i] }] : [];
        });
        for (const a of placed)
          for (const b of placed) if (a !== b && a.lane === b.lane) expect(a.to <= b.from || b.to <= a.from).toBe(true);
      }),
    );
  });

  it('separate buckets, draw the busiest, and say what is left out', () => {
    const many = turnsOf(
      Array.from({ length: 30 }, (_, i) => ({ sent: i, headersAt: i, openUntil: i, to: i + 100, open: undefined })),
    );
    const byUser = many.map((one, i) =>
      one.acceptance ? { ...one, acceptance: { ...one.acceptance, user: `u${i % 10}` } } : one,
    );
    const made = lanesOf(byUser, { max: 2, scope: 'user', named: new Set() });
    expect(made?.lanes.groups).toHaveLength(6);
    expect(made?.leftOut.join()).toContain('the 6 busiest of 10 users are drawn');
    expect(made?.leftOut.join()).toContain('12 turns of 30 left out');
    // A turn's token is unknown: of a limit per token, users are told apart.
    const byToken = lanesOf(byUser, { max: 2, scope: 'token', named: new Set() });
    expect(byToken?.leftOut.join()).toContain('the 6 busiest of 10 users are drawn');
    expect(lanesOf([], { max: 2, scope: 'user', named: new Set() })).toBeUndefined();
  });

  it('are taken again in the instant in which they come free', () => {
    const chain = turnsOf(
      [0, 100, 200].map((sent) => ({ sent, headersAt: sent, openUntil: sent, to: sent + 100, open: undefined })),
    );
    expect(lanesOf(chain, { max: 3, scope: 'application', named: new Set() })?.lanes.lane).toEqual([0, 0, 0]);
  });

  it('are created on demand: a limit that is never reached costs nothing', () => {
    const three = turnsOf(
      [0, 1, 2].map((sent) => ({ sent, headersAt: sent, openUntil: sent + 50, to: sent + 100, open: 50 })),
    );
    const made = lanesOf(three, { max: 1_000_000_000, scope: 'application', named: new Set() })?.lanes;
    expect(made?.lane).toEqual([0, 1, 2]);
    expect(made?.groups.map(({ lanes }) => lanes)).toEqual([3]);
    expect(
      lanesOf(three, { max: 5, scope: 'application', named: new Set() })?.lanes.groups.map(({ lanes }) => lanes),
    ).toEqual([5]);
  });
});
