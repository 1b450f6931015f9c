import { describe, expect, it } from 'vitest';
import { type GateResult, gateShown } from '../../gates/index.ts';
import { end, header, exchange as read, us } from '../../testing/history/sample-records.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { githubAnnotations } from './github.ts';
import { headlineOf } from './headline.ts';
import { outputs } from './index.ts';
import { junitFaults, parseXml, type XmlElement } from './junit-schema.exam.ts';
import { renderMarkdown } from './markdown.ts';
import type { JudgedRun } from './output.ts';
import { roundsJUnit } from './rounds-junit.ts';
import { hostile, runs, violatedRun } from './runs.exam.ts';

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

describe('junit.xml', () => {
  const documentOf = (run: JudgedRun): XmlElement => parseXml(String(outputs.junit.render(run)));
  const cases = (document: XmlElement): Record<string, string> =>
    Object.fromEntries(
      document.children.flatMap(({ children }) =>
        children.map(({ attributes, children: [result] }) => [attributes.name, result?.name ?? 'passed']),
      ),
    );

  it.each(Object.entries(runs))('of the %s run is what the schema of CI servers allows', (_, run) => {
    expect(junitFaults(documentOf(run()))).toEqual([]);
  });

  it('is validated by a reader that does find errors', () => {
    const valid = String(outputs.junit.render(judgedRun(sampleRun)));
    const faults = (from: string, to: string) => junitFaults(parseXml(valid.replace(from, to)));
    expect(faults(' errors="0"', '')).toEqual([]);
    expect(faults('tests="1"', 'tests="2"')).toEqual(['tests="2" of 1']);
    expect(faults('time="0"', 'time="1 s"')).toContain('time="1 s"');
    expect(faults('<testcase ', '<testcase status="x" ')).toEqual(['<testcase> has status']);
    expect(faults('<testcase name=', '<testcase title=')).toEqual(['<testcase> lacks name', '<testcase> has title']);
    expect(() => parseXml(valid.replace('</testsuites>', ''))).toThrow('not one element');
    expect(() => parseXml(valid.replace('spillway.run', 'a & b'))).toThrow('is no entity');
    expect(() => parseXml(valid.replace('spillway.run', '\u0001'))).toThrow('a character that XML does not have');
  });

  it('has no case of expectations met if none was', () => {
    const run = judgedRun(sampleRun);
    const examples = [{ seq: 3, operation: 'readTurn', sentence: 'status: expected 200, found 500' }] as const;
    const unmet = { ...run, summary: { ...run.summary, expectations: { checked: 1, unmet: 1, examples } } };
    expect(Object.keys(cases(documentOf(unmet))).filter((name) => /expectation| met$/.test(name))).toEqual([]);
  });

  it('gives the length of the run to the case of the run, so that all sums are that length', () => {
    const run = judgedRun(sampleRun);
    const length = (run.summary.run.durationUs / 1_000_000).toFixed(3);
    const document = documentOf(run);
    const timesOf = (elements: readonly XmlElement[]) => elements.map(({ attributes }) => attributes.time);
    const [first, ...others] = document.children.flatMap(({ children }) => children);
    expect(Number(length)).toBeGreaterThan(1);
    expect(document.attributes.time).toBe(length);
    expect(first?.attributes).toMatchObject({ name: 'the history is complete and the run is valid', time: length });
    expect(new Set(timesOf(others))).toEqual(new Set(['0']));
    expect(timesOf(document.children)).toEqual([length, ...document.children.slice(1).map(() => '0')]);
  });

  it('has gates, limits and expectations as cases', () => {
    expect(cases(documentOf(judgedRun(sampleRun)))).toEqual({
      'the history is complete and the run is valid': 'passed',
      'http_req_duration: max<1': 'failure',
      'http_req_duration{operation:sendMessage}: max<10000': 'passed',
      'turn_completion: bound(p(90))<8000': 'failure',
      'http_req_failed: bound(rate)<0.99': 'passed',
      'http_reqs: rate>0.01 in windows of 2 s': 'failure',
      'http_req_duration: avg<1 in windows of 2 s': 'failure',
      'data_sent: count>1': 'failure',
      'open_turns: value<=2': 'passed',
      'limit.rate: held': 'failure',
      'limit.daily: not violated': 'passed',
      '<b>\\u{1b}[31m::error::: |=1+1': 'failure',
      'limit rate is kept': 'failure',
      'limit concurrency is kept': 'skipped',
      'limit daily is kept': 'skipped',
      'readHistory: messages.0.role is "user", not "assistant"': 'failure',
      '1 expectation met': 'passed',
    });
  });

  it('has one case for gates of one name, the most severe of them, because servers show the first alone', () => {
    const run = judgedRun(sampleRun);
    const [gate] = run.gates.gates.filter(({ state }) => state === 'pass');
    if (!gate) throw new Error('no gate passed');
    const allowed = { ...gate, state: 'undetermined', failsRun: false, because: 'allowed' } as const;
    const failed = { ...gate, state: 'fail', failsRun: true, because: 'failed' } as const;
    const other = { ...gate, expression: 'max<2' };
    const namesOf = (gates: readonly GateResult[]) => {
      const document = documentOf({ ...run, gates: { ...run.gates, gates } });
      expect(junitFaults(document)).toEqual([]);
      const suite = document.children.find(({ attributes }) => attributes.name?.endsWith(' gates'));
      return suite?.children.map(({ attributes, children: [result] }) => [attributes.name, result?.name ?? 'passed']);
    };
    const name = gateShown(gate);
    expect(namesOf([allowed, other, failed])).toEqual([
      [name, 'failure'],
      [gateShown(other), 'passed'],
    ]);
    expect(namesOf([failed, allowed])).toEqual([[name, 'failure']]);
    expect(namesOf([gate, allowed, gate])).toEqual([[name, 'skipped']]);
    const both = { ...run.gates, gates: [allowed, failed] };
    const rounds = { scenario: 's', targets: { base: 'sandbox' }, rounds: 1, runs: [], gates: { base: both } };
    expect(Object.entries(cases(parseXml(roundsJUnit(rounds))))).toEqual([
      ['all rounds ran', 'passed'],
      [name, 'failure'],
    ]);
  });

  it('names the exchanges of a finding', () => {
    const run = judgedRun(sampleRun);
    const finding = { kind: 'executed-twice', claim: 'a claim', exchanges: [3, '2:14'] } as never;
    const proven = [{ violation: 'executed-twice', claim: 'all claims' }];
    const document = documentOf({ ...run, verdicts: { ...run.verdicts, proven, findings: [finding] } });
    const suite = document.children.find(({ attributes }) => attributes.name?.endsWith(' findings'));
    const [failure] = suite?.children[0]?.children ?? [];
    expect(failure?.attributes).toEqual({ message: 'all claims', type: 'executed-twice' });
    expect(failure?.text).toBe('a claim (exchanges 3 2:14)');
  });

  it('has the certificate in the text of the failure', () => {
    const document = documentOf(judgedRun(violatedRun));
    const limits = document.children.find(({ attributes }) => attributes.name?.endsWith(' limits'));
    const failure = limits?.children[0]?.children[0];
    expect(failure?.attributes).toMatchObject({ type: 'over-admission' });
    expect(failure?.text).toContain(failure?.attributes.message);
    expect(failure?.text).toMatch(/^41 requests were admitted within 0.041 s/);
    expect(failure?.text).toMatch(/exchanges:( \d+){41}$/);
  });

  it('reports an accepted violation as skipped, and an invalid run as an error', () => {
    const run = judgedRun(violatedRun);
    const accepted = { ...run.verdicts, proven: [], accepted: [{ violation: 'rate', claim: 'c', reason: 'known' }] };
    expect(cases(documentOf({ ...run, verdicts: accepted }))['limit rate is kept']).toBe('skipped');
    expect(githubAnnotations({ ...run, verdicts: accepted })).toContain('::warning title=Accepted%3A rate::known');
    const invalid = documentOf({
      ...run,
      summary: { ...run.summary, run: { ...run.summary.run, invalid: 'nothing was answered' } },
    });
    expect(cases(invalid)['the history is complete and the run is valid']).toBe('error');
    const cut = judgedRun(sampleRun.slice(0, -1));
    expect(cases(documentOf(cut))['the history is complete and the run is valid']).toBe('skipped');
    expect(String(outputs.junit.render(cut))).toContain(
      'the history is incomplete: cut off, the end record is missing',
    );
  });

  it('keeps hostile text as text', () => {
    const document = documentOf(hostile());
    const text = JSON.stringify(document);
    expect(text).toContain('<script>alert(1)</script>');
    expect(text).toContain('\\\\ufffe'.replace('\\\\u', '\\\\u{').replace('fffe', 'fffe}'));
    expect(document.children.flatMap(({ children }) => children).every(({ name }) => name === 'testcase')).toBe(true);
  });
});

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
    expect(headlineOf(ended).because).toContain("ended by the scenario's deadline or gracefulStop");
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

describe('metrics.prom', () => {
  /** Parses the text by the ABNF of OpenMetrics 1.0, section "Overall Structure". */
  function parsed(text: string): Map<string, number> {
    const lines = text.split('\n');
    expect(lines.slice(-2)).toEqual(['# EOF', '']);
    const samples = new Map<string, number>();
    for (const line of lines.slice(0, -2)) {
      if (line === '') continue;
      if (/^# (HELP|TYPE) [a-zA-Z_:][\w:]* \S/.test(line)) continue;
      const match =
        /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (-?[\d.]+(?:e[+-]\d+)?)$/.exec(line);
      expect(match, line).not.toBeNull();
      expect(samples.has(match?.[1] ?? '')).toBe(false);
      samples.set(match?.[1] ?? '', Number(match?.[2]));
    }
    return samples;
  }

  it.each(Object.entries(runs))('of the %s run is OpenMetrics', async (_, run) => {
    const samples = parsed(await outputs.openMetrics.render(run()));
    expect(samples.get('spillway_run_info') ?? 1).toBe(1);
  });

  it('has counts, quantiles with bounds in seconds, and verdicts', async () => {
    const samples = parsed(await outputs.openMetrics.render(judgedRun(violatedRun)));
    expect(samples.get('spillway_http_reqs_total{operation="readHistory",outcome="success"}')).toBe(41);
    expect(samples.get('spillway_http_req_duration_seconds{operation="readHistory",quantile="0.9"}')).toBe(0.001);
    expect(
      samples.get('spillway_http_req_duration_bound_seconds{operation="readHistory",quantile="0.9",bound="high"}'),
    ).toBe(0.001);
    // 41 samples are too few for the 99th percentile.
    expect(samples.has('spillway_http_req_duration_seconds{operation="readHistory",quantile="0.99"}')).toBe(false);
    expect(samples.get('spillway_limit_verdict{limit="rate",verdict="violated"}')).toBe(1);
    expect(samples.get('spillway_limit_verdict{limit="rate",verdict="consistent"}')).toBe(0);
    expect(samples.get('spillway_gate_passed{metric="http_req_duration",gate="max<1"}')).toBe(0);
    expect(samples.get('spillway_gate_passed{metric="limit.daily",gate="not violated"}')).toBe(1);
    expect(samples.get('spillway_run_complete')).toBe(1);
  });

  it('has the quantiles that many samples carry, each with its own label', async () => {
    const many = Array.from({ length: 3_000 }, (_, seq) =>
      read({ seq, sentAt: us(seq * 1_000), receivedAt: us(seq * 1_000 + seq + 1_000) }),
    );
    const run = judgedRun([header(), ...many, end({ exchanges: 3_000, at: us(4_000_000) })]);
    const samples = parsed(await outputs.openMetrics.render(run));
    const of = (quantile: string) =>
      samples.get(`spillway_http_req_duration_seconds{operation="readHistory",quantile="${quantile}"}`);
    expect(of('0.99')).toBeCloseTo(0.00397, 4);
    expect(of('0.999')).toBeCloseTo(0.003997, 4);
    expect(of('0.999')).toBeGreaterThan(of('0.99') ?? 0);
  });

  it('has a line for each window of a gate, which is 0 if any gate of that line fails', async () => {
    const run = judgedRun(sampleRun);
    const windows = { lengthMs: 2_000, judged: 9, failed: 0, tooFew: 0 };
    const one = {
      metric: 'rate_limited',
      expression: 'rate<1',
      state: 'pass',
      because: 'so',
      failsRun: false,
    } as const;
    const failed = { ...one, state: 'fail', failsRun: true } as const;
    const gates = [failed, one, { ...one, windows }];
    const samples = parsed(await outputs.openMetrics.render({ ...run, gates: { ...run.gates, gates } }));
    expect(samples.get('spillway_gate_passed{metric="rate_limited",gate="rate<1"}')).toBe(0);
    expect(samples.get('spillway_gate_passed{metric="rate_limited",gate="rate<1",window="2"}')).toBe(1);
  });
});
