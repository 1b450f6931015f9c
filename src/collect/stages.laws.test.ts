import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitNames } from '../api/index.ts';
import { measure } from './measure.ts';
import { histories } from './sample-run.exam.ts';
import { failuresIn, outcomeClasses, type StageSummary, type Summary } from './summary.ts';

const summaryOf = (records: Parameters<ReturnType<typeof measure>['add']>[0][]): Summary => {
  const measurements = measure();
  for (const record of records) measurements.add(record);
  return measurements.summary();
};

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

  it('are absent if the history has none', () => {
    fc.assert(
      fc.property(histories, ([header, ...rest]) => {
        if (header?.kind !== 'header') throw new TypeError('no header');
        const { stages: _, ...older } = header;
        const summary = summaryOf([older, ...rest]);
        expect(['stages' in summary, 'knee' in summary]).toEqual([false, false]);
      }),
      { numRuns: 10 },
    );
  });
});
