import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';

const journeys = { look: { steps: [{ createConversation: {} }] } };
const stairs = { model: 'steps', from: '10/min', by: '10/min', steps: 4, each: '1min' } as const;

describe('stairs over the limit of requests', () => {
  it('find the last stair that was admitted and the first that was not', async () => {
    const { records } = await runVirtualScenario({ journeys, load: stairs });
    const { stages = [], knee } = summaryOf([...records, end({ at: us(240_000_000), exchanges: records.length })]);
    expect(stages.map(({ name, arrivalsPerMinute, arrivals }) => [name, arrivalsPerMinute?.to, arrivals])).toEqual([
      ['stair-1', 10, 10],
      ['stair-2', 20, 20],
      ['stair-3', 30, 30],
      ['stair-4', 40, 40],
    ]);
    expect(stages.map(({ state }) => state)).toEqual(['held', 'held', 'gave-in', 'gave-in']);
    expect(stages.map(({ perMinute }) => perMinute?.completedJourneys)).toEqual([10, 20, 20, 20]);
    expect(stages.map(({ refusedBy }) => refusedBy.rate)).toEqual([0, 0, 10, 20]);
    expect(stages.map(({ refusedShare }) => refusedShare)).toEqual([0, 0, 10 / 30, 0.5]);
    expect(knee).toEqual({
      from: 'stair-1',
      to: 'stair-4',
      held: 'stair-2',
      gaveIn: 'stair-3',
      untold: [],
      heldAgain: [],
    });
  });

  it('mark a stair shorter than the window, because earlier requests count in it', async () => {
    const { records } = await runVirtualScenario({ journeys, load: { ...stairs, each: '20s', steps: 6 } });
    const { knee } = summaryOf([...records, end({ at: us(120_000_000), exchanges: records.length })]);
    // Minutes begin at 0 s and at 60 s: the second one has 13 arrivals of stair-4 before those of stair-5.
    expect(knee).toMatchObject({ held: 'stair-4', gaveIn: 'stair-5', withinWindow: true });
  });

  it('leave out the warm-up, and stages that a run cut short did not reach', async () => {
    const { records } = await runVirtualScenario(
      { journeys, load: stairs, warmUp: '90s' },
      {
        interrupt: (stopping, clock) => void clock.sleepUntil(us(130_000_000)).then(() => stopping.stop('interrupted')),
      },
    );
    const cut = { at: us(130_000_000), exchanges: records.length, complete: false, reason: 'interrupted' };
    const { stages = [], knee } = summaryOf([...records, end(cut)]);
    expect(stages.map(({ measuredUs }) => Math.round(measuredUs / 1e6))).toEqual([0, 30, 10, 0]);
    expect(stages.map(({ state }) => state)).toEqual(['untold', 'held', 'untold', 'untold']);
    expect(stages.map(({ arrivals }) => arrivals)).toEqual([0, 10, 30, 40]);
    expect(stages.map(({ dropped }) => dropped)).toEqual([0, 0, 25, 40]);
    expect(knee).toEqual({
      from: 'stair-2',
      to: 'stair-4',
      held: 'stair-2',
      untold: ['stair-3', 'stair-4'],
      heldAgain: [],
    });
  });

  it('do not blame the service for what the end of the run cut off, whenever its journey began', () => {
    const stages = ['one', 'two'].map((name, n) => ({
      ...{ name, fromUs: us(n * 10_000_000), toUs: us((n + 1) * 10_000_000) },
      arrivalsPerMinute: { from: 60 + n, to: 60 + n },
    }));
    const ask = (seq: number, more: Partial<Exchange> = {}): JournalRecord[] => {
      const at = us(seq * 1_000_000);
      const asked = exchange({ seq, arrival: seq, intendedAt: at, sentAt: at, receivedAt: us(at + 5_000), ...more });
      const outcome = more.failure === undefined ? 'completed' : 'interrupted';
      return [
        asked,
        { kind: 'journey', arrival: seq, journey: 'ask', startedAt: at, endedAt: asked.receivedAt, outcome },
      ];
    };
    const cut: Partial<Exchange> = { outcome: 'censored', failure: 'stopped' };
    const judged = (more: Partial<Exchange>, arrival = 19) => {
      const records = Array.from({ length: 19 }, (_, seq) => ask(seq)).flat();
      const last = end({ at: us(20_000_000), exchanges: 20, complete: false, reason: 'deadline' });
      return summaryOf([header({ stages }), ...records, ...ask(19, { arrival, ...more }), last]);
    };
    for (const arrival of [19, 5]) {
      const { stages: cutOff = [], knee } = judged(cut, arrival);
      expect(cutOff[1]).toMatchObject({ state: 'untold', cutOff: 1 });
      expect(knee).toMatchObject({ held: 'one', untold: ['two'] });
      expect(judged({ ...cut, failure: 'deadline' }, arrival).knee).toMatchObject({ gaveIn: 'two' });
    }
  });

  it('do not judge a stair whose requests the scenario’s own caps delayed beyond it', async () => {
    const { records } = await runVirtualScenario({ journeys, load: stairs, caps: { requestsPerMinute: 20 } });
    const { stages = [], knee } = summaryOf([...records, end({ at: us(400_000_000), exchanges: records.length })]);
    expect(stages.map(({ state }) => state)).toEqual(['held', 'held', 'untold', 'untold']);
    expect(knee).toMatchObject({ held: 'stair-2', untold: ['stair-3', 'stair-4'] });
    expect(stages.map(({ heldBack }) => heldBack?.sentLater ?? 0)).toEqual([0, 0, 10, 30]);
    // What is late is in the response time, and in no count.
    expect(stages[3]?.latency?.response.maxUs).toBeGreaterThan(60_000_000);
  });
});

describe('a knee', () => {
  type Rate = number | readonly [from: number, to: number];
  const stage = (index: number, rate: Rate) => {
    const [from, to] = typeof rate === 'number' ? [rate, rate] : rate;
    return {
      name: `s${index}`,
      fromUs: us(index * 1_000_000),
      toUs: us((index + 1) * 1_000_000),
      arrivalsPerMinute: { from, to },
    };
  };
  /** One exchange and one journey a stage, refused or not. */
  function kneeOf(rates: readonly Rate[], refused: readonly number[], code?: string) {
    const records = rates.flatMap((_, index): JournalRecord[] => {
      const at = us(index * 1_000_000 + 10);
      const isRefused = refused.includes(index);
      const outcome = isRefused ? 'stopped' : 'completed';
      return [
        exchange({
          seq: index,
          intendedAt: at,
          sentAt: at,
          ...(isRefused && { outcome: 'refused', status: 429, ...(code && { error: { code } }) }),
        }),
        { kind: 'journey', arrival: index, journey: 'ask', intendedAt: at, startedAt: at, endedAt: at, outcome },
      ];
    });
    const stages = rates.map((rate, index) => stage(index, rate));
    return summaryOf([header({ stages }), ...records, end({ at: us(60_000_000), exchanges: rates.length })]).knee;
  }

  it('is found in the longest sequence of stages in which the load only rises', () => {
    expect(kneeOf([5, 5, 5], [])).toBeUndefined();
    expect(kneeOf([9, 5, 3], [])).toBeUndefined();
    expect(kneeOf([9, 5, 6, 6, 7, 2, 3], [4])).toMatchObject({ from: 's1', to: 's4', held: 's3', gaveIn: 's4' });
  });

  it('is not looked for where the load falls, within a stage or from one to the next', () => {
    // A spike: before, ramp up, peak, ramp down, after. What is refused from the ramp down on says nothing about a rising load.
    const spike = [1, [1, 8], 8, [8, 1], 1] as const;
    expect(kneeOf(spike, [3, 4])).toEqual({ from: 's0', to: 's2', held: 's2', untold: [], heldAgain: [] });
    expect(kneeOf([[8, 1], [1, 9], 9.5], [0])).toMatchObject({ from: 's1', to: 's2', held: 's2' });
    expect(
      kneeOf(
        [
          [1, 5],
          [1, 9],
        ],
        [1],
      ),
    ).toBeUndefined();
    // Rates at both sides of a boundary may differ by rounding.
    expect(kneeOf([[1, 0.1 + 0.2], [0.3, 2], 3], [])).toMatchObject({ to: 's2' });
    expect(kneeOf([[0.1, 0.1 + 0.2], [0.3, 2], 3], [2])).toMatchObject({ from: 's0', to: 's2', gaveIn: 's2' });
  });

  it('is marked in a stage shorter than the window if the rate limit refused anything in it, but not for another limit', () => {
    expect(kneeOf([1, 2, 3], [1], 'rate_limited')).toMatchObject({ gaveIn: 's1', withinWindow: true });
    for (const code of ['daily_quota_exceeded', 'concurrency_limited', undefined])
      expect(kneeOf([1, 2, 3], [1], code)).not.toHaveProperty('withinWindow');
  });

  it('is not reached if all stages held, and has no held stage if the first one gave in', () => {
    expect(kneeOf([1, 2, 3], [])).toEqual({ from: 's0', to: 's2', held: 's2', untold: [], heldAgain: [] });
    expect(kneeOf([1, 2, 3], [0])).toEqual({
      from: 's0',
      to: 's2',
      gaveIn: 's0',
      untold: [],
      heldAgain: ['s1', 's2'],
    });
  });
});
