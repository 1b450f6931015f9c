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
});
