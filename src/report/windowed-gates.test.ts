import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reportOf } from '../testing/reports.ts';
import { sampleRun } from './exporters/journals.exam.ts';
import { judgedRun } from './judged-runs.exam.ts';
import { githubAnnotations } from './outputs/github.ts';
import { renderMarkdown } from './outputs/markdown.ts';
import { renderGates } from './terminal/gates.ts';

const gate = { metric: 'rate_limited', expression: 'rate<0.1', state: 'fail', because: 'so', failsRun: true } as const;
const windows = (lengthMs: number) => ({ lengthMs, judged: 9, failed: 1, tooFew: 0 });
const all = [gate, { ...gate, windows: windows(30_000) }, { ...gate, windows: windows(60_000) }];
const run = judgedRun(sampleRun);
const judged = { ...run, gates: { ...run.gates, gates: all } };

/** Gates that differ in their window alone. */
it.each([
  ['on a terminal', renderGates(judged.gates, { columns: 100 })],
  ['in summary.md', renderMarkdown(judged).replaceAll('` | `', ': ')],
  ['in annotations', githubAnnotations(judged).join('\n').replaceAll('%3A', ':')],
  ['in report.html', readFileSync(new URL(reportOf(sampleRun, all)), 'utf8').replaceAll('&lt;', '<')],
])('gates are named with their windows %s', (_, text) => {
  const name = (window: string) => `rate_limited: rate<0.1${window}`;
  const count = (window: string) => text.split(name(window)).length - 1;
  expect([count(''), count(' in windows of 30 s'), count(' in windows of 60 s')]).toEqual([3, 1, 1]);
});
