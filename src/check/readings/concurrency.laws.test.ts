import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { Part } from '../evidence/slice.ts';
import type { Cores, TurnSlice } from '../slots/turn-slice.ts';
import { acceptedToFinished } from './concurrency.ts';
import { bounds, possible, RUNS } from './exhaustive.exam.ts';
import { halves } from './sample-attempts.exam.ts';

interface SampleTurn {
  readonly from: number;
  readonly to: number;
  /** Seen open at; absent: never. */
  readonly seen?: number;
}

const noCores: Cores = { size: 0, from: new Float64Array(), to: new Float64Array(), proof: [] };

function turnSlice(
  turns: readonly SampleTurn[],
  untils: readonly number[] = [],
  refusal?: [number, number],
): TurnSlice {
  const sorted = [...turns].sort((a, b) => a.from - b.from);
  const cores = sorted
    .flatMap(({ to, seen }, i) => (seen !== undefined && seen > to ? [{ from: to, to: seen, proof: [i] }] : []))
    .sort((a, b) => a.from - b.from);
  const rows = refusal ? [...sorted, { from: refusal[0], to: refusal[1] }] : sorted;
  const froms = Float64Array.from(rows, ({ from }) => from);
  return {
    size: rows.length,
    from: froms,
    to: Float64Array.from(rows, ({ to }) => to),
    part: Uint8Array.from(rows, (_, i) => (i < sorted.length ? Part.admitted : Part.refused)),
    row: Uint32Array.from(rows.keys()),
    until: Float64Array.from(rows, (_, i) => (i < sorted.length ? (untils[i] ?? Infinity) : -Infinity)),
    workFrom: froms,
    open: {
      size: cores.length,
      from: Float64Array.from(cores, ({ from }) => from),
      to: Float64Array.from(cores, ({ to }) => to),
      proof: cores.map(({ proof }) => proof),
    },
    working: noCores,
    scope: {},
  };
}

/** Whether instants of acceptance exist with no more than `max` slots taken. A turn holds from acceptance until last seen open. */
function canBeKept(turns: readonly SampleTurn[], max: number): boolean {
  const end = (turn: SampleTurn, at: number) => Math.max(at, turn.seen ?? at);
  const kept = (chosen: readonly number[]) => {
    if (chosen.length < turns.length) return true;
    const held = chosen.map((at, i) => ({ from: at, to: end(turns[i] as SampleTurn, at) }));
    // Where one ends as another begins, the order is the service's to choose.
    const over = (t: number) => held.filter(({ from, to }) => from < t && t < to).length;
    const instants = held.flatMap(({ from, to }) => [from + 0.25, to - 0.25]);
    const taken = held.every(({ from, to }) => to > from || over(from) < max);
    return taken && instants.every((t) => over(t) <= max);
  };
  return possible(
    turns.map(({ from, to }) => halves(from, to)),
    kept,
  );
}

const sampleTurn = fc
  .record({ from: fc.nat(8), width: fc.nat(3), seen: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }) })
  .map(({ from, width, seen }) => ({
    from,
    to: from + width,
    ...(seen !== undefined && { seen: from + width + seen }),
  }));

describe('slots from acceptance to finish', () => {
  it('are refuted by what was accepted exactly when no instants of acceptance keep the limit', () => {
    let refuted = 0;
    fc.assert(
      fc.property(
        fc.array(sampleTurn, { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 2 }),
        (turns, max) => {
          const draft = acceptedToFinished.overAdmission(turnSlice(turns), bounds(max, 0));
          if (draft) refuted += 1;
          expect(draft === undefined).toBe(canBeKept(turns, max));
        },
      ),
      RUNS,
    );
    expect(refuted).toBeGreaterThan(runs(100) / 2);
  });

  it('do not explain a refusal exactly when at no instant of it enough turns may have held one', () => {
    const held = fc.record({ from: fc.nat(8), width: fc.nat(3), until: fc.option(fc.nat(6), { nil: undefined }) });
    let refuted = 0;
    fc.assert(
      fc.property(
        fc.array(held, { maxLength: 5 }),
        fc.tuple(fc.nat(14), fc.nat(4)),
        fc.integer({ min: 1, max: 3 }),
        (holders, [at, width], max) => {
          const sorted = [...holders].sort((a, b) => a.from - b.from);
          const turns = sorted.map(({ from, width: w }) => ({ from, to: from + w }));
          const untils = sorted.map(({ from, width: w, until }) => (until === undefined ? Infinity : from + w + until));
          const slice = turnSlice(turns, untils, [at, at + width]);
          const most = Math.max(
            ...halves(at, at + width).map(
              (t) => turns.filter(({ from }, i) => from <= t && (untils[i] as number) >= t).length,
            ),
          );
          const unexplained = [...acceptedToFinished.unexplained(slice, bounds(max, 0))];
          if (unexplained.length > 0) refuted += 1;
          expect(unexplained).toEqual(most < max ? [turns.length] : []);
          if (most < max)
            expect(acceptedToFinished.wrongfulRefusal(slice, bounds(max, 0), turns.length)).toMatchObject({
              observed: most,
            });
        },
      ),
      RUNS,
    );
    expect(refuted).toBeGreaterThan(runs(100) / 2);
  });
});
