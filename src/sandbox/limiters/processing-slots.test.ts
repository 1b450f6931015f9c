import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import type { Limiter } from './limiter.ts';
import { processingSlots } from './processing-slots.ts';

interface Span {
  readonly from: number;
  readonly until: number;
}

const heldAt = (spans: readonly Span[], at: number) =>
  spans.filter(({ from, until }) => from <= at && at < until).length;
const us = (value: number) => value as Micros;

/** The expected result of `freeFrom`, found by trying every instant. */
function earliest(spans: readonly Span[], max: number, from: number, lasting: number): number {
  for (let at = from; ; at++) {
    const during = Array.from({ length: lasting }, (_, i) => heldAt(spans, at + i));
    if (during.every((held) => held < max)) return at;
  }
}

/** Sends one request. @returns the decision, and when it holds its slot */
function send(limiter: Limiter, at: number, waits: number, lasts: number) {
  const ask = { key: 'a', now: us(at) };
  const decision = limiter.peek(ask);
  if (!decision.admitted) return { decision };
  const wanted = { ...ask, heldFrom: us(at + waits), heldUntil: us(at + waits + lasts) };
  const from = limiter.freeFrom?.(wanted) ?? Number.NaN;
  limiter.take({ ...ask, heldFrom: us(from), heldUntil: us(from + lasts) });
  return { decision, span: { from, until: from + lasts } };
}

describe('processing slots', () => {
  it('as worked out by hand: at, wait, length → when the slot is held, or until when all are', () => {
    const limiter = processingSlots({ max: 2 });
    const rows = [
      [0, 10, 20, '10 to 30'],
      [0, 10, 20, '10 to 30'],
      // Both are taken from 10 to 30: the third waits.
      [0, 10, 20, '30 to 50'],
      // Before 10 there is room for one that is short enough, to the microsecond.
      [0, 3, 7, '3 to 10'],
      [0, 3, 8, '30 to 38'],
      [9, 1, 1, '38 to 39'],
      [10, 1, 1, 'until 39'],
      // Two begin at 30, when two end, and another at 38.
      [30, 1, 1, 'until 39'],
      [38, 1, 1, 'until 39'],
      // From 39 to 50 there is one.
      [39, 0, 1, '39 to 40'],
      [39, 0, 1, 'until 40'],
      [50, 0, 5, '50 to 55'],
    ] as const;
    const seen = rows.map(([at, waits, lasts]) => {
      const { decision, span } = send(limiter, at, waits, lasts);
      return decision.admitted ? `${span?.from} to ${span?.until}` : `until ${decision.retryAtUs}`;
    });
    expect(seen).toEqual(rows.map(([, , , expected]) => expected));
  });

  const requests = fc.array(fc.record({ gap: fc.nat(6), waits: fc.nat(8), lasts: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 40,
  });

  it('are never held by more than there are, begin as early as they can, and refuse exactly while all are held', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), requests, (max, list) => {
        const limiter = processingSlots({ max });
        const spans: Span[] = [];
        let at = 0;
        for (const { gap, waits, lasts } of list) {
          at += gap;
          const begins = earliest(spans, max, at + waits, lasts);
          const { decision, span } = send(limiter, at, waits, lasts);
          expect(decision.admitted).toBe(heldAt(spans, at) < max);
          if (span) {
            expect(span.from).toBe(begins);
            spans.push(span);
          } else if (!decision.admitted) {
            expect(decision.retryAtUs).toBe(earliest(spans, max, at, 1));
          }
        }
        for (const { from } of spans) expect(heldAt(spans, from)).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('go on from their saved state, through JSON', () => {
    fc.assert(
      fc.property(requests, fc.nat(39), (list, stop) => {
        const play = (stopAt: number) => {
          let limiter = processingSlots({ max: 2 });
          let at = 0;
          return list.map(({ gap, waits, lasts }, index) => {
            at += gap;
            if (index === stopAt) {
              const saved = JSON.parse(JSON.stringify(limiter.save(us(at))));
              limiter = processingSlots({ max: 2 });
              limiter.load(saved);
            }
            return send(limiter, at, waits, lasts);
          });
        };
        expect(play(stop)).toEqual(play(-1));
      }),
    );
  });
});
