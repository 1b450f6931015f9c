import { expect, it } from 'vitest';
import type { JournalRecord } from '../history/index.ts';
import { sampleRun } from './exporters/journals.exam.ts';
import { judgedRun } from './judged-runs.exam.ts';
import { outputs } from './outputs/index.ts';
import { renderMarkdown } from './outputs/markdown.ts';
import { renderSummary } from './terminal/summary-table.ts';
import { renderVerdictsDocument } from './terminal/verdicts.ts';

/** What every text says of the sample run, its service's clock so many times as fast; lines as they are, not wrapped. */
function told(rate: number): string {
  const records = sampleRun.map((record): JournalRecord => (record.kind === 'clock' ? { ...record, rate } : record));
  const run = judgedRun(records);
  const { clockRate } = run.summary.run;
  return [
    renderSummary(run.summary, { columns: 200 }),
    renderVerdictsDocument(run.verdicts, 'x', { clockRate }),
    renderMarkdown(run),
    String(outputs.junit.render(run)).replaceAll('&apos;', "'"),
  ].join('\n');
}

it('says of every time beside the run whose it is, where the clock of the service has its own speed', () => {
  const lines = told(20).split('\n');
  expect(lines.filter((line) => line.includes('20 times as fast'))).toEqual([
    '2 arrivals, 9 exchanges, 1 exchange of warm-up left out, 40/min, seed 7, service clock 20 times as fast',
    "Times of limits and proofs are on the service's clock, 20 times as fast as the run's.",
  ]);
  const intervals = lines.filter((line) => /between [\d.]+ s and/.test(line)).map((line) => line.trim());
  expect(intervals).toEqual(Array(2).fill("between 0.000 s and 2.021 s of the run, 40.420 s on the service's clock"));
});

it('says nothing of a clock that runs as ours', () => {
  const text = told(1.0005);
  expect(text).toMatch(/between [\d.]+ s and [\d.]+ s of the run\n/);
  expect(text).not.toMatch(/times as fast|on the service.s clock/);
});
