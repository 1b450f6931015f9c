import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Acceptance, Turn } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { mostOpenOfOne, openTurns, openTurnsBySecond } from './open-turns.ts';

const SECOND = 1_000_000;

/** Instants on a coarse grid, so that ends touch beginnings and edges of seconds. */
const grid = fc.nat({ max: 16 }).map((quarter) => (quarter * SECOND) / 4);
const turns = fc.array(
  fc.tuple(grid, grid, grid, grid, fc.boolean()).map(([a, b, c, d, ended]): Turn => {
    const [from = 0, certainFrom = 0, certainTo = 0, to = 0] = [a, b, c, d].sort((x, y) => x - y);
    return {
      id: 't',
      state: 'completed',
      possible: { from: us(from), ...(ended && { to: us(to) }) },
      ...(certainTo > certainFrom && { certain: { from: us(certainFrom), to: us(certainTo) } }),
      polls: 0,
      streamEvents: 0,
      regressed: false,
    };
  }),
  { maxLength: 8 },
);

/** Looks at every instant that can matter. */
function byBruteForce(all: readonly Turn[], from: number, before: number) {
  let certain = 0;
  let possible = 0;
  for (let at = 0; at < 5 * SECOND; at += SECOND / 8) {
    if (at < from || at >= before) continue;
    certain = Math.max(
      certain,
      all.filter((turn) => turn.certain && turn.certain.from <= at && at < turn.certain.to).length,
    );
    const open = all.filter(
      (turn) => (turn.possible.from ?? 0) <= at && at <= (turn.possible.to ?? Number.POSITIVE_INFINITY),
    );
    possible = Math.max(possible, open.length);
  }
  return { certain, possible };
}

describe('open turns', () => {
  it('equal a count at every instant, in total and per second', () => {
    fc.assert(
      fc.property(turns, grid, fc.subarray([0, 1, 2, 3, 4]), (all, from, some) => {
        const whole = byBruteForce(all, from, Number.POSITIVE_INFINITY);
        expect(openTurns(all, us(from))).toEqual({ maxCertain: whole.certain, maxPossible: whole.possible });
        const seconds = openTurnsBySecond(all, some);
        expect(seconds.certain.map((certain, i) => ({ certain, possible: seconds.possible[i] }))).toEqual(
          some.map((second) => byBruteForce(all, second * SECOND, (second + 1) * SECOND)),
        );
      }),
    );
  });

  it('are those of the fullest bucket, however many buckets there are', () => {
    const one = {
      state: 'unfinished',
      acceptance: {} as Acceptance,
      polls: 0,
      streamEvents: 0,
      regressed: false,
    } as const;
    const all = Array.from({ length: 150_000 }, (_, n): Turn => ({ ...one, id: `t${n}`, possible: { from: us(n) } }));
    const bucketOf = ({ id }: Turn) => (id === 't7' ? 't5' : id);
    expect(mostOpenOfOne(all, us(0), bucketOf)).toEqual({ maxCertain: 0, maxPossible: 2 });
  });
});
