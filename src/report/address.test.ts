import { expect, it } from 'vitest';
import { judgedOf } from '../testing/reports.ts';
import { exportText } from './export-all.ts';
import { exporters } from './exporters/index.ts';
import { sampleRun } from './exporters/journals.exam.ts';
import { judgedRun } from './judged-runs.exam.ts';
import { renderMarkdown } from './outputs/markdown.ts';
import { renderSummary } from './terminal/summary-table.ts';

const at = (baseUrl: string) =>
  sampleRun.map((record) =>
    record.kind === 'header'
      ? { ...record, profile: { ...(record.profile as object), name: 'shop', baseUrl } }
      : record,
  );

it('tells, wherever the page may be sent, whose limits were tested: the name of the profile and the address', () => {
  const records = at('https://api.example.com');
  const page = exportText(exporters.report, records, judgedOf(records));
  expect(page.replaceAll('<wbr>', '')).toContain('</b> against shop at https://api.example.com <span>');
  expect(renderMarkdown(judgedRun(records))).toContain(' against `shop` at `https://api.example.com`: ');
  expect(renderSummary(judgedRun(records).summary)).toContain(' against https://api.example.com, ');
});

it('tells no address of the embedded sandbox, which has none', () => {
  expect(renderMarkdown(judgedRun(sampleRun))).toMatch(/ against `sandbox`: /);
});
