import { expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { header } from '../exporters/journals.exam.ts';
import { journeysSection } from './journeys.ts';

const stopped = (arrival: number, journey: string, because: string): JournalRecord => ({
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
