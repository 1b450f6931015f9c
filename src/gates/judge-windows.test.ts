import { describe, expect, it } from 'vitest';
import type { Millis } from '../base/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { gate, reads, resultOf } from './judged.exam.ts';
import { gateQueries } from './result.ts';

describe('windows', () => {
  /** Ten reads per second for 20 s; those in seconds 8 and 9 take 300 ms, the others 10 ms. */
  const spell = [
    header(),
    ...Array.from({ length: 200 }, (_, seq) => {
      const took = seq >= 80 && seq < 100 ? 300_000 : 10_000;
      return exchange({ seq, sentAt: us(seq * 100_000), receivedAt: us(seq * 100_000 + took) });
    }),
    end({ at: us(20_000_000), exchanges: 200 }),
  ];
  const windowed = (threshold: string, window: number, name = 'http_req_duration') =>
    resultOf(gate(name, threshold, { window: window as Millis }), spell);

  it('are asked for by the gates that have them', () => {
    const gates = [gate('http_reqs', 'count>0'), gate('http_reqs', 'rate>9', { window: 5_000 as Millis })];
    const asked = { metric: 'http_reqs', tags: {} };
    expect(gateQueries(gates.filter((one) => one.kind === 'metric'))).toEqual([
      asked,
      { ...asked, windowUs: 5_000_000 },
    ]);
  });

  it('detect a slow period that the whole run hides', () => {
    expect(resultOf(gate('http_req_duration', 'p(80)<100'), spell).state).toBe('pass');
    const result = windowed('med<100', 3_000);
    expect(result).toMatchObject({
      state: 'fail',
      windows: { lengthMs: 3_000, judged: 18, failed: 2, firstFailed: { fromUs: 7_000_000, toUs: 10_000_000 } },
    });
    expect(result.windows?.firstFailed).not.toHaveProperty('runId');
    expect(result.because).toContain(
      'in 2 of 18 windows of 3.00 s, first from 7.00 s to 10.0 s: med is 300 ms of 27 samples',
    );
  });

  it('fail in words that fit a single window', () => {
    const brief = [...spell.slice(0, -1), end({ at: us(5_400_000), exchanges: spell.length - 2 })];
    expect(resultOf(gate('http_reqs', 'rate<3', { window: 5_000 as Millis }), brief).because).toMatch(
      /^in the only window of 5\.00 s, from 0 ms to 5\.00 s: rate is [\d.]+ a second, not < 3 a second$/,
    );
  });

  it('count only windows with samples as those with too few', () => {
    const sparse = (took: number, others: number) => [
      header(),
      ...Array.from({ length: 40 }, (_, seq) =>
        exchange({ seq, sentAt: us(seq * 10_000), receivedAt: us(seq * 10_000 + took) }),
      ),
      ...Array.from({ length: others }, (_, k) => {
        const at = 3_100_000 + k * 100_000;
        return exchange({ seq: 40 + k, sentAt: us(at), receivedAt: us(at + took) });
      }),
      end({ at: us(8_000_000), exchanges: 40 + others }),
    ];
    const p90 = gate('http_req_duration', 'p(90)<500', { window: 1_000 as Millis });
    const passing = resultOf(p90, sparse(5_000, 3));
    expect(passing.windows).toEqual({ lengthMs: 1_000, judged: 1, failed: 0, tooFew: 1 });
    expect(passing.because).toMatch(
      /^in 1 window of 1\.00 s \(1 more have too few samples\), p\(90\) is 5 ms of 40 samples/,
    );
    const failingOne = resultOf(gate('http_req_duration', 'p(90)<1', { window: 1_000 as Millis }), sparse(5_000, 3));
    expect(failingOne.because).toMatch(
      /^in the only window of 1\.00 s with enough samples, from 0 ms to 1\.00 s: p\(90\)/,
    );
    const none = resultOf(gate('turn_completion', 'med<500', { window: 1_000 as Millis }), sparse(5_000, 0));
    expect(none).toMatchObject({ state: 'undetermined', windows: { judged: 0, tooFew: 0 } });
    expect(none.because).toBe('none of the windows of 1.00 s can be judged; the fullest: there are no samples');
  });

  it('tell one failed window of many from an only one', () => {
    const slowSecond = gate('http_req_duration', 'med<100', { window: 1_000 as Millis });
    const brief = spell.slice(0, 91);
    expect(resultOf(slowSecond, [...brief, end({ at: us(9_100_000), exchanges: 90 })]).because).toMatch(
      /^in 1 of 9 windows of 1\.00 s, first from 8\.00 s to 9\.00 s: /,
    );
  });

  it('say which of several runs failed first', () => {
    const calm = reads(90, { runId: 'run-0' });
    const slowOne = gate('http_req_duration', 'med<100', { window: 3_000 as Millis });
    const result = resultOf(slowOne, calm, spell);
    expect(result.because).toMatch(/^in 2 of \d+ windows of 3\.00 s, first in run 2 of 2, from 7\.00 s to 10\.0 s: /);
    expect(result.windows?.firstFailed).toEqual({ fromUs: 7_000_000, toUs: 10_000_000, runId: 'run-1' });
  });

  it('pass if all windows that can be judged pass', () => {
    expect(windowed('med<400', 4_000)).toMatchObject({ state: 'pass', windows: { judged: 17, failed: 0, tooFew: 0 } });
    expect(windowed('rate<0.1', 4_000, 'http_req_failed')).toMatchObject({ state: 'pass', observed: 0, samples: 40 });
    expect(windowed('rate>9', 5_000, 'http_reqs').because).toMatch(
      /^in all \d+ windows of 5.00 s; in the last, rate is 10 a second$/,
    );
    const brief = [...spell.slice(0, -1), end({ at: us(5_400_000), exchanges: spell.length - 2 })];
    expect(resultOf(gate('http_reqs', 'rate>0', { window: 5_000 as Millis }), brief).because).toMatch(
      /^in 1 window of 5.00 s, rate is [\d.]+ a second$/,
    );
  });

  it('are undetermined if the windows that can be judged have less than half of the samples', () => {
    const quick = Array.from({ length: 40 }, (_, seq) =>
      exchange({ seq, sentAt: us(seq * 10_000), receivedAt: us(seq * 10_000 + 8_000) }),
    );
    const slow = Array.from({ length: 48 }, (_, k) =>
      exchange({ seq: 40 + k, sentAt: us(1_000_000 + k * 125_000), receivedAt: us(1_800_000 + k * 125_000) }),
    );
    const records = [header(), ...quick, ...slow, end({ at: us(8_000_000), exchanges: 88 })];
    const result = resultOf(gate('http_req_duration', 'p(90)<500', { window: 1_000 as Millis }), records);
    expect(result).toMatchObject({ state: 'undetermined', windows: { judged: 1, failed: 0, tooFew: 7 } });
    expect(result.because).toContain(
      'only 1 of the 8 windows of 1.00 s can be judged; the fullest of the others: too few samples: 8, p(90) needs',
    );
  });

  it('say that a stage is too short for a window, and not that the run is', () => {
    const stages = [
      { name: 'calm', fromUs: us(0), toUs: us(2_000_000) },
      { name: 'peak', fromUs: us(2_000_000), toUs: us(9_000_000) },
    ];
    const inCalm = gate('http_req_duration{stage:calm}', 'med<400', { window: 3_000 as Millis });
    expect(resultOf(inCalm, reads(90, { stages }))).toMatchObject({
      state: 'undetermined',
      samples: 0,
      because: 'no window of 3.00 s that ends at a whole second lies within what was measured of the stage calm',
    });
  });

  it('are undetermined if no window has enough samples or none is within the run', () => {
    const short = windowed('p(95)<400', 4_000);
    expect(short).toMatchObject({ state: 'undetermined', needed: 59, samples: 43, windows: { judged: 0 } });
    expect(short.because).toContain(
      'none of the windows of 4.00 s can be judged; the fullest: too few samples: 43, p(95) needs 59',
    );
    expect(windowed('med<400', 30_000)).toMatchObject({
      state: 'undetermined',
      because: 'no window of 30.0 s that ends at a whole second lies within what was measured of the run',
    });
  });

  it('do not call a run shorter than a window that only contains no window between whole seconds', () => {
    const untilHalfPastNine = reads(95, { warmUpUs: us(4_500_000) });
    expect(
      resultOf(gate('http_req_duration', 'med<400', { window: 5_000 as Millis }), untilHalfPastNine),
    ).toMatchObject({
      state: 'undetermined',
      because: 'no window of 5.00 s that ends at a whole second lies within what was measured of the run',
    });
  });
});
