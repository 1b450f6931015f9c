import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { decide, type Limiter } from './limiter.ts';

/** What the exam needs to know of a limiter. */
export interface Candidate {
  readonly name: string;
  /** A fresh one that admits at most `max`. */
  readonly make: (max: number) => Limiter;
  /** Until when a unit taken at `now` is held or counted, worked out independently of the limiter. */
  readonly freeAt: (now: Micros) => Micros;
}

const start = (Date.UTC(2026, 10, 21, 12, 0, 17, 250) * 1_000) as Micros;
const later = (now: Micros, us: number) => (now + us) as Micros;

/** What every limiter owes, whatever its algorithm. */
export function examine({ name, make, freeAt }: Candidate): void {
  describe(`${name} sits the limiters' exam`, () => {
    const taking = (limiter: Limiter, now: Micros, key = 'a') => decide(limiter, key, now, freeAt(now));

    it('admits the N-th and refuses the N+1-th at one instant, counting down', () => {
      const limiter = make(3);
      const decisions = [1, 2, 3, 4].map(() => taking(limiter, start));
      expect(decisions.map((decision) => (decision.admitted ? decision.remaining : 'refused'))).toEqual([
        2,
        1,
        0,
        'refused',
      ]);
    });

    it('names the exact instant of the next admission: one microsecond before it refuses, at it admits', () => {
      const limiter = make(2);
      taking(limiter, start);
      taking(limiter, later(start, 5));
      const refused = taking(limiter, later(start, 9));
      expect(refused).toEqual({ admitted: false, retryAtUs: freeAt(start) });
      expect(taking(limiter, later(freeAt(start), -1)).admitted).toBe(false);
      expect(taking(limiter, freeAt(start)).admitted).toBe(true);
    });

    it('keeps its keys apart', () => {
      const limiter = make(1);
      expect(
        [taking(limiter, start, 'a'), taking(limiter, start, 'b'), taking(limiter, start, 'a')].map((d) => d.admitted),
      ).toEqual([true, true, false]);
    });

    it('changes nothing by looking or by refusing', () => {
      const limiter = make(1);
      for (let i = 0; i < 5; i++) expect(limiter.peek('a', start)).toMatchObject({ admitted: true, remaining: 0 });
      taking(limiter, start);
      const first = limiter.peek('a', start);
      for (let i = 0; i < 5; i++) expect(taking(limiter, start)).toEqual(first);
    });

    it('never has more than N units out, and refuses only while N are out', () => {
      const gaps = fc.array(fc.oneof(fc.nat(5), fc.nat(20_000_000), fc.nat(90_000_000_000)), {
        minLength: 1,
        maxLength: 60,
      });
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 5 }), gaps, (max, waits) => {
          const limiter = make(max);
          const out: Micros[] = [];
          let now = start;
          for (const wait of waits) {
            now = later(now, wait);
            const held = out.filter((free) => free > now).sort((a, b) => a - b);
            const decision = taking(limiter, now);
            expect(decision.admitted).toBe(held.length < max);
            if (decision.admitted) out.push(freeAt(now));
            else expect(decision.retryAtUs).toBe(held[0]);
          }
        }),
      );
    });
  });
}
