import { describe, expect, it } from 'vitest';
import { sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { githubAnnotations } from './github.ts';
import { headlineOf } from './headline.ts';
import { outputs } from './index.ts';
import { renderMarkdown } from './markdown.ts';
import type { JudgedRun } from './output.ts';
import { hostile, runs } from './runs.exam.ts';

describe.each(Object.entries(outputs))('the output %s', (_, output) => {
  it('equals its golden file for the sample run, twice', async () => {
    const text = await output.render(judgedRun(sampleRun));
    await output.render(hostile());
    expect(await output.render(judgedRun(sampleRun))).toBe(text);
    await expect(text).toMatchFileSnapshot(`golden/${output.file}.golden`);
  });

  it.each(Object.entries(runs))('of the %s run is whole lines without control characters', async (__, run) => {
    const text = await output.render(run());
    expect(text.endsWith('\n')).toBe(true);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/u);
    expect(text).not.toMatch(/NaN|undefined|\[object/);
  });
});

describe('all outputs agree on what fails a run', () => {
  const outcome = (run: JudgedRun) => ({
    passed: headlineOf(run).passed,
    failures: /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(String(outputs.junit.render(run)))?.slice(1),
    errors: githubAnnotations(run).filter((line) => line.startsWith('::error ')),
  });
  const calm = (changed: Partial<JudgedRun['summary']>): JudgedRun => {
    const run = judgedRun(sampleRun);
    const expectations = { checked: 2, unmet: 0, examples: [] };
    return {
      summary: { ...run.summary, expectations, ...changed },
      verdicts: { ...run.verdicts, proven: [], limits: [] },
      gates: { ...run.gates, gates: [] },
    };
  };

  it('a run that its budget ended fails, however good its numbers are', () => {
    const { run } = judgedRun(sampleRun).summary;
    const ended = calm({ run: { ...run, complete: false, incompleteBecause: 'budget' } });
    expect(headlineOf(ended)).toEqual({ passed: false, open: false, because: ['its budget was spent'] });
    expect(outcome(ended)).toMatchObject({ passed: false, failures: ['1', '0'] });
    expect(renderMarkdown(ended)).toMatch(/^## ❌ Spillway: its budget was spent\n/);
  });

  it('a run without requirements that reached no limit is neither green nor red', () => {
    const none = { gates: { ...calm({}).gates, gates: [] } };
    const nothing = { ...calm({ expectations: { checked: 0, unmet: 0, examples: [] } }), ...none };
    expect(headlineOf(nothing)).toEqual({
      passed: true,
      open: true,
      because: ['nothing is proven against the service'],
    });
    expect(renderMarkdown(nothing)).toMatch(/^## ❔ Spillway: nothing is proven against the service\n/);
    const accepted = { ...nothing.verdicts, accepted: [{ violation: 'rate', claim: 'c', reason: 'r' }] };
    expect(headlineOf({ ...nothing, verdicts: accepted }).because).toEqual([
      'nothing is proven against the service beyond what its profile accepts',
    ]);
    const undecided = judgedRun(sampleRun).verdicts.limits.filter(({ verdict }) => verdict === 'undecided');
    expect(undecided.length).toBeGreaterThan(0);
    expect(headlineOf({ ...nothing, verdicts: { ...nothing.verdicts, limits: undecided } }).open).toBe(true);
    const met = { ...calm({ expectations: { checked: 3, unmet: 0, examples: [] } }), ...none };
    expect(renderMarkdown(met)).toMatch(/^## ✅ Spillway: 3 expectations met; nothing is proven/);
  });

  it('unmet expectations of which only some are told are followed by how many more there are', () => {
    const examples = [{ seq: 3, operation: 'readTurn', sentence: 'status: expected 200, found 500' }] as const;
    const told = (unmet: number) => renderMarkdown(calm({ expectations: { checked: 2_000, unmet, examples } }));
    expect(told(1_235)).toContain('| `status: expected 200, found 500` |\n\nand 1,234 more\n\n');
    expect(told(1)).not.toContain('more\n');
  });

  it('journeys that did not reach their end, and errors, are reported', () => {
    const { total, refusals, run } = judgedRun(sampleRun).summary;
    const text = renderMarkdown(
      calm({
        journeys: {
          ask: {
            byOutcome: { completed: 1, stopped: 2, interrupted: 0 },
            stoppedAt: [{ operation: 'sendMessage', because: 'status 500 | x', count: 2 }],
          },
        },
        total: { ...total, count: 8, byOutcome: { ...total.byOutcome, error: 2, failed: 0, censored: 0 } },
        refusals: { ...refusals, total: 0 },
        run: { ...run, warmUp: { ...run.warmUp, exchanges: 0 } },
      }),
    );
    expect(text).toContain('0 of them refused (0 %), 2 errors (25 %), seed');
    expect(text).toContain('Journeys: 1 of 3 reached their end, 2 stopped (2 at sendMessage: status 500 \\| x).');
  });

  it('journeys of long names leave room for where they stopped', () => {
    const because = '429 rate_limited, Retry-After beyond retryAfterCeiling';
    const one = {
      byOutcome: { completed: 1, stopped: 2, interrupted: 1 },
      stoppedAt: [{ operation: 'sendMessage', because, count: 2 }],
    } as const;
    const names = ['a', 'b', 'c'].map((first) => first.repeat(60));
    const text = renderMarkdown(calm({ journeys: Object.fromEntries(names.map((name) => [name, one])) }));
    const sentence = text.split('\n').find((line) => line.startsWith('Journeys'));
    expect(sentence).toMatch(
      /^Journeys: 3 of 12 reached their end \(a{39}… 1 of 4, b{39}… 1 of 4, c{39}… 1 of 4\), 6 /,
    );
    expect(sentence).toMatch(/Retry-After beyond retryAfterCeiling\), 3 cut off by the end of the run\.$/);
  });

  it('journeys, drops and retries are in metrics.prom', async () => {
    const { drops } = judgedRun(sampleRun).summary;
    const byOutcome = { completed: 1, stopped: 2, interrupted: 0 };
    const told = await outputs.openMetrics.render(
      calm({
        journeys: { 'ask"': { byOutcome, stoppedAt: [] } },
        drops: { ...drops, byReason: { 'max-in-flight': 3 } },
      }),
    );
    const lines = told.split('\n').filter((line) => /^spillway_(iterations|dropped|retries)/.test(line));
    expect(lines).toEqual(
      expect.arrayContaining([
        'spillway_retries_total{operation="rateAnswer"} 1',
        'spillway_iterations_total{journey="ask\\"",outcome="completed"} 1',
        'spillway_iterations_total{journey="ask\\"",outcome="stopped"} 2',
        'spillway_dropped_iterations_total{reason="max-in-flight"} 3',
      ]),
    );
  });

  it('a run that its own deadline ended passes', () => {
    const run = judgedRun(sampleRun).summary.run;
    const ended = calm({ run: { ...run, complete: false, incompleteBecause: 'deadline' } });
    expect(outcome(ended)).toEqual({ passed: true, failures: ['0', '0'], errors: [] });
    expect(headlineOf(ended).because).toContain('cut short by its deadline or gracefulStop');
  });

  it('a run in which no expectation was checked fails', () => {
    const never = calm({ expectations: { checked: 0, unmet: 0, neverChecked: true, examples: [] } });
    const why = 'the scenario has expectations, but no answer was received that they apply to';
    expect(outcome(never)).toEqual({
      passed: false,
      failures: ['1', '0'],
      errors: [`::error title=Expectations::${why}`],
    });
    expect(headlineOf(never).because).toEqual([why]);
  });
});
