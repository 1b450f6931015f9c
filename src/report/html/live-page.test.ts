import { expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { liveState } from '../../testing/live-state.ts';
import { judgedOf } from '../../testing/reports.ts';
import { exportText } from '../export-all.ts';
import { exporters } from '../exporters/index.ts';
import { emptyRun, sampleRun } from '../exporters/journals.exam.ts';
import { LivePage, livePage } from './live-page.ts';

it('says that a journal without its end is being written, while the run is in progress', () => {
  const page = new LivePage();
  for (const record of sampleRun.slice(0, -1)) page.add(record);
  expect(page.whole(liveState()).fragments.footer).toContain('being written, ');
  expect(page.whole(undefined).fragments.footer).toContain('incomplete: cut off, the end record is missing, ');
});

it('says that the warm-up is counted during the run, if there is one', () => {
  const figuresOf = (records: readonly JournalRecord[]) => {
    const page = new LivePage();
    for (const record of records) page.add(record);
    return page.whole(liveState()).fragments['live-figures'];
  };
  expect(figuresOf(sampleRun)).toContain('<b>1,200</b> <small>4.23/s now; warm-up included</small>');
  expect(figuresOf(emptyRun)).toContain('<b>1,200</b> <small>4.23/s now</small>');
});

it('says of open turns that so many are in process at most, since nobody may have seen to their end', () => {
  const limits = new LivePage().whole(liveState({ openTurns: { used: 11, max: 2 } })).fragments['live-limits'];
  expect(limits).toContain('aria-label="Turns in process: at most 11 of 2"');
  expect(limits).toContain('<span>at most 11 of 2</span>');
  expect(limits).toContain('aria-label="New messages this UTC day: 31 of 50"');
});

it('updates the text above each chart', () => {
  const page = new LivePage();
  const introOf = (id: string) => page.whole(liveState()).fragments[`${id}-intro`];
  expect(introOf('completion')).toContain('all 0 accepted turns');
  for (const record of sampleRun) page.add(record);
  expect(introOf('completion')).toContain('all 1 accepted turns');
  expect(introOf('requests')).toContain('Bands are windows of ');
  expect(livePage({ scenario: 'ask', folder: 'out', id: 'r1' }).text).toContain('id="completion-intro"');
});

it('has the results of the stages once the run has ended, as its report has them', () => {
  const resultsOf = (page: LivePage, records: readonly JournalRecord[]) => {
    for (const record of records) page.add(record);
    return page.whole(undefined).fragments['stage-results'];
  };
  const ended = resultsOf(new LivePage(judgedOf(sampleRun)), sampleRun) ?? '';
  expect(ended).toContain('<h2 id="stages-title">Stage by stage</h2>');
  expect(exportText(exporters.report, sampleRun, judgedOf(sampleRun))).toContain(ended);
  expect(resultsOf(new LivePage(judgedOf(emptyRun)), emptyRun)).toBe('');
  expect(resultsOf(new LivePage(), sampleRun)).toBeUndefined();
  expect(livePage({ scenario: 'ask', folder: 'out', id: 'r1' }).text).toContain('<div id="stage-results"></div>');
});
