import { beforeAll, describe, expect, it } from 'vitest';
import type { Knee, Summary } from '../collect/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { end, header, us } from '../testing/history/sample-records.ts';
import { summaryOf } from '../testing/measured.ts';
import { runVirtualScenario } from '../testing/virtual.ts';
import { exportText } from './export-all.ts';
import { exporters } from './exporters/index.ts';
import { csvRecords } from './exporters/parse-csv.exam.ts';
import { emptyText } from './incomplete.ts';
import { judgedRun } from './judged-runs.exam.ts';
import { renderMarkdown } from './outputs/markdown.ts';
import { kneeText, StageTexts, stagesShown } from './stages-text.ts';
import { SummarySchema } from './summary-schema.ts';
import { renderSummary } from './terminal/summary-table.ts';

const journeys = { look: { steps: [{ createConversation: {} }] } };
const stairs = { model: 'steps', from: '10/min', by: '10/min', steps: 4, each: '1min' } as const;

async function played(input: Parameters<typeof runVirtualScenario>[0]): Promise<readonly JournalRecord[]> {
  const { records, exchanges, durationUs } = await runVirtualScenario(input);
  const arrivals = records.filter(({ kind }) => kind === 'journey').length;
  return [...records, end({ at: durationUs, arrivals, exchanges: exchanges.length })];
}

let records: readonly JournalRecord[];
let summary: Summary;
beforeAll(async () => {
  records = await played({ journeys, load: stairs });
  summary = summaryOf(records);
});

describe('stairs over a limit of 20 a minute', () => {
  it('are summarised in a sentence', () => {
    expect(kneeText(summary)).toBe(
      'stair-2 (20/min) held: all 20 journeys completed, none of 20 exchanges refused or failed; stair-3 (30/min) was the first that did not: 10 of 30 exchanges refused (33.3 %; rate 10), 10 of 30 journeys stopped',
    );
  });

  it('are a terminal table of bounded width', () => {
    const lines = renderSummary(summary, { columns: 80 }).split('\n');
    const from = lines.findIndex((line) => line.startsWith('stage'));
    expect(lines.slice(from, from + 5)).toEqual([
      'stage                  planned achieved  journeys    429    err resp p50     p90',
      '✓ stair-1               10/min   10/min     10/10      0      0    20 ms   20 ms',
      '✓ stair-2               20/min   20/min     20/20      0      0    20 ms   20 ms',
      '✗ stair-3               30/min   20/min     20/30 33.3 %      0    20 ms   20 ms',
      '✗ stair-4               40/min   20/min     20/40   50 %      0    20 ms   20 ms',
    ]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('are rows of stages.csv, with planned and achieved rates', () => {
    const rows = csvRecords(exportText(exporters.stages, records));
    expect(rows.map((row) => [row.stage, row.state, row.arrivals_per_minute_to, row.completed_per_minute])).toEqual([
      ['stair-1', 'held', '10', '10'],
      ['stair-2', 'held', '20', '20'],
      ['stair-3', 'gave-in', '30', '20'],
      ['stair-4', 'gave-in', '40', '20'],
    ]);
    // 10 samples are enough for p90; p99 needs 100.
    expect([rows[1]?.service_p90_us, rows[1]?.service_p99_us]).toEqual([expect.stringMatching(/^\d+$/), '']);
  });

  it('satisfy the schema of the summary, and are a table on the page', () => {
    expect(SummarySchema.safeParse(summary).error?.issues).toBeUndefined();
    const markdown = renderMarkdown({ ...judgedRun(records), summary });
    expect(markdown).toContain('| ✗ gave in | `stair-3` | 30/min | 20/min | 20 of 30 | 10 (33.3 %) | 0 |');
    expect(markdown).toContain('Knee: stair-2 (20/min) held');
    const slower = summary.stages?.map(({ latency, ...stage }) => {
      if (!latency) return stage;
      const { percentiles } = latency.response;
      const p90 = { us: us(99_000), bounds: { method: 'order-statistics' } } as const;
      return {
        ...stage,
        latency: { ...latency, response: { ...latency.response, percentiles: { ...percentiles, p90 } } },
      };
    });
    expect(renderMarkdown({ ...judgedRun(records), summary: { ...summary, stages: slower ?? [] } })).toMatch(
      /`stair-2` .*\| 20 ms[^|]* \| 99 ms \|/,
    );
    const page = exportText(exporters.report, records);
    expect(page).toContain('<h2 id="stages-title">Stage by stage</h2>');
    expect(page).toContain('{"fromUs":120000000,"name":"stair-3"}');
  });

  it('have no knee if none gave in, with the reason why', async () => {
    const kept = summaryOf(await played({ journeys, load: stairs, caps: { requestsPerMinute: 20 } }));
    expect(kneeText(kept)).toBe(
      "not reached: stair-2 (20/min) held: all 20 journeys completed, none of 20 exchanges refused or failed; undecided: stair-3 (the scenario's own caps held 10 requests back beyond its end), stair-4 (the scenario's own caps held 30 requests back beyond its end)",
    );
  });

  it('show only those around the knee if there are many, and how many are left out', async () => {
    const many = summaryOf(await played({ journeys, load: { ...stairs, by: '1/min', steps: 20 } }));
    const text = renderSummary(many, { columns: 80 });
    expect(many.knee).toMatchObject({ held: 'stair-11', gaveIn: 'stair-12' });
    expect(text.match(/^[✓✗] stair-\d+/gm)).toEqual([
      ...[8, 9, 10, 11].map((n) => `✓ stair-${n}`),
      ...[12, 13, 14, 15].map((n) => `✗ stair-${n}`),
    ]);
    expect(text).toContain('12 more stages in stages.csv');
  });
});

/** The summary with other members of its knee. */
const withKnee = (members: Partial<Knee>): Summary => {
  const { knee } = summary;
  if (!knee) throw new Error('no knee');
  return { ...summary, knee: { ...knee, ...members } };
};

it('a knee of some of the stages names the rise that it is of, because others held or gave in before it', async () => {
  const spike = { model: 'spike', base: '10/min', peak: '60/min', before: '1min', ramp: '1min', hold: '1min' } as const;
  const { knee, stages = [] } = summaryOf(await played({ journeys, load: { ...spike, after: '1min' } }));
  expect(stages.map(({ name }) => name)).toEqual(['before', 'ramp-up', 'peak', 'ramp-down', 'after']);
  expect(kneeText({ ...summary, knee, stages } as Summary)).toMatch(
    /^rise from before to peak: before \(10\/min\) held: all 10 journeys completed, .*; ramp-up \(10 to 60\/min\) was the first/,
  );
});

it('the stages shown are the last ones if the knee is among them', () => {
  const { stages = [] } = summary;
  expect(stagesShown(withKnee({ gaveIn: 'stair-3' }), 2)).toEqual({ shown: stages.slice(1, 3), leftOut: 2 });
  expect(stagesShown(withKnee({ held: 'stair-1', gaveIn: 'stair-4' }), 3)).toEqual({
    shown: stages.slice(1),
    leftOut: 1,
  });
});

it('a knee tells of journeys that were started how many stopped, and of one dropped arrival', () => {
  const changed = (name: string, members: object) =>
    (summary.stages ?? []).map((stage) => (stage.name === name ? { ...stage, ...members } : stage));
  const started = { ...summary, stages: changed('stair-3', { arrivals: 34, dropped: 4 }) };
  expect(kneeText(started)).toContain(', 10 of 30 journeys stopped');
  const unnamed = { rate: 0, concurrency: 0, daily: 1, unattributed: 9 };
  const turns = { accepted: 20, failed: 3 };
  const mixed = { ...summary, stages: changed('stair-3', { refusedBy: unnamed, turns }) };
  expect(kneeText(mixed)).toContain('refused (33.3 %; daily 1, naming no limit 9), ');
  expect(kneeText(mixed)).toMatch(/, 3 of 20 turns failed$/);
  const byOutcome = { ...summary.stages?.[2]?.byOutcome, refused: 0, failed: 3, censored: 0 };
  const failing = { ...summary, stages: changed('stair-3', { byOutcome }) };
  expect(kneeText(failing)).toMatch(/was the first that did not: 3 of 30 exchanges failed \(10 %\), 10 of 30 journeys/);
  const untold = { ...withKnee({ untold: ['stair-3'] }), stages: changed('stair-3', { dropped: 1 }) };
  expect(kneeText(untold)).toContain('undecided: stair-3 (1 arrival dropped)');
});

it('a run without exchanges says whether requests may have been answered', () => {
  const run = { ...summary.run, warmUp: { ...summary.run.warmUp, exchanges: 0 } };
  expect(emptyText({ ...run, inFlightAtEnd: 1 })).toBe('no answer is recorded for any request');
  expect(emptyText({ ...run, inFlightAtEnd: 0 })).toBe('nothing was sent');
  const warmUp = { ...run.warmUp, exchanges: 1 };
  expect(emptyText({ ...run, warmUp, inFlightAtEnd: 0 })).toBe('nothing was sent after the warm-up');
});

describe('phases without increasing load', () => {
  it('have no knee and no state, because refusals may be intended', async () => {
    const phases = ['a', 'b'].map((name) => ({ name, load: [{ model: 'burst', count: 15 } as const] }));
    const run = await played({ journeys, phases: phases.map((phase) => ({ ...phase, duration: '10s' })) });
    const told = summaryOf(run);
    expect([told.knee, told.stages?.map(({ state }) => state)]).toEqual([undefined, ['held', 'gave-in']]);
    const text = renderSummary(told, { columns: 80 });
    expect(text.match(/^[ab] .*$/gm)).toEqual([
      'a                            –   90/min     15/15      0      0    40 ms   40 ms',
      'b                            –   30/min      5/15 66.7 %      0    20 ms       –',
    ]);
    expect(text).not.toMatch(/knee|[✓✗]/);
    const page = exportText(exporters.report, run);
    expect([page.includes('Stage by stage'), page.includes('Gave in')]).toEqual([true, false]);
  });
});

describe('a run cut short', () => {
  it('names a few of the undecided stages', () => {
    const stages = Array.from({ length: 9 }, (_, index) => ({
      name: `s${index}`,
      fromUs: us(index * 1_000_000),
      toUs: us((index + 1) * 1_000_000),
      arrivalsPerMinute: { from: index, to: index },
    }));
    const cut = summaryOf([header({ stages }), end({ at: us(500_000), exchanges: 0, complete: false })]);
    expect(kneeText(cut)).toBe(
      'not reached: no stage is known to have held; undecided: s0 (no journey that began in it is recorded), s1 (not reached), s2 (not reached), 6 more',
    );
  });
});

describe('the planned load of a stage', () => {
  const stage = (members: object) => ({ ...summary.stages?.[0], arrivalsPerMinute: undefined, ...members }) as never;
  const planned = (members: object) => {
    const one = stage(members);
    return new StageTexts([one]).planned(one);
  };

  it('is given per minute, per second for high rates, with both ends of a ramp, and in users', () => {
    expect(planned({ arrivalsPerMinute: { from: 10, to: 20 } })).toBe('10 to 20/min');
    expect(planned({ arrivalsPerMinute: { from: 600, to: 600 } })).toBe('10/s');
    expect(planned({ users: { from: 1, to: 1 } })).toBe('1 user');
    expect(planned({ users: { from: 2, to: 1 } })).toBe('2 to 1 users');
    expect(planned({ arrivalsPerMinute: { from: 119, to: 119 } })).toBe('119/min');
    expect(planned({ arrivalsPerMinute: { from: 120, to: 120 } })).toBe('2/s');
    expect(planned({ arrivalsPerMinute: { from: 5, to: 5 }, users: { from: 1, to: 4 } })).toBe('5/min, 1 to 4 users');
    expect(planned({})).toBe('');
    expect(new StageTexts([]).rate(us(30))).toBe('30/min');
  });

  it('has the unit of the achieved rate where no rate is planned', () => {
    const one = stage({ users: { from: 1, to: 8 }, perMinute: { completedJourneys: 2_736, successes: 0 } });
    expect(new StageTexts([one]).rate(2_736)).toBe('45.6/s');
  });

  it('is not cut in a terminal that has room for it', () => {
    const one = { ...summary.stages?.[1], users: { from: 1, to: 4 } };
    const wide = { ...summary, stages: [one, one] } as Summary;
    expect(renderSummary(wide, { columns: 100 })).toContain(
      '✓ stair-2                     20/min, 1 to 4 users   20/min     20/20      0      0    20 ms   20 ms\n',
    );
    const [long, narrow] = [renderSummary(wide, { columns: 80 }), renderSummary(wide, { columns: 50 })];
    expect(long).toContain('✓ stair-2   20/min, 1 to 4 us…   20/min     20/20');
    expect(narrow).toContain('20/min, 1 to 4 users   20/min     20/20');
    for (const line of long.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
