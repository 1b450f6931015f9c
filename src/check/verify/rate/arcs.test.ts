import { describe, expect, it } from 'vitest';
import type { Arcs } from '../../certificates/certificate.ts';
import { type Rival, rivalsOf, times } from '../raw/rivals.exam.ts';
import { holdsArcs, type RawArc } from './arcs.ts';
import { MAX, W } from './edges.exam.ts';

describe('arcs', () => {
  const arcTerms = { max: MAX, windowUs: W, shortUs: W, longUs: W, slackUs: 0, slackAt: (_: number) => 0 };
  const holds = (rule: Arcs['rule'], arcs: readonly RawArc[], members: Partial<typeof arcTerms> = {}) =>
    holdsArcs({ rule } as Arcs, arcs, { ...arcTerms, ...members });
  const begins = (from: number, to: number, count = 6): RawArc => ({
    says: 'boundary-within',
    decided: [
      { from, to: from + 1 },
      ...Array.from({ length: count - 2 }, () => ({ from: from + 1, to })),
      { from, to },
    ],
  });
  /** Refused at `to` although only four more than one came after `from`. */
  const beginsNot = (from: number, to: number): RawArc => ({
    says: 'no-boundary-within',
    refusal: { from: to, to: to + 1, index: -1 },
    rivals: rivalsOf([[from, from], ...times(4, from + 0.5, from + 0.5)]),
  });
  const aligned = (at: number, plusMinusUs = 0): RawArc => ({ says: 'aligned', at, plusMinusUs });

  it('that no beginning satisfies refute windows of one phase', () => {
    const refutes = (...arcs: RawArc[]) => holds('fixed-window-arcs', arcs);
    expect(refutes(begins(0, 10))).toBe(false);
    expect(refutes(begins(0, 10), begins(20, 30))).toBe(true);
    expect(refutes(begins(0, 10), begins(10, 30))).toBe(false);
    expect(refutes(begins(0, 10), begins(68, 75))).toBe(false);
    expect(refutes(begins(0, 10), begins(71, 75))).toBe(true);
    expect(refutes(begins(0, 30), begins(20, 50), begins(45, 65))).toBe(true);
    expect(refutes(begins(0, 30), begins(20, 50), begins(25, 65))).toBe(false);
    // Where one must begin, none does.
    expect(refutes(begins(10, 20), beginsNot(5, 25))).toBe(true);
    expect(refutes(begins(10, 20), beginsNot(15, 25))).toBe(false);
    expect(refutes(begins(10, 20), beginsNot(65, 85))).toBe(true);
    // Nowhere at all.
    expect(refutes(beginsNot(10, 69))).toBe(false);
    expect(refutes(beginsNot(10, 71))).toBe(true);
    expect(refutes(beginsNot(0, 40), beginsNot(30, 59))).toBe(false);
    expect(refutes(beginsNot(0, 40), beginsNot(30, 70))).toBe(true);
    expect(refutes(aligned(0, 2), begins(3, 20))).toBe(true);
    expect(refutes(aligned(0, 3), begins(3, 20))).toBe(false);
    expect(refutes(aligned(-57, 0), begins(3, 20))).toBe(false);
    expect(refutes(aligned(0, 30), begins(3, 20))).toBe(false);
  });

  it('are as uncertain as clocks are', () => {
    const slackAt = (t: number) => t / 10;
    expect(holds('fixed-window-arcs', [begins(0, 10), begins(13, 20)])).toBe(true);
    expect(holds('fixed-window-arcs', [begins(0, 10), begins(13, 20)], { slackAt })).toBe(false);
    expect(holds('fixed-window-arcs', [begins(11, 19), beginsNot(9, 20)])).toBe(true);
    expect(holds('fixed-window-arcs', [begins(11, 19), beginsNot(9, 20)], { slackAt })).toBe(false);
    // By the uncertainty of whichever end is less certain.
    expect(holds('fixed-window-arcs', [begins(12, 16), beginsNot(9, 20)], { slackAt })).toBe(false);
    expect(holds('fixed-window-arcs', [begins(14, 15), beginsNot(9, 20)], { slackAt })).toBe(true);
  });

  it('follow only from more than five within less than a window', () => {
    expect(holds('fixed-window-arcs', [begins(0, 10), begins(20, 30, 6)])).toBe(true);
    expect(holds('fixed-window-arcs', [begins(0, 10), begins(20, 30, 5)])).toBe(false);
    expect(holds('fixed-window-arcs', [aligned(15), begins(20, 74, 6)])).toBe(true);
    expect(holds('fixed-window-arcs', [aligned(15), begins(20, 74, 6)], { shortUs: 54 })).toBe(false);
    expect(holds('fixed-window-arcs', [begins(0, 10), begins(20, 30)], { shortUs: 0 })).toBe(false);
    expect(holds('fixed-window-anchored-arcs', [begins(0, 10), begins(20, 30)], { shortUs: 0 })).toBe(false);
  });

  it('of several windows follow from more than five in each: the first of them begins so much earlier than the last', () => {
    const two = begins(0, 70, 11);
    const refutes = (...arcs: RawArc[]) => holds('fixed-window-arcs', arcs);
    expect(refutes(two, begins(11, 12))).toBe(true);
    expect(refutes(two, begins(10, 12))).toBe(false);
    expect(refutes(begins(0, 70, 10), begins(11, 12))).toBe(false);
    expect(refutes(two, begins(-2, -1))).toBe(true);
    expect(refutes(two, begins(62, 68))).toBe(false);
    expect(refutes(aligned(11), begins(0, 119, 11))).toBe(false);
    expect(refutes(aligned(11), begins(0, 120, 11))).toBe(false);
    expect(refutes(aligned(11), begins(0, 130, 16))).toBe(true);
    // Each window may be shorter than it should be.
    expect(holds('fixed-window-arcs', [two, begins(11, 12)], { shortUs: 36 })).toBe(true);
    expect(holds('fixed-window-arcs', [two, begins(11, 12)], { shortUs: 35 })).toBe(false);
    const slackAt = () => 1;
    expect(holds('fixed-window-arcs', [two, begins(12, 13)], { slackAt })).toBe(false);
    expect(holds('fixed-window-arcs', [two, begins(13, 14)], { slackAt })).toBe(true);
    // More than two windows hold, in less than one: wherever that begins.
    expect(refutes(begins(0, 59, 11))).toBe(true);
    expect(refutes(begins(0, 61, 11))).toBe(false);
    expect(holds('fixed-window-arcs', [begins(0, 59, 11)], { slackAt })).toBe(false);
    expect(holds('fixed-window-arcs', [begins(0, 57, 11)], { slackAt })).toBe(true);
    // Windows that begin with a request need not follow one another at once.
    expect(holds('fixed-window-anchored-arcs', [two, begins(11, 12)])).toBe(false);
  });

  it('of a refusal reach back to the fifth before it, of those that may have counted', () => {
    const refusal = { from: 50, to: 51, index: 9 };
    const only = (rivals: readonly Rival[], index = 9) =>
      holds('fixed-window-arcs', [
        begins(30, 40),
        { says: 'no-boundary-within', refusal: { ...refusal, index }, rivals: rivalsOf(rivals) },
      ]);
    expect(only(times(5, 29, 29))).toBe(true);
    expect(only(times(5, 45, 45))).toBe(false);
    expect(only([...times(4, 45, 45), ...times(2, 29, 29)])).toBe(true);
    expect(only([...times(4, 45, 45), [29, 46]])).toBe(false);
    expect(only([...times(4, 45, 45), [51, 90]])).toBe(false);
    expect(only([...times(4, 45, 45), [52, 90]])).toBe(true);
    expect(only([...times(4, 45, 45), [45, 45, 'refused']])).toBe(true);
    expect(only([...times(4, 45, 45), [45, 45, 'perhaps']])).toBe(false);
    expect(only([...times(4, 45, 45), [50, 51]], 4)).toBe(true);
    expect(only(times(2, 45, 45))).toBe(true);
  });

  it('rule out boundaries of a sliding counter by N + 2 admitted with the weight of the window before', () => {
    const arc = (from: number, to: number, ...decided: readonly (readonly [number, number, number])[]): RawArc => ({
      says: 'counter',
      from,
      to,
      decided: decided.flatMap(([count, first, last]) =>
        Array.from({ length: count }, () => ({ from: first, to: last })),
      ),
    });
    const rulesOut = (one: RawArc, members: Partial<typeof arcTerms> = {}) =>
      holds('sliding-counter-arcs', [one, arc(9, 41, [7, 41, 41]), arc(39, 61, [7, 61, 61])], members);
    // Seven in one window of five; with the two others the circle is full. Where only one side is, it is not.
    expect(rulesOut(arc(-1, 11, [7, 11, 11]))).toBe(true);
    expect(rulesOut(arc(-1, 11, [6, 11, 11]))).toBe(false);
    expect(rulesOut(arc(-1, 9.5, [7, 11, 11]))).toBe(true);
    expect(rulesOut(arc(-1, 8.5, [7, 11, 11]))).toBe(false);
    // Which lies neither surely before nor surely within is no proof.
    expect(rulesOut(arc(-1, 11, [7, 11, 11], [1, -2, -1]))).toBe(true);
    expect(rulesOut(arc(-1, 11, [7, 11, 11], [1, -2, -0.5]))).toBe(false);
    expect(rulesOut(arc(-1, 11, [6, 11, 11], [1, 10.5, 12]))).toBe(false);
    // Of ten before, a fifth weighs after four fifths of the window: 12 of its 60 are left at 48.
    expect(rulesOut(arc(0, 12, [5, 12, 48], [10, -40, 0]))).toBe(true);
    expect(rulesOut(arc(0, 12, [5, 12, 48.01], [10, -40, 0]))).toBe(false);
    expect(rulesOut(arc(0, 12, [5, 12, 48], [9, -40, 0]))).toBe(false);
    expect(rulesOut(arc(0, 12, [5, 12, 48], [10, -48, 0]))).toBe(true);
    expect(rulesOut(arc(0, 12, [5, 12, 48], [10, -48.01, 0]))).toBe(false);
    expect(rulesOut(arc(0, 12, [5, 12, 47], [10, -40, 0]), { slackUs: 1 })).toBe(true);
    expect(rulesOut(arc(0, 12, [5, 12, 47.01], [10, -40, 0]), { slackUs: 1 })).toBe(false);
    // By rounding, what ended a window before a boundary may seem to have ended earlier.
    const [end, long] = [1e8, 60e6 / 0.9995 + 1_000.3];
    const last = end + long + 20e6;
    const rivals = rivalsOf([...times(20, end, end), ...times(10, last, last)]);
    const forged: RawArc = {
      says: 'counter',
      from: end + 50e6,
      to: last - 1e6,
      refusal: { from: last, to: last, index: -1 },
      rivals,
    };
    expect(holds('sliding-counter-arcs', [forged], { max: 20, windowUs: 60e6, shortUs: 60e6, longUs: long })).toBe(
      false,
    );
    // Nothing within, an arc of no length, an arc without end.
    expect(rulesOut(arc(0, 12, [70, -40, 0]))).toBe(false);
    expect(rulesOut(arc(12, 12, [7, 12, 12]))).toBe(false);
    expect(rulesOut(arc(Number.NEGATIVE_INFINITY, 11, [7, 11, 11]))).toBe(false);
    // A window's length after the boundary begins the next one.
    expect(rulesOut(arc(-1, 11, [7, 11, 59]))).toBe(true);
    expect(rulesOut(arc(-1, 11, [7, 11, 59.1]))).toBe(false);
  });

  it('rule out boundaries of a sliding counter by refusals with less than N − 1 before them', () => {
    const light = (from: number, to: number, rivals: readonly Rival[], index = -1): RawArc => ({
      says: 'counter',
      from,
      to,
      refusal: { from: 50, to: 51, index },
      rivals: rivalsOf(rivals),
    });
    const rest: RawArc = {
      says: 'counter',
      from: 29,
      to: 62,
      decided: times(7, 62, 62).map(([from, to]) => ({ from, to })),
    };
    const rulesOut = (one: RawArc, members: Partial<typeof arcTerms> = {}) =>
      holds('sliding-counter-arcs', [one, rest], members);
    // Three count whatever the boundary; a fourth is as many as may refuse.
    expect(rulesOut(light(0, 30, times(3, 49, 50)))).toBe(true);
    expect(rulesOut(light(0, 30, times(4, 49, 50)))).toBe(false);
    expect(rulesOut(light(0, 30, [...times(3, 49, 50), [48, 48, 'refused']]))).toBe(false);
    expect(rulesOut(light(0, 30, [...times(3, 49, 50), [48, 48, 'perhaps']]))).toBe(false);
    expect(rulesOut(light(0, 30, [...times(3, 49, 50), [51, 90]]))).toBe(false);
    expect(rulesOut(light(0, 30, [...times(3, 49, 50), [51.5, 90]]))).toBe(true);
    expect(rulesOut(light(0, 30, [...times(3, 49, 50), [50, 51]], 3))).toBe(true);
    // Of the window before, 1 − (50 − 30) / 60 of each weighs at the end of the arc: of five 3.33, of six 4.
    expect(rulesOut(light(0, 30, times(5, -1, 0)))).toBe(true);
    expect(rulesOut(light(0, 30, times(6, -1, 0)))).toBe(false);
    expect(rulesOut(light(0, 30, times(6, -1, 0)), { slackUs: 1 })).toBe(false);
    expect(rulesOut(light(0, 29.9, times(6, -1, 0)))).toBe(true);
    expect(rulesOut(light(0, 29.9, times(6, -1, 0)), { slackUs: 0.2 })).toBe(false);
    // What ends within the arc is in the window with a boundary before its end.
    expect(rulesOut(light(0, 30, times(4, 1, 1)))).toBe(false);
    expect(rulesOut(light(1, 30, times(4, 1, 1)))).toBe(true);
    // What ended a window before a boundary weighs nothing: at the end of the arc, not all along it.
    expect(rulesOut(light(0, 30, times(9, -61, -60.5)))).toBe(true);
    expect(rulesOut(light(0, 30, times(18, -61, -59.9)))).toBe(true);
    expect(rulesOut(light(0, 30, times(18, -61, -35)))).toBe(false);
    // The refusal must lie in the window that begins there.
    expect(rulesOut(light(-9, 30, []))).toBe(true);
    expect(rulesOut(light(-9.1, 30, []))).toBe(false);
    expect(rulesOut(light(0, 50, []))).toBe(true);
    expect(rulesOut(light(0, 50.1, []))).toBe(false);
  });

  it('refute anchored windows where these would follow one another too soon', () => {
    const refutes = (...arcs: RawArc[]) => holds('fixed-window-anchored-arcs', arcs);
    expect(refutes(begins(0, 10))).toBe(false);
    // One beginning may serve two arcs that meet.
    expect(refutes(begins(0, 10), begins(10, 20))).toBe(false);
    expect(refutes(begins(0, 10), begins(11, 20))).toBe(true);
    expect(refutes(begins(0, 10), begins(40, 60))).toBe(false);
    expect(refutes(begins(0, 10), begins(40, 59))).toBe(true);
    // Whichever arc is told first.
    expect(refutes(begins(40, 59), begins(0, 10))).toBe(true);
    expect(refutes(begins(0, 10), begins(55, 65), begins(112, 124))).toBe(false);
    expect(refutes(begins(5, 10), begins(55, 65), begins(112, 124))).toBe(true);
    // A later beginning that serves two.
    expect(refutes(begins(0, 30), begins(20, 50), begins(105, 110))).toBe(false);
    expect(refutes(begins(0, 30), begins(20, 50), begins(70, 79))).toBe(true);
  });
});
