import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Acceptance, Turn } from '../../../history/index.ts';
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
        const bySeq = new Map<unknown, Turn>(turns.map((one) => [one.acceptance?.seq, one]));
        const placed = (made?.exchange ?? []).flatMap((seq, i) => {
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

  it('end at one instant in all groups if there are too many to draw, and the proofs after it are kept', () => {
    const many = turnsOf(
      Array.from({ length: 12_000 }, (_, i) => ({ sent: i, headersAt: i, openUntil: i + 2, to: i + 3, open: 2 })),
    ).map((one, i): Turn => ({ ...one, acceptance: { ...(one.acceptance as Acceptance), application: `a${i % 2}` } }));
    const made = lanesOf(many, { max: 2, scope: 'application', named: new Set([11_990, 11_999]) });
    expect(made?.lanes.exchange).toHaveLength(10_002);
    expect(made?.lanes.exchange.slice(-3)).toEqual([9_999, 11_990, 11_999]);
    expect(made?.lanes.named).toEqual([10_000, 10_001]);
    const inGroup = (group: number) => made?.lanes.group.filter((one) => one === group).length;
    expect([inGroup(0), inGroup(1)]).toEqual([5_001, 5_001]);
    expect(made?.leftOut).toEqual([
      'the turns accepted after 10 ms are left out, 1,998 of 12,000, except those of proofs: there are too many to draw',
    ]);
  });

  it('of groups too many to draw show those of proofs first', () => {
    const many = turnsOf(
      Array.from({ length: 17 }, (_, i) => ({ sent: i, headersAt: i, openUntil: i, to: i + 100, open: undefined })),
    ).map((one, i): Turn => ({ ...one, acceptance: { ...(one.acceptance as Acceptance), user: `u${i % 8}` } }));
    // u0 has three turns, u7 two like most others, and one of them is in a proof.
    const made = lanesOf(many, { max: 2, scope: 'user', named: new Set([7]) });
    expect(made?.lanes.groups.map(({ name }) => name)).toEqual(['a1/u7', 'a1/u0', 'a1/u1', 'a1/u2', 'a1/u3', 'a1/u4']);
    expect(made?.leftOut).toContain('the 6 busiest of 8 users are drawn, those of proofs first');
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
