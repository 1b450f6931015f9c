import { describe, expect, it } from 'vitest';
import { end, header, exchange as read, us } from '../../testing/history/sample-records.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { outputs } from './index.ts';
import { runs, violatedRun } from './runs.exam.ts';

describe('metrics.prom', () => {
  /** Parses the text by the ABNF of OpenMetrics 1.0, section "Overall Structure". */
  function parsed(text: string): Map<string, number> {
    const lines = text.split('\n');
    expect(lines.slice(-2)).toEqual(['# EOF', '']);
    const samples = new Map<string, number>();
    for (const line of lines.slice(0, -2)) {
      if (line === '') continue;
      if (/^# (HELP|TYPE) [a-zA-Z_:][\w:]* \S/.test(line)) continue;
      const match =
        /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (-?[\d.]+(?:e[+-]\d+)?)$/.exec(line);
      expect(match, line).not.toBeNull();
      expect(samples.has(match?.[1] ?? '')).toBe(false);
      samples.set(match?.[1] ?? '', Number(match?.[2]));
    }
    return samples;
  }

  it.each(Object.entries(runs))('of the %s run is OpenMetrics', async (_, run) => {
    const samples = parsed(await outputs.openMetrics.render(run()));
    expect(samples.get('spillway_run_info') ?? 1).toBe(1);
  });

  it('has counts, quantiles with bounds in seconds, and verdicts', async () => {
    const samples = parsed(await outputs.openMetrics.render(judgedRun(violatedRun)));
    expect(samples.get('spillway_http_reqs_total{operation="readHistory",outcome="success"}')).toBe(41);
    expect(samples.get('spillway_http_req_duration_seconds{operation="readHistory",quantile="0.9"}')).toBe(0.001);
    expect(
      samples.get('spillway_http_req_duration_bound_seconds{operation="readHistory",quantile="0.9",bound="high"}'),
    ).toBe(0.001);
    // 41 samples are too few for the 99th percentile.
    expect(samples.has('spillway_http_req_duration_seconds{operation="readHistory",quantile="0.99"}')).toBe(false);
    expect(samples.get('spillway_limit_verdict{limit="rate",verdict="violated"}')).toBe(1);
    expect(samples.get('spillway_limit_verdict{limit="rate",verdict="consistent"}')).toBe(0);
    expect(samples.get('spillway_gate_passed{metric="http_req_duration",gate="max<1"}')).toBe(0);
    expect(samples.get('spillway_gate_passed{metric="limit.daily",gate="not violated"}')).toBe(1);
    expect(samples.get('spillway_run_complete')).toBe(1);
  });

  it('has the quantiles that many samples carry, each with its own label', async () => {
    const many = Array.from({ length: 3_000 }, (_, seq) =>
      read({ seq, sentAt: us(seq * 1_000), receivedAt: us(seq * 1_000 + seq + 1_000) }),
    );
    const run = judgedRun([header(), ...many, end({ exchanges: 3_000, at: us(4_000_000) })]);
    const samples = parsed(await outputs.openMetrics.render(run));
    const of = (quantile: string) =>
      samples.get(`spillway_http_req_duration_seconds{operation="readHistory",quantile="${quantile}"}`);
    expect(of('0.99')).toBeCloseTo(0.00397, 4);
    expect(of('0.999')).toBeCloseTo(0.003997, 4);
    expect(of('0.999')).toBeGreaterThan(of('0.99') ?? 0);
  });

  it('has a line for each window of a gate, which is 0 if any gate of that line fails', async () => {
    const run = judgedRun(sampleRun);
    const windows = { lengthMs: 2_000, judged: 9, failed: 0, tooFew: 0 };
    const one = {
      metric: 'rate_limited',
      expression: 'rate<1',
      state: 'pass',
      because: 'so',
      failsRun: false,
    } as const;
    const failed = { ...one, state: 'fail', failsRun: true } as const;
    const gates = [failed, one, { ...one, windows }];
    const samples = parsed(await outputs.openMetrics.render({ ...run, gates: { ...run.gates, gates } }));
    expect(samples.get('spillway_gate_passed{metric="rate_limited",gate="rate<1"}')).toBe(0);
    expect(samples.get('spillway_gate_passed{metric="rate_limited",gate="rate<1",window="2"}')).toBe(1);
  });
});
