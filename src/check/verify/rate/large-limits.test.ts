import { describe, expect, it } from 'vitest';
import type { Arcs } from '../../certificates/certificate.ts';
import type { Decided } from '../raw/raw.ts';
import { rivalsOf } from '../raw/rivals.exam.ts';
import { holdsArcs, type RawArc } from './arcs.ts';
import { boundariesRuledOut, neverLeftAlone, overfullWithin } from './counter.ts';

describe('a proof may name more requests than a call has arguments', () => {
  const max = 200_000;
  const terms = { max, windowUs: 1e6, shortUs: 1e6, longUs: 1e6, slackUs: 0, slackAt: () => 0 };
  const decided = (count: number, from: number, to: number): Decided[] =>
    Array.from({ length: count }, () => ({ from, to }));

  it('about where windows begin', () => {
    const begins = (from: number, to: number): RawArc => ({
      says: 'boundary-within',
      decided: decided(max + 1, from, to),
    });
    const holds = (...arcs: RawArc[]) => holdsArcs({ rule: 'fixed-window-arcs' } as Arcs, arcs, terms);
    expect(holds(begins(0, 10), begins(20, 30))).toBe(true);
    expect(holds(begins(0, 10), begins(10, 30))).toBe(false);
  });

  it('about a sliding counter', () => {
    const named = [...decided(max, 10, 20), ...decided(max, 1_000_020, 1_000_030)];
    const arc = { from: 900_000, to: 1_000_000, decided: named };
    expect(boundariesRuledOut(arc, terms)).toBe(true);
    // Two more than N, of which the earlier ones weigh as much as 2 of 200,000 windows.
    const within = overfullWithin(arc, terms);
    expect(within?.from).toBeCloseTo(40, 3);
    expect(within?.to).toBe(1_000_010);
    expect(neverLeftAlone(named, rivalsOf([]), terms)).toBe(true);
  });
});
