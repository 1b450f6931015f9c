import { describe, expect, it } from 'vitest';
import type { Arcs, OverAdmission, OverAdmissionRule, WrongfulRefusal, WrongfulRefusalRule } from '../certificate.ts';
import { holdsArcs, type RawArc } from './arcs.ts';
import { holdsOfWindows, isOfWindows, mostInAnyWindow } from './chain.ts';
import { holdsOverAdmission } from './over-admission.ts';
import type { Decided } from './raw.ts';
import type { RuleTerms } from './refusal-rules.ts';
import { type Rival, rivalsOf } from './rivals.exam.ts';
import { holdsWrongfulRefusal } from './wrongful-refusal.ts';

/*
 * Every rule of the verifier at its edge: 5 per 60 units of time, so that windows, waits and tokens (12 units each) meet.
 */

const MAX = 5;
const W = 60;

const overAdmission = (rule: OverAdmissionRule, observed: number, scope: OverAdmission['scope'] = {}) =>
  ({ rule, observed, scope, max: MAX, windowUs: W, because: 'over-admission' }) as unknown as OverAdmission;

/** So many, the first begun at 0 and the last decided at `span`. */
const within = (span: number, count: number): Decided[] =>
  Array.from({ length: count }, (_, i) =>
    i === 0 ? { from: 0, to: span / 2 } : i === count - 1 ? { from: span / 2, to: span } : { from: span / 3, to: span },
  );

describe('a certificate of over-admission', () => {
  const least = (rule: OverAdmissionRule, span: number, slack = 0) =>
    Array.from({ length: 40 }, (_, i) => i + 2).find((count) =>
      holdsOverAdmission(overAdmission(rule, count), within(span, count), W, slack),
    );

  it.each<[OverAdmissionRule, [span: number, least: number | undefined, slack?: number][]]>([
    [
      'universal-2N',
      [
        [0, 11],
        [59, 11],
        [60, undefined],
      ],
    ],
    [
      'universal-density',
      [
        [59, 11],
        [60, 16],
        [119, 16],
        [120, 21],
      ],
    ],
    [
      'sliding-log-n-plus-1',
      [
        [0, 6],
        [59, 6],
        [60, undefined],
      ],
    ],
    [
      'sliding-log-density',
      [
        [59, 6],
        [60, 11],
        [119, 11],
        [120, 16],
      ],
    ],
    [
      'token-bucket-density',
      [
        [0, 6],
        [11, 6],
        [12, 7],
        [11, 7, 1],
        [59, 10],
        [60, 11],
      ],
    ],
    [
      'interval-refill-density',
      [
        [0, 7],
        [11, 7],
        [12, 8],
        [11, 8, 1],
        [60, 12],
      ],
    ],
    [
      'sliding-counter-density',
      [
        [0, 8],
        [11, 8],
        [12, 9],
        [11, 9, 1],
        [59, 12],
        [60, undefined],
      ],
    ],
    ['fixed-window-anchored-since', [[0, undefined]]],
    ['concurrency-cores', [[0, undefined]]],
  ])('%s holds from so many on in such a span', (rule, cases) => {
    for (const [span, count, slack] of cases) expect(least(rule, span, slack), `${span} + ${slack}`).toBe(count);
  });

  it('does not hold of another number than it says, of a window without length, or of instants that nobody knows', () => {
    const holds = (observed: number, decided: Decided[], shortUs = W) =>
      holdsOverAdmission(overAdmission('sliding-log-n-plus-1', observed), decided, shortUs, 0);
    expect(holds(6, within(1, 6))).toBe(true);
    expect(holds(7, within(1, 6))).toBe(false);
    expect(holds(6, within(1, 6), 0)).toBe(false);
    expect(holdsOverAdmission(overAdmission('sliding-log-density', 6), within(1, 6), -1, 0)).toBe(false);
    const unknown = [...within(1, 5), { from: Number.NEGATIVE_INFINITY, to: 1 }];
    expect(holdsOverAdmission(overAdmission('token-bucket-density', 6), unknown, W, 0)).toBe(false);
    expect(holds(6, unknown)).toBe(false);
  });
});

const times = (count: number, ...rival: Rival): Rival[] => Array.from({ length: count }, () => rival);

const terms: RuleTerms = {
  max: MAX,
  shortUs: W,
  longUs: W,
  slackUs: 0,
  wasSet: false,
  flushed: true,
  ownSince: Number.NEGATIVE_INFINITY,
};
const isWrongful = (
  rule: WrongfulRefusalRule,
  rivals: readonly Rival[],
  { from = 200, to = from + 10, index = -1, ...members }: Partial<RuleTerms & Decided & { index: number }> = {},
  printed: Partial<WrongfulRefusal> = {},
  listed = new Set(rivals.keys()),
) => {
  const of = { ...terms, ...members };
  const needed = of.max;
  const certificate = { rule, needed, observed: needed - 1, lookBackUs: Number.POSITIVE_INFINITY, ...printed };
  return holdsWrongfulRefusal(certificate as WrongfulRefusal, { from, to, index }, rivalsOf(rivals), of, listed);
};

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
    // Nor more than were spent since it was full for sure, whatever its clock shows.
    expect(bucket(times(4, 199, 199), { slackUs: 30 })).toBe(true);
    expect(bucket([...times(5, 136, 136), ...times(4, 199, 199)], { slackUs: 2 })).toBe(true);
    expect(bucket([...times(5, 139, 139), ...times(4, 199, 199)], { slackUs: 2 })).toBe(false);
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

describe('windows that begin with a request', () => {
  const unexplained = (rivals: readonly Rival[], from: number, to = from) =>
    mostInAnyWindow({ from, to, index: -1 }, rivalsOf(rivals), terms) < MAX;

  it('explain a refusal that follows five in one of them', () => {
    expect(unexplained(times(5, 10, 10), 69)).toBe(false);
    expect(unexplained(times(4, 10, 10), 69)).toBe(true);
    // The window that began at 10 lasts until 70.
    expect(unexplained(times(5, 10, 10), 70)).toBe(false);
    expect(unexplained(times(5, 10, 10), 71)).toBe(true);
    // Four at the end of one window, and one that begins the next.
    const over: Rival[] = [[10, 10], ...times(4, 65, 65), [75, 75]];
    expect(unexplained(over, 80)).toBe(true);
    expect(unexplained([...over, ...times(4, 78, 78)], 80)).toBe(false);
    // The first may have been decided as late as 60: then all five are of one window.
    expect(unexplained([[10, 60], ...times(4, 80, 80)], 100)).toBe(false);
    expect(unexplained([[10, 10], ...times(4, 80, 80)], 100)).toBe(true);
    expect(unexplained(times(5, 10, 10), 5)).toBe(true);
  });

  it('are known only of a bucket that was empty at the start, and of windows that have a length', () => {
    for (const rule of ['wrongful-refusal-anchored', 'wrongful-refusal-anchored-penalty'] as const) {
      expect(isWrongful(rule, [])).toBe(true);
      expect(isWrongful(rule, [], { flushed: false, ownSince: 0 })).toBe(false);
      expect(isWrongful(rule, [], { shortUs: 0 })).toBe(false);
      expect(isWrongful(rule, times(5, 190, 190))).toBe(false);
    }
  });

  it('need a request to begin', () => {
    expect(unexplained([], 10)).toBe(true);
    expect(unexplained(times(6, 1, 1, 'refused'), 10)).toBe(true);
    expect(unexplained([[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]], 10)).toBe(false);
  });

  it('begin late only where a request surely does not begin them sooner', () => {
    // Nobody knows whether the one at 10 counted; so the windows begin there, or with the first that surely did.
    const rivals: Rival[] = [[10, 10, 'perhaps'], ...times(2, 40, 40), [75, 75]];
    expect(unexplained(rivals, 80)).toBe(true);
    expect(unexplained([...rivals, [76, 76]], 80)).toBe(false);
  });

  const holds = (rule: OverAdmissionRule, decided: readonly Decided[], rivals: readonly Rival[], scope = {}) =>
    holdsOfWindows(overAdmission(rule, decided.length, scope), decided, rivalsOf(rivals), terms);
  const at = (...instants: number[]): Decided[] => instants.map((instant) => ({ from: instant, to: instant }));
  const seen = (decided: readonly Decided[]): Rival[] => decided.map(({ from, to }) => [from, to]);

  it('hold five each: six that one window surely holds are too many', () => {
    const chain = (decided: Decided[], others: Rival[] = []) =>
      holds('fixed-window-anchored-chain', decided, [...others, ...seen(decided)]);
    expect(chain(at(0, 1, 2, 3, 4, 59))).toBe(true);
    expect(chain(at(0, 1, 2, 3, 4, 60))).toBe(false);
    expect(chain(at(0, 1, 2, 3, 4))).toBe(false);
    // A window that began with another, before them.
    expect(chain(at(30, 31, 32, 33, 34, 59), [[0, 0]])).toBe(true);
    expect(chain(at(30, 31, 32, 33, 34, 60), [[0, 0]])).toBe(false);
    expect(
      chain(at(61, 62, 63, 64, 65, 119), [
        [0, 0],
        [60, 60],
      ]),
    ).toBe(true);
    expect(
      chain(at(61, 62, 63, 64, 65, 120), [
        [0, 0],
        [60, 60],
      ]),
    ).toBe(false);
    expect(chain(at(61, 62, 63, 64, 65, 119), [[0, 40]])).toBe(false);
  });

  it('are not more than can have begun since the first request', () => {
    const since = (decided: Decided[], others: Rival[] = []) =>
      holds('fixed-window-anchored-since', decided, [...others, ...seen(decided)]);
    expect(since(at(0, 1, 2, 3, 4, 59))).toBe(true);
    expect(since(at(0, 1, 2, 3, 4, 60))).toBe(false);
    expect(since(at(...Array(11).keys(), 119).slice(1))).toBe(true);
    expect(since([...at(...Array(10).keys()), { from: 50, to: 119 }])).toBe(true);
    expect(since([...at(...Array(10).keys()), { from: 50, to: 120 }])).toBe(false);
    expect(since(at(50, 51, 52, 53, 54, 59), [[-1, 70]])).toBe(false);
    expect(since(at(50, 51, 52, 53, 54, 59), [[Number.NEGATIVE_INFINITY, 70]])).toBe(false);
  });

  it('are known only where the bucket is', () => {
    const six = at(0, 1, 2, 3, 4, 5);
    for (const rule of ['fixed-window-anchored-chain', 'fixed-window-anchored-since'] as const) {
      expect(holds(rule, six, seen(six), { conversation: 'c1' })).toBe(true);
      expect(holds(rule, six, seen(six), { operation: 'readTurn' })).toBe(true);
      expect(holds(rule, six, seen(six), { conversation: 'c1', operation: 'readTurn' })).toBe(false);
      expect(holdsOfWindows(overAdmission(rule, 7), six, rivalsOf(seen(six)), terms)).toBe(false);
      expect(isOfWindows(overAdmission(rule, 6))).toBe(true);
    }
    expect(isOfWindows(overAdmission('universal-2N', 6))).toBe(false);
  });
});

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
