import { MetricSeries } from '../collect/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { type Gate, type GateOptions, parseGate, plainOptions } from '../metrics/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { judgeGates, type RunToJudge } from './judge.ts';
import { type GateResult, gateQueries } from './result.ts';

export function gate(name: string, threshold: string, options: Partial<GateOptions> = {}): Gate {
  const parsed = parseGate(name, threshold, { ...plainOptions, ...options });
  if ('value' in parsed) return parsed.value;
  throw new Error(parsed.faults.map(({ message }) => message).join());
}

export function judgedRun(
  gates: readonly Gate[],
  records: readonly JournalRecord[],
  more: Partial<RunToJudge> = {},
): RunToJudge {
  const series = new MetricSeries(gateQueries(gates.filter((one) => one.kind === 'metric')));
  for (const record of records) series.add(record);
  return { series, limits: [], ...more };
}

export function resultOf(one: Gate, ...runs: (readonly JournalRecord[])[]): GateResult {
  const [result] = judgeGates(
    { gates: [one], unreadable: [] },
    runs.map((records) => judgedRun([one], records)),
  ).gates;
  if (!result) throw new Error('no result');
  return result;
}

/** A run with this number of reads, which took 1 ms, 2 ms, 3 ms, … and ended 0.1 s apart. */
export const reads = (count: number, members: Parameters<typeof header>[0] = {}): JournalRecord[] => [
  header(members),
  ...Array.from({ length: count }, (_, seq) =>
    exchange({ seq, sentAt: us(seq * 100_000), receivedAt: us(seq * 100_000 + (seq + 1) * 1_000) }),
  ),
  end({ at: us(count * 100_000), exchanges: count }),
];
