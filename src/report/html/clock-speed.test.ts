import { expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { judgedOf } from '../../testing/reports.ts';
import { exportText } from '../export-all.ts';
import { exporters } from '../exporters/index.ts';
import { sampleRun } from '../exporters/journals.exam.ts';

/** The report of the sample run with a service clock of the given speed. */
const reportAt = (rate: number): string =>
  reportOf(sampleRun.map((record) => (record.kind === 'clock' ? { ...record, rate } : record)));

function reportOf(records: readonly JournalRecord[]): string {
  return exportText(exporters.report, records, judgedOf(records)).replaceAll('&#39;', "'");
}

const heardTwice = (record: JournalRecord): JournalRecord[] =>
  record.kind === 'clock'
    ? [record, { ...record, at: us(record.at + 50_000), serviceUs: us(record.serviceUs + 1_000_000) }]
    : [record];

it("states the speed of the service's clock wherever its times are shown with run time", () => {
  const text = reportAt(10);
  for (const words of [
    "UTC · 12.0 s · the service's clock 10 times as fast",
    '<p class="intro">The service\'s clock ran 10 times as fast as run time.',
    "windows of a minute on the service's clock (6.00 s of the run)",
    '<th scope="row" class="">As reported by the service, on its clock, 10 times as fast</th>',
    'reported by the service, whose clock ran 10 times as fast',
  ])
    expect(text).toContain(words);
});

it.each([
  ['runs at normal speed', reportAt(1)],
  ['is known from two Date headers on both sides of a whole second', reportOf(sampleRun.flatMap(heardTwice))],
])('does not mention a clock that %s', (_, text) => {
  expect(text).not.toContain('times as fast');
  expect(text).toContain('<th scope="row" class="">As reported by the service</th>');
});
