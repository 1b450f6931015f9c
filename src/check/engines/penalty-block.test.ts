import { describe, expect, it } from 'vitest';
import { unflushed } from '../evidence/bounds.ts';
import { fixedWindowAnchored, fixedWindowPenalty } from '../readings/fixed-window-anchored.ts';
import { refute } from '../readings/reading.exam.ts';
import { type Attempt, admitted, boundsFor, maybe, refused, sliceOf } from '../readings/sample-attempts.exam.ts';
import { admittedWhileBlocked } from './penalty-block.ts';

const burst = (at: number, count: number) => Array.from({ length: count }, () => admitted(at));

describe('an admission while a refusal blocks', () => {
  const block = (attempts: readonly Attempt[], bounds = boundsFor(20, 60_000)) =>
    refute(fixedWindowPenalty, sliceOf(attempts), bounds);

  it('comes less than a window after any refusal since the admission before', () => {
    const twenty = burst(0, 20);
    const proven = { rule: 'fixed-window-penalty-block', because: 'inconsistent', positions: [19, 20, 21] };
    expect(block([...twenty, refused(50_000, 50_010), admitted(60_020, 109_999)])).toMatchObject(proven);
    expect(block([...twenty, refused(50_000, 50_010), admitted(60_020, 110_000)])).toBeUndefined();
    // It may have been decided before the refusal, or have been blocked by none.
    expect(block([...twenty, refused(50_000, 60_020), admitted(60_020, 109_999)])).toBeUndefined();
    // What may have been refused before is over by then.
    const blocked = [...twenty, maybe(49_000, 49_000), refused(50_000, 50_010)];
    expect(block([...blocked, admitted(60_020, 109_000)])).toBeUndefined();
    expect(block([...blocked, admitted(60_020, 108_999)])).toMatchObject({ ...proven, positions: [19, 21, 22] });
    expect(
      refute(fixedWindowAnchored, sliceOf([...twenty, refused(50_000), admitted(60_020)]), boundsFor(20, 60_000)),
    ).toBeUndefined();
  });

  it('is none if the clock may seem to go back, so that an earlier block, after whose end one was admitted, refuses again', () => {
    // Two nodes, of which one is 1,000 behind: for it, the block that the refusal at 50,000 set lasts until 111,000.
    const nodes = boundsFor(20, 60_000, { shortUs: 59_000, longUs: 61_000, slackUs: 1_000 });
    const before = [...burst(0, 20), refused(50_000), admitted(109_900)];
    const after = (at: number) => [...before, refused(at), admitted(at + 100)];
    expect(block(after(110_500), nodes)).toBeUndefined();
    expect(block(after(110_900), nodes)).toBeUndefined();
    const found = (at: number, bounds = nodes) => admittedWhileBlocked(sliceOf(after(at)), bounds);
    expect(found(110_900)).toBeUndefined();
    expect(found(110_901)).toMatchObject({ because: 'inconsistent', positions: [21, 22, 23] });
    // Half as fast as ours, it is behind for twice as long.
    const slow = { ...nodes, drift: 0.5 };
    expect(found(111_900, slow)).toBeUndefined();
    expect(found(111_901, slow)).toBeDefined();
  });

  it('is proven only in a bucket that is completely known', () => {
    const attempts = [...burst(0, 20), refused(50_000), admitted(60_020)];
    expect(block(attempts)).toBeDefined();
    const foreign = { provable: false, missing: ['all'] } as const;
    expect(block(attempts, boundsFor(20, 60_000, { refusals: foreign }))).toBeUndefined();
    expect(block(attempts, boundsFor(20, 60_000, { refusals: unflushed(0, 60_000) }))).toBeUndefined();
    expect(
      fixedWindowPenalty.inconsistent?.({ ...sliceOf(attempts), whole: false }, boundsFor(20, 60_000)),
    ).toBeUndefined();
  });
});
