import { describe, expect, it } from 'vitest';
import type { HealthRecord } from '../../../history/index.ts';
import { us } from '../../../testing/history/sample-records.ts';
import { GeneratorGatherer } from './generator.ts';

describe('the generator over time', () => {
  it('omits the CPU of intervals that are too short', () => {
    const gatherer = new GeneratorGatherer();
    const record = (at: number, cpuUs: number): HealthRecord => ({
      kind: 'health',
      at: us(at),
      cpuUs: us(cpuUs),
      gcUs: us(0),
      backlog: 0,
    });
    for (const one of [record(1_000_000, 40_000), record(2_000_000, 50_000), record(2_000_210, 207)]) gatherer.add(one);
    expect(gatherer.series()).toMatchObject({ at: [1_000_000, 2_000_000, 2_000_210], cpu: [40, 50, -1] });
  });

  it('is that of the worst of several workers, in order of time', () => {
    const gatherer = new GeneratorGatherer();
    const add = (worker: number, at: number, eventLoop: number, lag?: number) =>
      gatherer.add({
        kind: 'health',
        at: us(at),
        eventLoopP99Us: us(eventLoop),
        ...(lag !== undefined && { scheduleLagP99Us: us(lag) }),
        cpuUs: us(worker * 10_000),
        gcUs: us(0),
        backlog: 0,
        worker,
      });
    add(1, 1_000_000, 20_000, 300);
    add(2, 1_003_000, 5_000, 7_000);
    add(2, 2_002_000, 4_000);
    add(1, 2_001_000, 9_000, 200);
    add(1, 3_000_000, 1_000, 100);
    expect(gatherer.series()).toEqual({
      at: [1_003_000, 2_002_000, 3_000_000],
      eventLoopUs: [20_000, 9_000, 1_000],
      lagUs: [7_000, 200, 100],
      cpu: [20, 20, 10],
    });
  });
});
