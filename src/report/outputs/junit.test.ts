import { describe, expect, it } from 'vitest';
import { type GateResult, gateShown } from '../../gates/index.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { githubAnnotations } from './github.ts';
import { outputs } from './index.ts';
import { junitFaults, parseXml, type XmlElement } from './junit-schema.exam.ts';
import type { JudgedRun } from './output.ts';
import { roundsJUnit } from './rounds-junit.ts';
import { hostile, runs, violatedRun } from './runs.exam.ts';

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
