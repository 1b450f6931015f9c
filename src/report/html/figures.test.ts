import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import type { Summary } from '../../collect/index.ts';
import { summaryOf } from '../../testing/measured.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { figures } from './figures.ts';

const summary = summaryOf(sampleRun);

/** Value and additional text of a figure. */
function figure(name: string, members: Partial<Summary>, isRateBroken = false): readonly (string | undefined)[] {
  const { text } = figures({ ...summary, ...members }, isRateBroken);
  const [, value, more] = new RegExp(`<dt>${name}</dt><dd><b>(.*?)</b> <small>(.*?)</small>`).exec(text) ?? [];
  return [value, more];
}

const openTurns = (maxCertain: number, maxPossible: number): Partial<Summary> => ({
  turns: { ...summary.turns, open: { maxCertain, maxPossible } },
});

const window = (admitted: number, windowUs = 60_000_000, perhapsAdmitted = 0): Partial<Summary> => ({
  fullestWindow: {
    windowUs: windowUs as Micros,
    admitted,
    perhapsAdmitted,
    of: 'a1',
    among: 1,
    start: '2026-11-21T12:00:00.000Z',
    mostAsked: admitted,
  },
});

describe('the figures', () => {
  it('gives the certain and the possible number of simultaneous turns', () => {
    expect(figure('Turns at once', openTurns(0, 2))).toEqual(['0 to 2', 'lower to upper bound; 2 allowed']);
    expect(figure('Turns at once', openTurns(2, 2))).toEqual(['2', 'certain; 2 allowed']);
  });

  it('gives how many requests were surely and perhaps admitted', () => {
    const more = 'requests admitted; whether those with 5xx were is unknown; 20 allowed';
    expect(figure('Busiest clock minute', window(20, undefined, 3))).toEqual(['20 to 23', more]);
  });

  it('gives the time that was measured: without the warm-up', () => {
    const run = { ...summary.run, warmUpUs: 10_000_000 as Micros, durationUs: 70_000_000 as Micros };
    expect(figure('Exchanges', { run })[1]).toBe('in 60.0 s after the warm-up');
  });

  it('gives the bounds of its percentiles', () => {
    const [success] = [summary.total.latency.success].flatMap((latency) => latency ?? []);
    const at = (us: number, lowUs: number, highUs?: number) => ({
      us: us as Micros,
      bounds: {
        lowUs: lowUs as Micros,
        ...(highUs !== undefined && { highUs: highUs as Micros }),
        method: 'order-statistics' as const,
      },
    });
    if (!success) throw new Error('the sample has no successes');
    const withP95 = (one: typeof success.service, p95: ReturnType<typeof at>) => ({
      ...one,
      percentiles: { ...one.percentiles, p95 },
    });
    const latency = {
      success: {
        service: withP95(success.service, at(2_000, 1_000, 3_000)),
        response: withP95(success.response, at(9_000, 8_000)),
      },
    };
    expect(figure('Service time p95', { total: { ...summary.total, latency } })).toEqual([
      '2.0 ms',
      '95 % bounds 1.0 ms to 3.0 ms; response time 9.0 ms (8.0 ms or more)',
    ]);
  });

  it('gives the number of turns behind the percentile, without those whose time is unknown', () => {
    const { completion } = summary.turns;
    const turns = (count: number) => ({
      turns: {
        ...summary.turns,
        // The acceptances of eleven are lost.
        accepted: 80,
        completed: 82,
        failed: 4,
        unfinished: 5,
        ...(completion && { completion: { ...completion, count } }),
      },
    });
    const left = '9 did not complete';
    expect(figure('Turn completion p90', turns(70))[1]).toBe(
      `of 70 turns; 12 with unknown time of acceptance; ${left}`,
    );
    expect(figure('Turn completion p90', turns(82))[1]).toBe(`of 82 turns; ${left}`);
  });

  it('calls clock windows so, and compares them with the limit only if no fuller window is known', () => {
    const elsewhere = 'requests admitted; the service&#39;s own windows may begin elsewhere';
    expect(figure('Busiest clock minute', window(20))).toEqual(['20', 'requests admitted; 20 allowed']);
    expect(figure('Busiest clock minute', window(21))).toEqual(['21', elsewhere]);
    expect(figure('Busiest clock minute', window(20), true)).toEqual(['20', elsewhere]);
    expect(figure('Busiest 10.0 s by the clock', window(20, 10_000_000))).toEqual([
      '20',
      'requests admitted; 20 allowed',
    ]);
  });

  it('calls days of UTC so, and says beyond the quota that a day of another zone may have begun between', () => {
    const day = (used: number): Partial<Summary> => ({ fullestDay: { of: 'a1', among: 1, day: '2026-01-15', used } });
    const elsewhere = 'new messages accepted; 50 allowed; the service&#39;s own days may begin elsewhere';
    expect(figure('Busiest UTC day', day(50))).toEqual(['50', 'new messages accepted; 50 allowed']);
    expect(figure('Busiest UTC day', day(51))).toEqual(['51', elsewhere]);
  });
});
