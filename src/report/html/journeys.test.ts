import { expect, it } from 'vitest';
import type { JournalRecord, JourneyRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { exportText } from '../export-all.ts';
import { exporters } from '../exporters/index.ts';
import { header, sampleRun } from '../exporters/journals.exam.ts';
import { journeysSection } from './journeys.ts';

const stopped = (arrival: number, journey: string, because: string): JourneyRecord => ({
  kind: 'journey',
  arrival,
  journey,
  startedAt: us(0),
  endedAt: us(9),
  outcome: 'stopped',
  stoppedAt: { operation: 'sendMessage', because },
});
const completed: readonly JournalRecord[] = Array.from({ length: 10 }, (_, i) => ({
  kind: 'journey',
  arrival: 10 + i,
  journey: 'obey',
  startedAt: us(0),
  endedAt: us((i + 1) * 1_000_000),
  outcome: 'completed',
}));
const rowsOf = (records: readonly JournalRecord[]) =>
  [...(journeysSection(summaryOf(records))?.text ?? '').matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '')),
  );

it('tells what became of each journey of a scenario, so that their policies can be compared', () => {
  const stops = [stopped(0, 'stop', '429 <b>'), stopped(1, 'stop', 'status 500'), stopped(2, 'stop', 'status 500')];
  expect(rowsOf([header(), ...completed, ...stops])).toEqual([
    ['Journey', 'Started', 'Completed', 'Stopped', 'Cut off by the end', 'Duration p50', 'Duration p90', 'Stopped at'],
    ['obey', '10', '10', '0', '0', '5.00 s 2.00 s to 9.00 s', '9.00 s 7.00 s or more', '–'],
    ['stop', '3', '0', '3', '0', '–', '–', 'sendMessage: status 500 × 2, sendMessage: 429 &lt;b&gt; × 1'],
  ]);
});

it('has nothing to compare if there is one journey, or none', () => {
  expect(journeysSection(summaryOf([header(), ...completed]))).toBeUndefined();
  expect(journeysSection(summaryOf([header()]))).toBeUndefined();
});

it('shows no more of what a service said than there is room for', () => {
  const because = `status 500 ${'x'.repeat(300)}`;
  const row = rowsOf([header(), ...completed, stopped(0, 'stop', because)]).at(-1);
  expect(row?.at(-1)).toBe(`sendMessage: status 500 ${'x'.repeat(52)}… × 1`);
});

it('is in the contents of the page, all of which results/README.md describes', () => {
  // After the sample's warm-up.
  const others = [stopped(20, 'a', '429'), stopped(21, 'b', '429')].map(
    (one): JournalRecord => ({ ...one, startedAt: us(6_000_000), endedAt: us(7_000_000) }),
  );
  const page = exportText(exporters.report, [...sampleRun.slice(0, -1), ...others, ...sampleRun.slice(-1)]);
  const contents = [...page.matchAll(/<li><a href="#[a-z]+" id="to-[a-z]+">(.*?)<\/a>/g)].map(([, title]) => title);
  expect(contents).toContain('Journeys');
  expect(exporters.report.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(contents));
});
