import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reportOf } from '../testing/reports.ts';
import { sampleRun } from './exporters/journals.exam.ts';
import { incompleteText, lackSentence, lackText } from './incomplete.ts';
import { judgedRun } from './judged-runs.exam.ts';
import { outputs } from './outputs/index.ts';
import { healthWarnings } from './terminal/health-warnings.ts';
import { renderSummary } from './terminal/summary-table.ts';

it.each(['constructor', '__proto__', 'toString'])(
  'takes %s of an end record for a reason that it does not know',
  (reason) => {
    expect(incompleteText({ incompleteBecause: reason })).toBe(reason);
    expect(incompleteText({ incompleteBecause: 'budget' })).toBe('its budget was spent');
  },
);

describe('what a run lacks', () => {
  const whole = judgedRun(sampleRun).summary;
  const ended = (incompleteBecause: string, stopped = 0) => ({
    run: { ...whole.run, complete: false, incompleteBecause, arrivals: 10 },
    drops: { total: stopped + 1, byReason: { 'max-in-flight': 1, ...(stopped > 0 && { stopped }) } },
  });

  it.each([
    ['deadline', 'cut short by its deadline or gracefulStop'],
    ['gate', 'cut short by a gate'],
    ['budget', 'cut short because its budget was spent'],
  ])('is the rest of its plan if a %s ended it, since all records are there', (reason, text) => {
    expect(lackText(ended(reason, 9))).toBe(`${text}: 9 of 10 arrivals never started`);
    expect(lackText(ended(reason))).toBe(text);
    expect(lackSentence(ended(reason).run)).toBe(`the run was ${text}`);
  });

  it('is not counted in arrivals if the run ended in its warm-up, of which no drops are counted', () => {
    const { run, drops } = ended('gate', 9);
    const warm = { run: { ...run, warmUpUs: (run.durationUs + 1) as typeof run.durationUs }, drops };
    expect(lackText(warm)).toBe('cut short by a gate');
  });

  it('is records, if any are missing or may be', () => {
    expect(lackText(ended('lines-lost', 9))).toBe('incomplete: lines are missing');
    expect(lackSentence(ended('interrupted').run)).toBe('the history is incomplete: interrupted');
  });
});

it('a run that its deadline cut short is called incomplete nowhere', () => {
  const records = sampleRun.map((record) =>
    record.kind === 'end' ? { ...record, complete: false, reason: 'deadline' } : record,
  ) as typeof sampleRun;
  const run = judgedRun(records);
  const shown = [
    renderSummary(run.summary),
    healthWarnings(run.summary).join(),
    String(outputs.markdown.render(run)),
    String(outputs.junit.render(run)),
    readFileSync(new URL(reportOf(records)), 'utf8').replace(/<script.*/s, ''),
  ];
  for (const text of shown) {
    expect(text.replaceAll('\n', ' ')).toContain('cut short by its deadline or gracefulStop');
    expect(text).not.toContain('incomplete');
  }
  expect(shown.at(-1)).toContain('Everything that was sent is recorded.');
});
