import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { runs } from '../../testing/share.ts';
import type { Ask, Decision, Limiter } from './limiter.ts';
import type { Attempt, Rule } from './reference.exam.ts';

/** Peeks, then takes the unit or counts the refusal. */
export function decide(limiter: Limiter, ask: Ask): Decision {
  const decision = limiter.peek(ask);
  if (decision.admitted) limiter.take(ask);
  else limiter.refuse?.(ask);
  return decision;
}

/** A limiter under test. */
export interface Candidate {
  readonly name: string;
  readonly make: (max: number) => Limiter;
  /** A naive implementation of the same decision rule. */
  readonly rule: Rule;
  /** Window, day or longest hold: after this long, earlier requests no longer matter. */
  readonly windowUs: number;
  /** Maximum of admissions in a closed interval of this length (limits.md, table 1.1); absent for limits with held units. */
  readonly most?: (max: number, lengthUs: number) => number;
  /** Time zone of the caller, for limits by its day; default UTC. */
  readonly timezone?: string;
}

/** Not on the boundary of any window. */
const start = (Date.UTC(2026, 10, 21, 12, 0, 17, 250) * 1_000 + 7) as Micros;
/** Runs per law and candidate. */
const RUNS = { numRuns: runs(60) };

/** How long each held unit is held. */
export const HELD_US = 7_000_000;

/** Laws that hold for every limiter. */
export function examine(candidate: Candidate): void {
  const { name, make, rule, windowUs, most, timezone } = candidate;
  const askAt = (now: number, key = 'a'): Ask => ({
    key,
    now: now as Micros,
    heldUntil: (now + HELD_US) as Micros,
    ...(timezone !== undefined && { timezone }),
  });
  /** Units available at an instant, as reported by the limiter. */
  const unitsAt = (limiter: Limiter, now: number) => {
    const decision = limiter.peek(askAt(now));
    return decision.admitted ? decision.remaining + 1 : 0;
  };
  const copyOf = (limiter: Limiter, max: number, now: number) => {
    const copy = make(max);
    copy.load(JSON.parse(JSON.stringify(limiter.save(now as Micros))));
    return copy;
  };
  /** Waits that cover the edges: none, a microsecond, around the spacing, around the window, much longer. */
  const waits = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(0, 0, 1, 2) },
      { weight: 2, arbitrary: fc.nat(Math.floor(windowUs / 3)) },
      { weight: 1, arbitrary: fc.constantFrom(windowUs - 1, windowUs, windowUs + 1, Math.floor(windowUs / 2)) },
      { weight: 1, arbitrary: fc.nat(4 * windowUs) },
      { weight: 1, arbitrary: fc.constantFrom(HELD_US - 1, HELD_US) },
    ),
    { minLength: 1, maxLength: 60 },
  );
  const maxima = fc.constantFrom(1, 2, 3, 5, 7);
  /** Plays a sequence of waits and passes each instant to `look`. */
  const play = (
    max: number,
    gaps: readonly number[],
    look: (limiter: Limiter, now: number, past: Attempt[]) => Decision,
  ) => {
    const limiter = make(max);
    const past: Attempt[] = [];
    let now: number = start;
    for (const gap of gaps) {
      now += gap;
      const { admitted } = look(limiter, now, past);
      past.push({ at: now, admitted, until: now + HELD_US });
    }
    return past;
  };
  const taking = (limiter: Limiter, now: number) => decide(limiter, askAt(now));

  describe(`${name} sits the limiters' exam`, () => {
    it('decides as its rule says', () => {
      fc.assert(
        fc.property(maxima, waits, (max, gaps) => {
          play(max, gaps, (limiter, now, past) => {
            const decision = taking(limiter, now);
            expect(decision.admitted).toBe(rule(past, now as Micros, max));
            return decision;
          });
        }),
        RUNS,
      );
    });

    it('names the exact instant of the next admission: a microsecond before it refuses, at it admits', () => {
      fc.assert(
        fc.property(maxima, waits, (max, gaps) => {
          play(max, gaps, (limiter, now) => {
            const decision = taking(limiter, now);
            if (decision.admitted) return decision;
            expect(decision.retryAtUs).toBeGreaterThan(now);
            expect(limiter.peek(askAt(decision.retryAtUs - 1)).admitted).toBe(false);
            expect(limiter.peek(askAt(decision.retryAtUs)).admitted).toBe(true);
            return decision;
          });
        }),
        RUNS,
      );
    });

    it('has as many units left as it says, and more of them at the instant that it names, not a microsecond earlier', () => {
      fc.assert(
        fc.property(maxima, waits, (max, gaps) => {
          play(max, gaps, (limiter, now) => {
            const decision = taking(limiter, now);
            if (!decision.admitted) return decision;
            expect(unitsAt(limiter, now)).toBe(decision.remaining);
            const copy = copyOf(limiter, max, now);
            for (let i = 0; i < decision.remaining; i++) expect(taking(copy, now).admitted).toBe(true);
            expect(copy.peek(askAt(now)).admitted).toBe(false);
            if (decision.resetAtUs !== undefined) {
              expect(unitsAt(limiter, decision.resetAtUs - 1)).toBe(decision.remaining);
              expect(unitsAt(limiter, decision.resetAtUs)).toBeGreaterThan(decision.remaining);
            }
            return decision;
          });
        }),
        RUNS,
      );
    });

    it('changes nothing by looking, and by refusing only where it says so', () => {
      fc.assert(
        fc.property(maxima, waits, (max, gaps) => {
          play(max, gaps, (limiter, now) => {
            const before = JSON.stringify(limiter.stateOf('a'));
            const seen = limiter.peek(askAt(now));
            expect([limiter.peek(askAt(now)), JSON.stringify(limiter.stateOf('a'))]).toEqual([seen, before]);
            const decision = taking(limiter, now);
            expect(decision).toEqual(seen);
            if (!decision.admitted && !limiter.refuse) expect(JSON.stringify(limiter.stateOf('a'))).toBe(before);
            return decision;
          });
        }),
        RUNS,
      );
    });

    it('goes on from its saved state as if nothing had happened, through JSON', () => {
      fc.assert(
        fc.property(maxima, waits, fc.nat(59), (max, gaps, stop) => {
          let current: Limiter | undefined;
          const stopped = play(max, gaps, (limiter, now, past) => {
            current ??= limiter;
            if (past.length === stop) current = copyOf(current, max, now);
            return taking(current, now);
          });
          expect(stopped).toEqual(play(max, gaps, taking));
        }),
        RUNS,
      );
    });

    it('keeps its keys apart, whatever they are called', () => {
      fc.assert(
        fc.property(maxima, waits, (max, gaps) => {
          const both = make(max);
          const alone = { a: make(max), __proto__x: make(max) };
          let now: number = start;
          for (const [index, gap] of gaps.entries()) {
            now += gap;
            const key = index % 3 === 0 ? '__proto__x' : 'a';
            expect(decide(both, askAt(now, key))).toEqual(decide(alone[key], askAt(now, key)));
          }
        }),
        RUNS,
      );
      const [limiter, fresh] = [make(1), make(1).peek(askAt(start))];
      decide(limiter, askAt(start, '__proto__'));
      const copy = copyOf(limiter, 1, start);
      expect(copy.peek(askAt(start, '__proto__'))).toEqual(limiter.peek(askAt(start, '__proto__')));
      expect([copy.peek(askAt(start, 'b')), copy.size]).toEqual([fresh, 1]);
    });

    if (most) {
      it('never admits more in any interval than its bound', () => {
        fc.assert(
          fc.property(maxima, waits, (max, gaps) => {
            const times = play(max, gaps, taking).flatMap(({ at, admitted }) => (admitted ? [at] : []));
            const exceeded = times.flatMap((from, i) =>
              times.slice(i).flatMap((to, k) => (k + 1 <= most(max, to - from) ? [] : [{ from, to, admitted: k + 1 }])),
            );
            expect(exceeded).toEqual([]);
          }),
          RUNS,
        );
      });
    }

    it('forgets keys that are no longer relevant', () => {
      const limiter = make(2);
      let now: number = start;
      let most = 0;
      for (let i = 0; i < 5_000; i++) {
        now += windowUs / 50;
        decide(limiter, askAt(now, `key ${i}`));
        most = Math.max(most, limiter.size);
      }
      expect(most).toBeLessThan(1_000);
      expect(Object.keys(limiter.save((now + 3 * windowUs) as Micros))).toEqual([]);
      const later = askAt(now + 3 * windowUs, 'key 4999');
      expect(limiter.peek(later)).toEqual(make(2).peek(later));
    });
  });
}
