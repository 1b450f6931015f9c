import { expect, it } from 'vitest';
import { judgedOf } from '../../testing/reports.ts';
import { exportText } from '../export-all.ts';
import { exporters } from '../exporters/index.ts';
import { sampleRun } from '../exporters/journals.exam.ts';

/** The report of the sample run, its service's clock so many times as fast. */
function reportAt(rate: number): string {
  const records = sampleRun.map((record) => (record.kind === 'clock' ? { ...record, rate } : record));
  return exportText(exporters.report, records, judgedOf(records)).replaceAll('&#39;', "'");
}

it('says how fast the service counts wherever its time stands beside the run', () => {
  const text = reportAt(10);
  for (const words of [
    "UTC · 12.0 s · the service's clock 10 times as fast",
    '<p class="intro">The service\'s clock ran 10 times as fast as the run\'s.',
    "windows of a minute on the service's clock (6.00 s of the run)",
    '<th scope="row" class="">As reported by the service, on its clock, 10 times as fast</th>',
    'reported by the service, whose clock ran 10 times as fast',
  ])
    expect(text).toContain(words);
});

it('says nothing of a clock that runs as ours', () => {
  const text = reportAt(1);
  expect(text).not.toContain('times as fast');
  expect(text).toContain('<th scope="row" class="">As reported by the service</th>');
});
