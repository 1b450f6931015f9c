import { describe, expect, it } from 'vitest';
import type { Bounds } from '../evidence/bounds.ts';
import { honestLimiters, honestSlidingLog } from '../readings/honest-limiters.exam.ts';
import { readingNames } from '../readings/index.ts';
import { experimentFor } from './experiment.ts';
import { inferenceOf, service, W } from './inferred.exam.ts';
import { models } from './models.ts';
import { propose } from './propose.ts';

describe('an experiment', () => {
  const numbers = { max: 20, windowUs: W };
  const names = Object.keys(models);

  it('knows a model of every reading of the rate limit', () => {
    expect([...names].sort()).toEqual(readingNames('rate').sort());
  });

  it('is proposed for every two readings that differ in more than their phase', () => {
    for (const [i, one] of names.entries())
      for (const other of names.slice(i + 1)) {
        const experiment = experimentFor([one, other], numbers);
        // An aligned window is one whose phase is known; ticks are seen within a second only.
        const alike = ['fixed-window-aligned fixed-window', 'token-bucket interval-refill'].includes(`${one} ${other}`);
        expect(experiment !== undefined, `${one} ${other}`).toBe(!alike);
      }
  });

  it('is, for small numbers, what it was', async () => {
    const lines = [1, 2, 3, 5].flatMap((max) =>
      [names, ...names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other]))].map((readings) => {
        const experiment = experimentFor(readings, { max, windowUs: 10_000_000 });
        if (!experiment) return `${max}, ${readings.join(' ')}: none`;
        const { bursts, pairs, expected } = experiment;
        const sent = bursts.map(({ atUs, requests }) => `${requests} at ${atUs / 1e6} s`).join(', ');
        const seen = expected.map(({ reading, admitted, percent }) => `${reading} ${admitted} ${percent} %`).join('; ');
        return `${max}, ${sent}: ${pairs[0]} of ${pairs[1]}; ${seen}`;
      }),
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('experiments.golden');
  });

  it.each([
    [['first-use', 'rolling'], 1, undefined],
    [
      ['first-use', 'rolling'],
      3,
      'send 1 message, 2 more 12 hours later, and 2 at 24 hours after the first: a day from the first message accepts all, a span of any 24 hours accepts 1',
    ],
    [
      ['utc', 'rolling'],
      1,
      'send 1 message in the hour before that midnight and one just after it: a day from 00:00 UTC accepts it, a span of any 24 hours refuses it',
    ],
  ])('of days %j with a quota of %i is %j', (readings, max, sentence) => {
    const possible = readings.map((reading) => ({ reading, scope: 'application', counts: '', says: '' }));
    expect(propose('daily', possible, { max } as Bounds)?.sentence).toBe(sentence);
  });

  it.each([1, 10, 20, 60, 3_600])('is told as it is to be sent, for a window of %i s', (windowS) => {
    const possible = ['fixed-window-aligned', 'sliding-log', 'sliding-counter', 'token-bucket'].map((reading) => ({
      ...{ reading, scope: 'application', counts: '', says: '' },
    }));
    const limits = { max: 20, windowUs: windowS * 1e6 } as Bounds;
    for (const two of possible.flatMap((one, i) => possible.slice(i + 1).map((other) => [one, other]))) {
      const { sentence = '', bursts = [] } = propose('rate', two, limits) ?? {};
      const told = [...sentence.matchAll(/ at ([\d.]+) s after the first/g)].map(([, at]) => Number(at) * 1e6);
      expect(told).toHaveLength(bursts.length - 1);
      // Whoever sends a burst at the very end of a window learns nothing of one just after it.
      told.forEach((at, i) => {
        expect(Math.abs(at / (bursts[i + 1]?.atUs ?? 0) - 1)).toBeLessThan(0.001);
      });
    }
  });

  it('is proposed for limits that it can be tried out for, up to 200', () => {
    expect(experimentFor(['fixed-window', 'sliding-log'], { max: 200, windowUs: W })?.pairs).toEqual([1, 1]);
    expect(experimentFor(names, { max: 201, windowUs: W })).toBeUndefined();
    expect(experimentFor(names, { max: 1_000_000, windowUs: W })).toBeUndefined();
  });

  it('shows what honest limiters do', () => {
    const experiment = experimentFor(names, numbers);
    for (const [name, { make, readings }] of Object.entries(honestLimiters)) {
      const foretold = experiment?.expected.find(({ reading }) => reading === readings[0]);
      const seen = new Map<string, number>();
      for (let phase = 0; phase < 60; phase++) {
        const limiter = make(numbers.max, W, readings[0] === 'fixed-window-aligned' ? 0 : ((phase + 0.5) * W) / 60);
        const start = readings[0] === 'fixed-window-aligned' ? W - ((phase + 0.5) * W) / 60 : 0;
        const admitted = experiment?.bursts.map(
          ({ atUs, requests }) =>
            Array.from({ length: requests }, (_, i) => limiter.decide(start + atUs + i)).filter(Boolean).length,
        );
        const shown = String(admitted);
        seen.set(shown, (seen.get(shown) ?? 0) + 1);
      }
      const percent = Math.round((100 * (seen.get(String(foretold?.admitted)) ?? 0)) / 60);
      // Variants of the sliding counter differ by one; and blocking anew is another penalty.
      if (!/^(sliding counter|penalty that)/.test(name)) expect(percent, readings[0]).toBe(foretold?.percent);
    }
  });

  it('is proposed where several readings survive', () => {
    const many = inferenceOf(honestSlidingLog, { ...service, pressure: 20, requests: 30 }, 2);
    expect(many.possible.length).toBeGreaterThan(1);
    expect(many.experiment?.sentence).toMatch(
      /^leave the limit alone for 60 s, then send cheap reads with one token: \d+ at once, /,
    );
  });
});
