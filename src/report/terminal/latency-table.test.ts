import { describe, expect, it } from 'vitest';
import type { Summary } from '../../collect/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { crowdedRun } from './crowded-run.exam.ts';
import { boundsInWords } from './latency-table.ts';
import { renderSummary } from './summary-table.ts';

describe('renderSummary', () => {
  it('prints times below the counts on a narrow terminal, without losing any', () => {
    const text = renderSummary(summaryOf(sampleRun), { columns: 40 });
    const table = text.split('\n\n')[1] ?? '';
    expect(`\n${table.split('\n').slice(0, 8).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      operation         count   ok  429  err
          time     p50     p90     p99     max
      createConversation    1    1    0    0
       service       –       –       –  2.8 ms
      response       –       –       –  2.9 ms
      sendMessage           2    1    1    0
       service       –       –       –  5.4 ms
      response       –       –       –  7.2 ms
      "
    `);
  });

  it('prints the 95th percentile where all columns fit, and its footnote only there', () => {
    const summary = summaryOf(crowdedRun());
    const wide = renderSummary(summary, { columns: 100 });
    expect(wide).toMatch(/^operation .* p50 +p90 +p95 +p99 +max$/m);
    expect(renderSummary(summaryOf(sampleRun), { columns: 100 })).toContain('p95 (have 1 to 2, need 20)');
    expect(Math.max(...wide.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    const narrow = renderSummary(summary, { columns: 99 });
    expect(narrow).toMatch(/^operation .* p50 +p90 +p99 +max$/m);
    expect(renderSummary(summaryOf(sampleRun), { columns: 99 })).not.toContain('p95');
  });

  it('says why a percentile is missing instead of inventing one', () => {
    const text = renderSummary(summaryOf(crowdedRun()));
    expect(text).toContain('– too few samples: p99 (have 38, need 100)');
    expect(text).toMatch(/readTurn +40 +38 +1 +1 +service +\d+m \d+s +\d+m \d+s +– /);
  });

  it('bounds percentiles in a line', () => {
    const text = renderSummary(summaryOf(crowdedRun()), { columns: 160 });
    expect(text).toMatch(
      /95 % bounds of p90: \w+ \d+m \d+s to \d+m \d+s, \w+ [^,]*, \w+ [^,]* \(assuming independent samples\)/,
    );
  });

  it.each([
    [{ lowUs: us(4_100), highUs: us(9_800) }, '4.1 ms to 9.8 ms'],
    [{ lowUs: us(4_100) }, '4.1 ms or more'],
    [{ highUs: us(9_800) }, '0 to 9.8 ms'],
    [{}, 'too few samples'],
  ])('bounds %j are %s', (ends, text) => {
    expect(boundsInWords({ ...ends, method: 'order-statistics' })).toBe(text);
  });

  it('says of bounds that they are wider if any of them are', () => {
    const summary = summaryOf(crowdedRun());
    const operation = summary.operations.readHistory;
    const service = operation?.latency.success?.service;
    const p90 = service?.percentiles.p90;
    if (!operation || !p90 || !('us' in p90)) throw new Error('no percentile');
    const percentiles = { ...service.percentiles, p90: { ...p90, bounds: { ...p90.bounds, method: 'batch-means' } } };
    const latency = {
      ...operation.latency,
      success: { ...operation.latency.success, service: { ...service, percentiles } },
    };
    const operations = { ...summary.operations, readHistory: { ...operation, latency } } as Summary['operations'];
    expect(renderSummary({ ...summary, operations }, { columns: 600 })).toMatch(
      /^95 % bounds of p90: .*readHistory .* \(wider, as latency varies over time\)$/m,
    );
  });

  it('does not blame the number of samples if they vary over time', () => {
    expect(boundsInWords({ method: 'batch-means' })).toBe('unknown');
  });

  it('prints counts in full if there is room', () => {
    const summary = summaryOf(sampleRun);
    const operation = summary.operations.readTurn;
    const many = (count: number) => ({ ...summary, operations: { readTurn: { ...operation, count } } }) as Summary;
    expect(renderSummary(many(123_456), { columns: 80 })).toMatch(/readTurn +123k/);
    expect(renderSummary(many(123_456), { columns: 120 })).toMatch(/readTurn +123,456 /);
    expect(renderSummary(many(999_999), { columns: 120 })).toMatch(/readTurn +999,999 /);
    expect(renderSummary(many(9_999_999), { columns: 120 })).toMatch(/readTurn +9\.9M /);
    expect(renderSummary(many(123_456_789), { columns: 120 })).toMatch(/readTurn +123M /);
  });
});
