import { describe, expect, it } from 'vitest';
import { sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { githubAnnotations } from './github.ts';
import { headlineOf } from './headline.ts';
import type { JudgedRun } from './output.ts';
import { hostile, violatedRun } from './runs.exam.ts';

describe('annotations', () => {
  it('are at most ten of a kind, the last with the number of omitted ones', () => {
    const lines = githubAnnotations(hostile());
    expect(githubAnnotations(judgedRun(violatedRun))[0]).toMatch(
      /^::error title=Proven%3A rate::41 requests were admitted /,
    );
    for (const kind of ['error', 'warning', 'notice'] as const)
      expect(lines.filter((line) => line.startsWith(`::${kind} `)).length).toBeLessThanOrEqual(10);
    expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(10);
    expect(lines[9]).toMatch(/^::error title=Spillway::and \d+ more$/);
  });

  it('do not call generator what a service or its profile is warned of', () => {
    const { summary, ...run } = judgedRun(sampleRun);
    const turns = { ...summary.turns, unlistedStatuses: [{ status: 'DONE', count: 1 }] };
    expect(githubAnnotations({ ...run, summary: { ...summary, turns } })).toContain(
      '::warning title=Warning::turns.open, completed and failed of the profile do not list the status "DONE"',
    );
  });

  it('are one command per line, whatever the input', () => {
    for (const line of githubAnnotations(hostile())) {
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,\n]*::/);
      expect(line).not.toMatch(/\p{Cc}/u);
      expect(line.slice(2)).not.toMatch(/^\s*::/m);
    }
    expect(githubAnnotations(hostile())[0]).toContain('%250A');
  });

  it('show failed gates before undetermined ones, of which there may be more than are shown', () => {
    const run = judgedRun(sampleRun);
    const failed = run.gates.gates.find(({ state }) => state === 'fail');
    if (!failed) throw new Error('no gate failed');
    const gates = [
      ...Array.from({ length: 12 }, (_, index) => ({ ...failed, metric: `m${index}`, state: 'undetermined' as const })),
      { ...failed, metric: 'last' },
    ];
    const proven = { ...run.verdicts, proven: [] };
    const lines = githubAnnotations({ ...run, verdicts: proven, gates: { ...run.gates, gates } });
    expect(lines[0]).toMatch(/^::error title=Gate failed%3A last%3A /);
    expect(lines[1]).toMatch(/^::error title=Gate undetermined%3A m0%3A /);
  });

  it('report a passing run in one notice', () => {
    const run = judgedRun(sampleRun);
    const passing: JudgedRun = {
      ...run,
      summary: { ...run.summary, expectations: { checked: 2, unmet: 0, examples: [] } },
      verdicts: { ...run.verdicts, proven: [] },
      gates: { ...run.gates, gates: run.gates.gates.filter(({ state }) => state === 'pass') },
    };
    expect(headlineOf(passing).passed).toBe(true);
    expect(githubAnnotations(passing)).toEqual([
      '::notice title=Spillway%3A sample::passed: 4 gates passed or allowed; 2 expectations met; nothing is proven against the service',
    ]);
  });
});
