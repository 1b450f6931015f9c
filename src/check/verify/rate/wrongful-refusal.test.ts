import { describe, expect, it } from 'vitest';
import type { WrongfulRefusal, WrongfulRefusalRule } from '../../certificates/certificate.ts';
import { type Rival, times } from '../raw/rivals.exam.ts';
import { isWrongful, W } from './edges.exam.ts';

describe('a refusal', () => {
  it.each<[WrongfulRefusalRule, least: number, back: number]>([
    ['universal-refusal', 5, 120],
    ['wrongful-refusal-last-window', 5, 60],
    ['wrongful-refusal-counting-refused', 5, 60],
    ['wrongful-refusal-penalty', 5, 60],
    ['wrongful-first-refusal', 5, 60],
    ['wrongful-first-refusal-of-two-windows', 5, 120],
    ['wrongful-refusal-sliding-counter', 5, 120],
  ])('%s: %i of the last %i explain it', (rule, least, back) => {
    expect(isWrongful(rule, [])).toBe(true);
    expect(isWrongful(rule, times(least - 1, 190, 190))).toBe(true);
    expect(isWrongful(rule, times(least, 190, 190))).toBe(false);
    // At the very edge of the look-back, and beyond it.
    expect(isWrongful(rule, times(least, 200 - back, 200 - back))).toBe(false);
    expect(isWrongful(rule, times(least, 100 - back, 199 - back))).toBe(true);
    // While it was decided, and after.
    expect(isWrongful(rule, times(least, 210, 300))).toBe(false);
    expect(isWrongful(rule, times(least, 211, 300))).toBe(true);
    // Never all at one instant.
    const apart: Rival[] = [...times(1, 150 - back, 201 - back), ...times(least - 1, 205, 205)];
    expect(isWrongful(rule, apart)).toBe(true);
    expect(isWrongful(rule, [...times(1, 150 - back, 205 - back), ...times(least - 1, 205, 205)])).toBe(false);
    // It does not count against itself.
    const itself: Rival[] = [...times(least - 1, 190, 190), [200, 210]];
    expect(isWrongful(rule, itself, { index: least - 1 })).toBe(true);
    expect(isWrongful(rule, itself)).toBe(false);
    expect(isWrongful(rule, [], { from: Number.NEGATIVE_INFINITY, to: 1 })).toBe(false);
  });

  it('of a limit of one or two needs one that counts, whatever the tolerance of the rule', () => {
    for (const rule of ['universal-refusal', 'wrongful-refusal-sliding-counter'] as const) {
      expect(isWrongful(rule, [], { max: 1 })).toBe(true);
      expect(isWrongful(rule, [[190, 190]], { max: 1 })).toBe(false);
    }
  });

  it('under every reading is no less than under that of a bucket on nodes whose clocks differ', () => {
    for (const rule of ['universal-refusal', 'wrongful-first-refusal-of-two-windows'] as const) {
      const under = (reading: string, at: number) =>
        isWrongful(rule, times(3, at, at), { slackUs: 20, backUs: 20 }, { reading, needed: 4, observed: 3 });
      expect([under('every', 199), under('every', 150)]).toEqual([false, true]);
      expect(under('sliding-counter', 199)).toBe(true);
    }
  });

  it('of two windows needs no more than weigh N in a window that has not begun yet by the clock of another node', () => {
    const of = (needed: number, slackUs: number) => {
      const counted = times(needed - 1, 150, 150);
      return isWrongful('wrongful-refusal-sliding-counter', counted, { slackUs }, { needed, observed: needed - 1 });
    };
    // Four weigh 4 · 62 / 60, rounded up 5; three weigh 4 up to a slack of 20.
    expect([of(5, 0), of(5, 2), of(4, 2), of(4, 19), of(4, 21), of(3, 21)]).toEqual([
      ...[true, false, true, true, false, true],
    ]);
    expect(of(4, 0)).toBe(false);
  });

  it('by a bucket that refills next to never is no proof until clocks cannot make up for a pause', () => {
    const of = (from: number) =>
      isWrongful('wrongful-refusal-token-bucket', times(4, 190, 190), { from, longUs: 1e9, slackUs: 10, backUs: 10 });
    expect([of(199), of(200)]).toEqual([false, true]);
  });

  it('is explained by refusals only where these count', () => {
    const refused = times(5, 190, 190, 'refused');
    expect(isWrongful('wrongful-refusal-last-window', refused)).toBe(true);
    // Some counters count before they compare.
    expect(isWrongful('wrongful-refusal-sliding-counter', refused)).toBe(false);
    expect(isWrongful('wrongful-refusal-sliding-counter', refused.slice(1))).toBe(true);
    expect(isWrongful('wrongful-refusal-token-bucket', refused)).toBe(true);
    expect(isWrongful('wrongful-refusal-interval-refill', refused)).toBe(true);
    expect(isWrongful('wrongful-refusal-anchored', refused)).toBe(true);
    expect(isWrongful('wrongful-refusal-counting-refused', refused)).toBe(false);
    expect(isWrongful('wrongful-refusal-counting-refused', refused.slice(1))).toBe(true);
  });

  it.each([
    ['universal-refusal', 75],
    ['wrongful-refusal-penalty', 85],
    ['wrongful-first-refusal', 85],
    ['wrongful-refusal-anchored-penalty', 85],
  ] as const)(
    '%s: is explained by what may have been a refusal within a window before, after enough, and may block',
    (rule, at) => {
      const full = times(5, at, at);
      for (const what of ['refused', 'perhaps'] as const) {
        expect(isWrongful(rule, [...full, [140, 140, what]])).toBe(false);
        expect(isWrongful(rule, [...full, [130, 139, what]])).toBe(true);
        expect(isWrongful(rule, [...full, [90, 300, what]])).toBe(false);
        // By others on the way.
        expect(isWrongful(rule, [...full, [120, 120, what], [170, 170, what]])).toBe(false);
        // Of these one was the first, before which too few had counted.
        expect(
          isWrongful(rule, [
            [195, 210, what],
            [205, 300, what],
          ]),
        ).toBe(true);
        expect(isWrongful(rule, [[140, 140, what]])).toBe(true);
      }
      expect(isWrongful(rule, [[190, 190]])).toBe(true);
    },
  );

  it('by exactly one bucket is explained by a block that was over at an admission, if the clock may have gone back since', () => {
    const rivals: Rival[] = [...times(5, 85, 85), [140, 140, 'refused'], [195, 195]];
    const wrongful = (members = {}) => isWrongful('wrongful-refusal-anchored-penalty', rivals, members);
    expect(wrongful()).toBe(true);
    expect(wrongful({ backUs: 4 })).toBe(true);
    expect(wrongful({ backUs: 5 })).toBe(false);
  });

  it('of two windows is explained by what may have been a refusal within two windows before, after enough', () => {
    const rule = 'wrongful-first-refusal-of-two-windows';
    for (const what of ['refused', 'perhaps'] as const) {
      expect(isWrongful(rule, [...times(5, 15, 15), [80, 80, what]])).toBe(false);
      expect(isWrongful(rule, [...times(5, 15, 15), [70, 79, what]])).toBe(true);
      expect(isWrongful(rule, [...times(5, -41, -41), [80, 80, what]])).toBe(true);
      expect(isWrongful(rule, times(9, 195, 210, what).concat(times(4, 15, 15)))).toBe(what === 'refused');
    }
  });

  it.each(['universal-refusal', 'wrongful-refusal-penalty'] as const)(
    '%s: may be blocked for what counted before the run, and names all that may have blocked it',
    (rule) => {
      const others: Rival[] = [
        [130, 205, 'refused'],
        [150, 205, 'perhaps'],
      ];
      expect(isWrongful(rule, others)).toBe(true);
      expect(isWrongful(rule, others, {}, {}, new Set([0, 1]))).toBe(true);
      expect(isWrongful(rule, others, {}, {}, new Set([1]))).toBe(false);
      expect(isWrongful(rule, others, {}, {}, new Set([0]))).toBe(false);
      expect(isWrongful(rule, others, { flushed: false, ownSince: 0 })).toBe(true);
      expect(
        isWrongful(
          rule,
          [
            [119, 205, 'refused'],
            [150, 205, 'perhaps'],
          ],
          { flushed: false, ownSince: 0 },
        ),
      ).toBe(false);
    },
  );

  it('is explained by an empty bucket, which regains a token in every twelfth of five minutes', () => {
    const bucket = (rivals: readonly Rival[], members = {}) =>
      isWrongful('wrongful-refusal-token-bucket', rivals, members);
    expect(bucket([])).toBe(true);
    expect(bucket(times(4, 199, 199))).toBe(true);
    expect(bucket(times(5, 200, 200))).toBe(false);
    // Five spent at 188 leave one at 200, and not quite one at 199.
    expect(bucket(times(5, 188, 188))).toBe(true);
    expect(bucket(times(5, 188, 188), { slackUs: 1 })).toBe(false);
    expect(bucket(times(5, 189, 189))).toBe(false);
    // None if none was spent since it was full for sure, whatever its clock shows.
    expect(bucket([], { slackUs: 30 })).toBe(true);
    // Spent by a node whose clock is ahead, a token comes back as much later for another.
    expect(bucket(times(4, 199, 199), { slackUs: 2 })).toBe(false);
    expect(bucket(times(4, 198, 198), { slackUs: 2 })).toBe(true);
    expect(bucket(times(4, 197, 197), { slackUs: 30 })).toBe(false);
    expect(bucket([...times(5, 136, 136), ...times(4, 198, 198)], { slackUs: 2 })).toBe(true);
    expect(bucket([...times(5, 139, 139), ...times(4, 198, 198)], { slackUs: 2 })).toBe(false);
    // Unless it was set back: then whoever was counted last may owe all of them, until it is certainly full.
    expect(bucket([], { slackUs: 30, wasSet: true })).toBe(true);
    expect(bucket(times(1, 199, 199), { slackUs: 30, wasSet: true })).toBe(false);
    expect(bucket([[199, 205]], { slackUs: 30, wasSet: true })).toBe(false);
    expect(bucket(times(1, 140, 140), { slackUs: 30, wasSet: true })).toBe(true);
    // No more than all can be missing.
    expect(bucket(times(50, 188, 188))).toBe(true);
    expect(bucket(times(50, 189, 189))).toBe(false);
    // Spent one after another, twelve units apart: never more than one is missing.
    expect(bucket([...Array(15).keys()].map((i): Rival => [12 * i, 12 * i]))).toBe(true);
    // As late as can be.
    expect(bucket(times(5, 100, 188))).toBe(true);
    expect(bucket(times(5, 100, 189))).toBe(false);
    expect(bucket(times(5, 210, 300))).toBe(false);
    expect(bucket(times(5, 211, 300))).toBe(true);
    // What was spent before the run is regained by 60.
    expect(bucket([], { flushed: false, ownSince: 0, from: 11 })).toBe(false);
    expect(bucket([], { flushed: false, ownSince: 0, from: 12 })).toBe(true);
    expect(bucket(times(1, 30, 30), { flushed: false, ownSince: 0, from: 30 })).toBe(true);
    expect(bucket(times(3, 30, 30), { flushed: false, ownSince: 0, from: 30 })).toBe(false);
    const itself: Rival[] = [...times(4, 199, 199), [200, 210]];
    expect(bucket(itself, { index: 4 })).toBe(true);
    expect(bucket(itself)).toBe(false);
  });

  it('of a bucket filled at ticks is wrongful when it is of one that fills evenly', () => {
    const [ticks, evenly] = (['interval-refill', 'token-bucket'] as const).map(
      (name) => (at: number) => isWrongful(`wrongful-refusal-${name}`, times(5, at, at)),
    );
    for (let at = 150; at <= 200; at++) expect(ticks?.(at)).toBe(evenly?.(at));
    expect([ticks?.(187), ticks?.(200)]).toEqual([true, false]);
  });
});

describe('a certificate of a wrongful refusal', () => {
  it.each<[WrongfulRefusalRule, needed: number, of: readonly Rival[], counted: number]>([
    ['universal-refusal', 5, times(4, 190, 190), 4],
    ['wrongful-refusal-last-window', 5, times(4, 190, 190), 4],
    ['wrongful-refusal-counting-refused', 5, times(4, 190, 190, 'refused'), 4],
    ['wrongful-refusal-penalty', 5, times(4, 190, 190), 4],
    ['wrongful-first-refusal', 5, times(4, 190, 190), 4],
    ['wrongful-first-refusal-of-two-windows', 5, times(4, 190, 190), 4],
    ['wrongful-refusal-anchored', 5, times(4, 190, 190), 4],
    ['wrongful-refusal-anchored-penalty', 5, times(3, 190, 190), 3],
    ['wrongful-refusal-sliding-counter', 5, times(4, 190, 190, 'refused'), 4],
    // Four spent at 190, of which ten units later a fraction is regained.
    ['wrongful-refusal-token-bucket', 5, times(4, 190, 190), 4],
    ['wrongful-refusal-interval-refill', 5, times(4, 190, 190), 4],
  ])('%s: says what is needed, %i, and no less than what may have counted', (rule, needed, rivals, counted) => {
    const holds = (printed: Partial<WrongfulRefusal>) => isWrongful(rule, rivals, {}, printed);
    expect(holds({ observed: counted })).toBe(true);
    expect(holds({ observed: counted - 1 })).toBe(false);
    expect(holds({ observed: needed })).toBe(false);
    expect(holds({ needed: needed + 1 })).toBe(false);
    expect(holds({ needed: needed - 1 })).toBe(false);
  });

  it('names everything that may have counted in its look-back, which is a window or two', () => {
    const holds = (rule: WrongfulRefusalRule, rivals: readonly Rival[], lookBackUs: number, listed: number[] = []) =>
      isWrongful(rule, rivals, {}, { lookBackUs }, new Set(listed));
    const two: Rival[] = [
      [100, 140],
      [190, 195],
    ];
    expect(holds('wrongful-refusal-last-window', two, 60, [0, 1])).toBe(true);
    expect(holds('wrongful-refusal-last-window', two, 60, [0])).toBe(false);
    expect(holds('wrongful-refusal-last-window', [[100, 142], ...two], 60, [1, 2])).toBe(false);
    expect(holds('wrongful-refusal-last-window', [[100, 130], ...two], 60, [1, 2])).toBe(true);
    expect(holds('wrongful-refusal-last-window', [[190, 190, 'refused']], 60)).toBe(true);
    expect(holds('wrongful-refusal-counting-refused', [[190, 190, 'refused']], 60)).toBe(false);
    expect(holds('wrongful-refusal-sliding-counter', [[190, 190, 'refused']], 120)).toBe(false);
    // Of what is doubtful nobody knows when it was, nor perhaps which of two records is named.
    expect(holds('wrongful-refusal-last-window', [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]], 60)).toBe(
      true,
    );
    for (const [rule, windows] of [
      ['wrongful-refusal-last-window', 1],
      ['wrongful-refusal-counting-refused', 1],
      ['wrongful-refusal-penalty', 1],
      ['wrongful-first-refusal', 1],
      ['wrongful-first-refusal-of-two-windows', 2],
      ['universal-refusal', 2],
      ['wrongful-refusal-sliding-counter', 2],
    ] as const) {
      expect(holds(rule, [], windows * W)).toBe(true);
      expect(holds(rule, [], windows * W - 2)).toBe(false);
    }
    // A bucket, or a window, is followed from where it was full, or began.
    expect(holds('wrongful-refusal-token-bucket', two, 9, [1])).toBe(true);
    expect(holds('wrongful-refusal-token-bucket', two, 9)).toBe(false);
    expect(holds('wrongful-refusal-anchored', two, 9)).toBe(false);
  });
});
