import { describe, expect, it } from 'vitest';
import { exchangesOf, oneByOne, STAGE_US, threeStages } from '../collect/stages/fell-behind.exam.ts';
import type { JournalRecord } from '../history/index.ts';
import { end, header, us } from '../testing/history/sample-records.ts';
import { summaryOf } from '../testing/measured.ts';
import { exportText } from './export-all.ts';
import { exporters } from './exporters/index.ts';
import { csvRecords } from './exporters/parse-csv.exam.ts';
import { judgedRun } from './judged-runs.exam.ts';
import { renderMarkdown } from './outputs/markdown.ts';
import { fellBehindText, kneeText } from './stages-text.ts';
import { SummarySchema } from './summary-schema.ts';
import { renderSummary } from './terminal/summary-table.ts';

/** Planned rates that rise from stage to stage, or do not. What was really sent is 2, 12 and 24 a second; 10 are answered. */
function records(planned: readonly number[], takesUs = 100_000): readonly JournalRecord[] {
  const stages = threeStages.map((stage, index) => {
    const rate = planned[index] ?? 0;
    return { ...stage, arrivalsPerMinute: { from: rate, to: rate } };
  });
  const due = [2, 12, 24].flatMap((level, index) =>
    Array.from({ length: level * 10 }, (_, nth) => index * STAGE_US + (nth * 1e6) / level),
  );
  const exchanges = exchangesOf(oneByOne(due, () => takesUs, Math.random));
  const journeys = exchanges.map(
    ({ intendedAt, receivedAt: endedAt }, arrival) =>
      ({
        kind: 'journey',
        arrival,
        journey: 'ask',
        intendedAt,
        startedAt: intendedAt,
        endedAt,
        outcome: 'completed',
      }) as const,
  );
  const counts = { exchanges: exchanges.length, arrivals: exchanges.length };
  return [header({ stages }), ...exchanges, ...journeys, end({ at: us(60e6), ...counts })];
}

describe('stages in which the service fell behind', () => {
  const rising = records([120, 720, 1_440]);
  const summary = summaryOf(rising);

  it('say so in the sentence about the knee, and of the others beside it', () => {
    expect(kneeText(summary)).toBe(
      'stair-1 (2/s) held: all 20 journeys completed, none of 20 exchanges refused or failed; stair-2 (12/s) was the first that did not: fell behind: 11 unanswered at its half, 21 at its end',
    );
    expect(fellBehindText(summary)).toBe('stair-3 (91 unanswered at its half, 161 at its end)');
    expect(fellBehindText(summaryOf(records([120, 720, 1_440], 1_000)))).toBeUndefined();
    expect(SummarySchema.safeParse(summary).error?.issues).toBeUndefined();
  });

  it('are in the terminal, on the page, in Markdown and in stages.csv, also where the load does not rise', () => {
    for (const planned of [
      [120, 720, 1_440],
      [720, 720, 720],
    ]) {
      const run = records(planned);
      const terminal = renderSummary(summaryOf(run), { columns: 80 }).replaceAll(/\s+/g, ' ');
      const markdown = renderMarkdown({ ...judgedRun(run), summary: summaryOf(run) });
      const page = exportText(exporters.report, run).replaceAll(/<[^>]*>/g, '');
      for (const text of [terminal, markdown, page]) {
        expect(text).toMatch(/stair-2[^✗|]*11 unanswered at its half, 21 at its end/);
        expect(text).toMatch(/[Ff]ell behind\W.*stair-3\W+91 unanswered at its half, 161 at its end/);
      }
      const rows = csvRecords(exportText(exporters.stages, run));
      expect(rows.map((row) => [row.state, row.behind_half, row.behind_end, row.completed_per_minute])).toEqual([
        ['held', '', '', '120'],
        ['gave-in', '11', '21', '594'],
        ['gave-in', '91', '161', '600'],
      ]);
    }
  });

  it('are undecided if most of their first requests took longer than half of them', () => {
    // Each takes 3 s. The first stage's 10 requests in its half are too few to fall behind; the third one is answered after 9 s.
    const why = String.raw`\(most requests or turns of its first eighth took longer than half of it\)`;
    expect(kneeText(summaryOf(records([120, 720, 1_440], 3_000_000)))).toMatch(
      new RegExp(
        `^not reached: no stage is known to have held; undecided: stair-1 ${why}, stair-2 ${why}, stair-3 ${why}$`,
      ),
    );
    // Each takes 400 ms: the first stage keeps up.
    expect(kneeText(summaryOf(records([120, 720, 1_440], 400_000)))).toMatch(/stair-1 \(2\/s\) held/);
  });
});
