import { describe, expect, it } from 'vitest';
import type { Millis } from '../base/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { judgeGates } from './judge.ts';
import { gate, judgedRun, reads } from './judged.exam.ts';
import { failingGate } from './watch.ts';

describe('a gate that ends the run', () => {
  const slow = gate('http_req_duration', 'med<3', { abortOnFail: true, delayAbortEval: 500 as Millis });
  const aborting = slow.kind === 'metric' ? [slow] : [];
  const watching = (records: readonly JournalRecord[], at: number) =>
    failingGate(aborting, judgedRun(aborting, records).series, us(at));

  it('is found during the run, once its delay has passed and it has enough samples', () => {
    expect(watching(reads(9).slice(0, -1), 1_000_000)).toBe(slow);
    expect(watching(reads(9).slice(0, -1), 500_000)).toBe(slow);
    expect(watching(reads(9).slice(0, -1), 499_999)).toBeUndefined();
    expect(watching(reads(4).slice(0, -1), 1_000_000)).toBeUndefined();
  });

  it('checks only the last window', () => {
    const busy = gate('http_reqs', 'rate<5', { abortOnFail: true, window: 2_000 as Millis });
    const gates = busy.kind === 'metric' ? [busy] : [];
    const { series } = judgedRun(gates, reads(40).slice(0, -1));
    expect(failingGate(gates, series, us(4_100_000))).toBe(busy);
    expect(failingGate(gates, series, us(1_900_000))).toBeUndefined();
    expect(failingGate(gates, series, us(7_100_000))).toBeUndefined();
  });

  it.each([
    // With 95 % confidence, 1 of 400 is at most 1.2 %, and 12 are at least 1.7 %; of 16 slow ones the 95th percentile may be one.
    ['http_req_failed', 'bound(rate)<0.01', 1, false],
    ['http_req_failed', 'bound(rate)<0.01', 12, true],
    ['checks', 'bound(rate)>0.99', 1, false],
    ['checks', 'bound(rate)>0.99', 12, true],
    ['http_req_duration', 'bound(p(95))<20', 16, false],
    ['http_req_duration', 'bound(p(95))<20', 30, true],
    ['http_req_duration', 'bound(p(5))>20', 12, true],
  ])('%s: %s fails with %d of 400 slow or wrong; ends the run: %s', (metric, threshold, wrong, ends) => {
    const bounded = gate(metric, threshold, { abortOnFail: true });
    const gates = bounded.kind === 'metric' ? [bounded] : [];
    const records = Array.from({ length: 400 }, (_, seq) => {
      const isWrong = seq % Math.floor(400 / wrong) === 0 && seq / Math.floor(400 / wrong) < wrong;
      const sentAt = us(seq * 10_000);
      return exchange({
        seq,
        sentAt,
        receivedAt: us(sentAt + (isWrong ? 30_000 : 10_000)),
        status: isWrong ? 500 : 200,
        expect: { checked: 1, unmet: isWrong ? ['status'] : [] },
      });
    });
    const run = judgedRun(gates, [header(), ...records]);
    expect(judgeGates({ gates, unreadable: [] }, [run]).gates[0]?.state).toBe('fail');
    expect(failingGate(gates, run.series, us(4_000_000))).toBe(ends ? bounded : undefined);
  });

  it('with a bound ends it in a window, which fails the gate for good', () => {
    const inWindow = gate('http_req_failed', 'bound(rate)<0.1', { abortOnFail: true, window: 1_000 as Millis });
    const gates = inWindow.kind === 'metric' ? [inWindow] : [];
    const records = Array.from({ length: 100 }, (_, seq) =>
      exchange({ seq, sentAt: us(seq * 9_900), receivedAt: us(seq * 9_900 + 100), status: seq % 20 === 0 ? 500 : 200 }),
    );
    expect(failingGate(gates, judgedRun(gates, [header(), ...records]).series, us(1_000_000))).toBe(inWindow);
  });

  it('is judged by its own samples, not by those of another gate', () => {
    const second = { abortOnFail: true, window: 1_000 as Millis } as const;
    const windowed = gate('http_req_duration', 'med<3', second);
    const gates = [
      gate('http_reqs', 'count>0', { abortOnFail: true }),
      gate('http_reqs{operation:sendMessage}', 'rate<1', second),
      gate('http_reqs{operation:sendMessage}', 'count>0', { abortOnFail: true }),
      windowed,
    ].filter((one) => one.kind === 'metric');
    const found = (...wanted: readonly number[]) => {
      const watched = gates.filter((_, index) => wanted.includes(index));
      return failingGate(watched, judgedRun(watched, reads(12).slice(0, -1)).series, us(1_100_000));
    };
    expect(found(0, 1)).toBeUndefined();
    expect(found(0, 2)).toBe(gates[2]);
    expect(found(1, 3)).toBe(windowed);
  });

  it('is told of every run that it ended, and where it no longer can be judged', () => {
    const failed = gate('http_req_duration', 'med<3', { abortOnFail: true, window: 1_000 as Millis });
    const [told] = judgeGates({ gates: [failed], unreadable: [] }, [
      judgedRun([failed], reads(4)),
      judgedRun([failed], reads(4, { runId: 'run-2' }), { stoppedBy: 'http_req_duration: med<3 in windows of 1 s' }),
    ]).gates;
    expect(told).toMatchObject({ state: 'fail', stoppedRun: true, failsRun: true });
    expect(told?.because).toMatch(/^failed during the run and ended it; at the end: no window of 1.00 s that ends/);
  });

  it('is told without an end if it still failed then', () => {
    const [told] = judgeGates({ gates: [slow], unreadable: [] }, [
      judgedRun([slow], reads(9), { stoppedBy: 'http_req_duration: med<3' }),
    ]).gates;
    expect(told?.because).toMatch(/^failed during the run and ended it; med is [\d.]+ ms of 9 samples/);
  });

  it('counts as failed, whatever the rest of the run shows', () => {
    const records = [
      ...reads(9).slice(0, -1),
      ...Array.from({ length: 90 }, (_, i) => exchange({ seq: 9 + i, sentAt: us(i) })),
    ];
    const document = judgeGates({ gates: [slow], unreadable: [] }, [
      judgedRun([slow], records, { stoppedBy: 'http_req_duration: med<3' }),
    ]);
    expect(document.gates[0]).toMatchObject({ state: 'fail', stoppedRun: true, failsRun: true });
    expect(document.gates[0]?.because).toContain('failed during the run and ended it; at the end: med is 1 ms');
  });

  it.each([
    ['http_req_duration: med<3 in windows of 2 s', [undefined, undefined, true, undefined]],
    ['http_req_duration: med<3 in windows of 3 s', [undefined, undefined, undefined, true]],
    ['http_req_duration: med<3', [undefined, true, undefined, undefined]],
  ])('only the gate itself counts as stopping, not others with its requirement: %s', (stoppedBy, stopped) => {
    const gates = [
      gate('http_req_duration', 'med<3'),
      slow,
      gate('http_req_duration', 'med<3', { abortOnFail: true, window: 2_000 as Millis }),
      gate('http_req_duration', 'med<3', { abortOnFail: true, window: 3_000 as Millis }),
    ];
    const records = Array.from({ length: 90 }, (_, i) => exchange({ seq: i, sentAt: us(i) }));
    const document = judgeGates({ gates, unreadable: [] }, [
      judgedRun(gates, [header(), ...records, end({ exchanges: 90 })], { stoppedBy }),
    ]);
    expect(document.gates.map(({ stoppedRun }) => stoppedRun)).toEqual(stopped);
    expect(document.gates[0]).toMatchObject({
      state: 'pass',
      because: 'med is 1 ms of 90 samples (95 % bounds: 1 ms to 1 ms)',
    });
  });

  it('finds a windowed gate in a journal that names no window', () => {
    const windowed = gate('http_req_duration', 'med<3', { abortOnFail: true, window: 2_000 as Millis });
    const other = gate('http_req_duration', 'med<99', { abortOnFail: true });
    const stopped = (stoppedBy?: string) =>
      judgeGates({ gates: [windowed, other], unreadable: [] }, [
        judgedRun([windowed, other], reads(40), stoppedBy === undefined ? {} : { stoppedBy }),
      ]).gates.map(({ stoppedRun }) => stoppedRun);
    expect(stopped('http_req_duration: med<3')).toEqual([true, undefined]);
    expect(stopped()).toEqual([undefined, undefined]);
  });
});
