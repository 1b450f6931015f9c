import { describe, expect, it } from 'vitest';
import type { OverAdmissionRule } from '../../certificates/certificate.ts';
import type { Decided } from '../raw/raw.ts';
import { type Rival, rivalsOf, times } from '../raw/rivals.exam.ts';
import { holdsOfWindows, isOfWindows, mostInAnyWindow } from './chain.ts';
import { isWrongful, MAX, overAdmission, terms } from './edges.exam.ts';

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

  it('hold five each also where nothing bounds their length: at a rate that rounds to 0 requests per second', () => {
    const endless = { ...terms, longUs: Number.POSITIVE_INFINITY };
    const chain = (decided: Decided[], others: Rival[] = []) => {
      const proof = overAdmission('fixed-window-anchored-chain', decided.length);
      return holdsOfWindows(proof, decided, rivalsOf([...others, ...seen(decided)]), endless);
    };
    expect(chain(at(0, 1, 2, 3, 4, 59))).toBe(true);
    expect(chain(at(0, 1, 2, 3, 4, 60))).toBe(false);
    expect(chain(at(61, 62, 63, 64, 65, 119), [[0, 0]])).toBe(false);
  });

  describe('hold all of a run, wherever they began', () => {
    // Times of the limit of five in 60: two requests of one window, and three more each time.
    const decided = (from: number, to = from, count = 1): Decided[] =>
      Array.from({ length: count }, () => ({ from, to }));
    const run = [
      ...decided(0, 2, 4),
      ...decided(61, 63),
      ...decided(64, 66, 4),
      ...decided(70, 72),
      ...decided(120, 123),
    ];
    const fit = (named: Decided[], others: Rival[] = []) =>
      holds('fixed-window-anchored-fit', named, [...others, ...seen(named)]);

    it('or the last of the run does not fit', () => {
      expect(fit(run)).toBe(true);
      expect(fit([...run.slice(0, -1), { from: 120, to: 124 }])).toBe(false);
      expect(fit(run.slice(0, -1))).toBe(false);
      expect(fit(run.slice(1), [[0, 2]])).toBe(false);
      // Proven without its last.
      expect(fit([...run, ...decided(124, 125)])).toBe(false);
    });

    it('of which the first was decided before any later one was sent, or that one may have begun the window', () => {
      const long = [
        { from: 0, to: 84 },
        { from: 24, to: 108 },
        { from: 72, to: 84 },
        { from: 72, to: 96 },
      ];
      const proves = (named: Decided[]) =>
        holdsOfWindows(overAdmission('fixed-window-anchored-fit', 5), named, rivalsOf(seen(named)), {
          ...terms,
          max: 2,
        });
      expect(proves([...long, { from: 72, to: 120 }])).toBe(false);
      expect(proves([{ from: 0, to: 71 }, ...long.slice(1), { from: 72, to: 120 }])).toBe(true);
    });

    it('of many requests, each of which may have begun one', { timeout: 5_000 }, () => {
      const max = 50_000;
      const edge = Array.from({ length: 5_000 }, (_, i) => ({ from: 60 + i / 1e5, to: 60.2 }));
      const next = Array.from({ length: max }, (_, i) => ({ from: 60.3 + i / 1e4, to: 60.4 + i / 1e4 }));
      const many = [{ from: 0, to: 0.1 }, ...edge, ...next, { from: 120, to: 120.2 }];
      const proof = overAdmission('fixed-window-anchored-fit', many.length);
      expect(holdsOfWindows(proof, many, rivalsOf(seen(many)), { ...terms, max })).toBe(true);
    });

    it('of which all is named that may have counted', () => {
      expect(fit(run, [[-59, -59]])).toBe(false);
      expect(fit(run, [[-61, -61]])).toBe(true);
      expect(fit(run, [[65, 65]])).toBe(false);
      expect(fit(run, [[65, 65, 'refused']])).toBe(true);
      expect(fit(run, [[123, 123, 'perhaps']])).toBe(false);
      expect(fit(run, [[124, 124, 'perhaps']])).toBe(true);
      expect(fit(run, [[121, 121]])).toBe(true);
      // One of them is named twice.
      expect(holds('fixed-window-anchored-fit', run, seen(run.slice(1)))).toBe(false);
      expect(holdsOfWindows(overAdmission('fixed-window-anchored-fit', 12), run, rivalsOf(seen(run)), terms)).toBe(
        false,
      );
    });
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
