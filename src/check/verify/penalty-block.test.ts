import { describe, expect, it } from 'vitest';
import { wasBlocked } from './penalty-block.ts';
import type { Decided } from './raw.ts';
import { type Rival, rivalsOf } from './rivals.exam.ts';

/** An admission, a refusal and an admission, of windows of 60. */
const holds = (three: readonly [Decided, Decided, Decided], others: readonly Rival[] = []): boolean => {
  const [before, refusal, after] = three;
  const rivals: Rival[] = [
    [before.from, before.to],
    [refusal.from, refusal.to, 'refused'],
    [after.from, after.to],
  ];
  return wasBlocked(three, rivalsOf([...rivals, ...others]), 60);
};

describe('a request between two that were admitted was refused and blocked the later one', () => {
  const [before, refusal, after] = [
    { from: 0, to: 2 },
    { from: 50, to: 52 },
    { from: 60, to: 109 },
  ];

  it('if that came less than a window later', () => {
    expect(holds([before, refusal, after])).toBe(true);
    expect(holds([before, refusal, { ...after, to: 110 }])).toBe(false);
  });

  it('if each was decided before the next one was sent', () => {
    expect(holds([{ from: 0, to: 50 }, refusal, after])).toBe(false);
    expect(holds([before, { from: 50, to: 60 }, after])).toBe(false);
    expect(holds([after, refusal, before])).toBe(false);
  });

  it('unless the block may have begun with an earlier refusal', () => {
    expect(holds([before, refusal, after], [[49, 70, 'refused']])).toBe(false);
    expect(holds([before, refusal, after], [[49, 49, 'perhaps']])).toBe(false);
    expect(holds([before, refusal, after], [[-9, 2, 'perhaps']])).toBe(false);
    // Before the first admission, or admitted: neither blocks.
    expect(
      holds(
        [before, refusal, after],
        [
          [-9, -1, 'refused'],
          [20, 20],
        ],
      ),
    ).toBe(true);
    // At the latest with the earlier admission.
    expect(holds([before, refusal, { from: 55, to: 59 }], [[-9, 9, 'perhaps']])).toBe(true);
  });
});
