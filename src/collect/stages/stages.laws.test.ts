import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitNames } from '../../api/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { histories } from '../sample-run.exam.ts';
import { failuresIn, outcomeClasses, type StageSummary } from '../summary.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe('the stages of a run', () => {
  it('add up to the run', () => {
    let told = 0;
    fc.assert(
      fc.property(histories, (records) => {
        const { stages, total, drops, journeys, turns } = summaryOf(records);
        if (!stages) return;
        told++;
        const all = (of: (stage: StageSummary) => number | undefined) => sum(stages.map((stage) => of(stage) ?? 0));
        const ended = Object.values(journeys);
        expect(all(({ exchanges }) => exchanges)).toBe(total.count);
        for (const outcome of outcomeClasses)
          expect(all(({ byOutcome }) => byOutcome[outcome])).toBe(total.byOutcome[outcome]);
        for (const limit of [...limitNames, 'unattributed'] as const)
          expect(all(({ refusedBy }) => refusedBy[limit])).toBe(total.refusedBy[limit]);
        expect(all(failuresIn)).toBe(failuresIn(total));
        expect(all(({ dropped }) => dropped)).toBe(drops.total);
        expect(all((stage) => stage.journeys.completed)).toBe(sum(ended.map(({ byOutcome }) => byOutcome.completed)));
        expect(all(({ arrivals }) => arrivals)).toBe(
          drops.total + sum(ended.flatMap(({ byOutcome }) => Object.values(byOutcome))),
        );
        expect(all(({ latency }) => latency?.service.count)).toBe(total.latency.success?.service.count ?? 0);
        expect(Math.max(0, ...stages.map(({ latency }) => latency?.response.maxUs ?? 0))).toBe(
          total.latency.success?.response.maxUs ?? 0,
        );
        expect(all((stage) => stage.turns?.accepted)).toBe(turns.accepted);
        expect(all((stage) => stage.turns?.completion?.count)).toBe(turns.completion?.count ?? 0);
      }),
      { numRuns: 100 },
    );
    expect(told).toBeGreaterThan(20);
  });

  const twoStages = ['first', 'second'].map((name, second) => ({
    name,
    fromUs: us(second * 1_000_000),
    toUs: us((second + 1) * 1_000_000),
    arrivalsPerMinute: { from: 60, to: 60 },
  }));
  const journeyOf = (intendedAt: number): JournalRecord => ({
    kind: 'journey',
    arrival: 0,
    journey: 'ask',
    intendedAt: us(intendedAt),
    startedAt: us(intendedAt),
    endedAt: us(intendedAt + 1_501_000),
    outcome: 'completed',
  });

  it('have held only if journeys arrived in them, and tell turns only if they have some', () => {
    const { stages = [] } = summaryOf([
      header({ stages: twoStages }),
      accepted(0, 't', 1_000, 2_000),
      poll(1, 't', 'completed', 1_500_000, 1_501_000, { intendedAt: us(1_500_000) }),
      journeyOf(0),
      end({ at: us(2_000_000), exchanges: 2, arrivals: 1 }),
    ]);
    expect(stages.map(({ state, exchanges, arrivals }) => [state, exchanges, arrivals])).toEqual([
      ['held', 1, 1],
      ['untold', 1, 0],
    ]);
    expect(stages.map(({ turns }) => turns?.completed)).toEqual([1, undefined]);
    expect(stages.map((stage) => 'turns' in stage)).toEqual([true, false]);
  });

  it('have held only if nothing was delayed to their ends or beyond', () => {
    const firstIfSentAt = (sentAt: number) => {
      const { stages = [] } = summaryOf([
        header({ stages: twoStages }),
        exchange({ seq: 0, intendedAt: us(0), sentAt: us(sentAt), capWaitUs: { inFlight: us(sentAt) } }),
        journeyOf(0),
        end({ at: us(2_000_000), exchanges: 1, arrivals: 1 }),
      ]);
      return [stages[0]?.state, stages[0]?.heldBack];
    };
    expect([999_999, 1_000_000].map(firstIfSentAt)).toEqual([
      ['held', { count: 1, totalUs: 999_999, maxUs: 999_999, sentLater: 0 }],
      ['untold', { count: 1, totalUs: 1_000_000, maxUs: 1_000_000, sentLater: 1 }],
    ]);
  });

  it('have not held if they ended in the warm-up, whatever came after them', () => {
    const { stages = [] } = summaryOf([
      header({ stages: twoStages, warmUpUs: us(2_000_000) }),
      exchange({ seq: 0, intendedAt: us(2_500_000) }),
      journeyOf(2_500_000),
      end({ at: us(4_001_000), exchanges: 1, arrivals: 1 }),
    ]);
    expect(stages.map(({ state, exchanges, measuredUs }) => [state, exchanges, measuredUs])).toEqual([
      ['untold', 0, 0],
      ['untold', 1, 0],
    ]);
    expect(stages[1]).not.toHaveProperty('perMinute');
  });

  it('are absent if the history has none', () => {
    fc.assert(
      fc.property(histories, ([first, ...rest]) => {
        if (first?.kind !== 'header') throw new TypeError('no header');
        const { stages: _, ...older } = first;
        const summary = summaryOf([older, ...rest]);
        expect(['stages' in summary, 'knee' in summary]).toEqual([false, false]);
      }),
      { numRuns: 10 },
    );
  });
});
