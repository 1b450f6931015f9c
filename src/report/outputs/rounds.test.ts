import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { type Comparison, comparedMetric, compareRuns } from '../../gates/index.ts';
import { parseAggregation, parseSelector } from '../../metrics/index.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { judgedRun } from '../judged-runs.exam.ts';
import { githubRoundsAnnotations } from './github.ts';
import { junitFaults, parseXml } from './junit-schema.exam.ts';
import type { JudgedRun } from './output.ts';
import { headlineOfRounds, type JudgedRounds } from './rounds.ts';
import { roundsJUnit } from './rounds-junit.ts';
import { renderRoundsMarkdown } from './rounds-markdown.ts';
import { HOSTILE, hostile, runs, violatedRun } from './runs.exam.ts';

const sample = judgedRun(sampleRun);
/** A round as a run writes it, without its own gate results. */
const quiet: JudgedRun = {
  ...sample,
  summary: { ...sample.summary, expectations: { checked: 2, unmet: 0, examples: [] } },
  verdicts: { ...sample.verdicts, proven: [], findings: [] },
  gates: { ...sample.gates, gates: [], passed: true, round: { number: 1, of: 2, side: 'base' } },
};

/** Eight rounds of 10 ms compared with eight of the given time. */
function compared(ms: number, name = 'https://b.example.com'): Comparison {
  const selector = parseSelector('http_req_duration', {});
  const aggregation = parseAggregation('med');
  if (!('value' in selector) || !('value' in aggregation)) throw new Error('no metric');
  const side = (value: number) =>
    Array.from({ length: 8 }, (_, index) => ({
      runId: `r${index}`,
      values: [value + index / 100],
      limits: [],
      proven: [],
    }));
  return compareRuns(
    [comparedMetric(selector.value, aggregation.value)],
    { name: 'sandbox', runs: side(10) },
    [{ name, runs: side(ms), interleaved: true, differs: [], leftOut: 1 }],
    { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 },
  );
}

const withWorseLimit: Comparison = {
  ...compared(10),
  candidates: compared(10).candidates.map((one) => ({
    ...one,
    limits: [{ limit: 'rate', base: 0, candidate: 1, verdict: 'worse', because: 'violated in 1 of 8 runs' }],
  })),
};
const withWorseFinding: Comparison = {
  ...compared(10),
  candidates: compared(10).candidates.map((one) => ({
    ...one,
    findings: [
      { finding: 'executed-twice', base: 0, candidate: 1, verdict: 'worse', because: 'proven in 1 of 8 runs' },
    ],
  })),
};

function rounds(of: readonly JudgedRun[], more: Partial<JudgedRounds> = {}): JudgedRounds {
  return {
    scenario: 'sample',
    targets: { base: 'sandbox' },
    rounds: of.length,
    runs: of.map((run, index) => ({
      round: index + 1,
      side: 'base',
      folder: `round-00${index + 1}/base`,
      runId: `r${index}`,
      exitCode: 0,
      run,
    })),
    gates: {},
    ...more,
  };
}

const bothSides = rounds([quiet, sample], {
  targets: { base: 'sandbox', candidate: 'https://b.example.com' },
  gates: { base: { ...sample.gates, gates: sample.gates.gates.slice(0, 2) }, candidate: sample.gates },
  comparison: compared(20),
});

describe('outputs of rounds', () => {
  it('page and cases equal their golden files', async () => {
    await expect(renderRoundsMarkdown(bothSides)).toMatchFileSnapshot('golden/rounds.md.golden');
    await expect(roundsJUnit(bothSides)).toMatchFileSnapshot('golden/rounds.xml.golden');
  });

  it('cases satisfy the schema of CI servers for all kinds of runs', () => {
    const all = rounds(
      Object.values(runs).map((run) => run()),
      { scenario: HOSTILE, targets: { base: HOSTILE }, brokenOff: HOSTILE, comparison: compared(20, HOSTILE) },
    );
    expect(junitFaults(parseXml(roundsJUnit(all)))).toEqual([]);
    expect(junitFaults(parseXml(roundsJUnit(bothSides)))).toEqual([]);
    const page = renderRoundsMarkdown(rounds([hostile()], { scenario: HOSTILE, brokenOff: HOSTILE }));
    expect(page.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/u);
    expect(page.replaceAll(/(?<!\\)`[^`]*`/g, '')).not.toContain('<script>');
  });

  it('cases of each round have its own start and length', () => {
    const at = (startedAt: string, durationUs: number): JudgedRun => ({
      ...quiet,
      summary: { ...quiet.summary, run: { ...quiet.summary.run, startedAt, durationUs: durationUs as Micros } },
    });
    const both = rounds([at('2026-11-21T12:00:00.250Z', 2_000_000), at('2026-11-21T12:01:00.000Z', 3_500_000)]);
    const document = parseXml(roundsJUnit(both));
    const of = (name: string) => document.children.find(({ attributes }) => attributes.name === name)?.attributes;
    expect(document.attributes.time).toBe('5.500');
    expect(of('sample round 1: run')).toMatchObject({ timestamp: '2026-11-21T12:00:00', time: '2.000' });
    expect(of('sample round 2: run')).toMatchObject({ timestamp: '2026-11-21T12:01:00', time: '3.500' });
    expect(of('sample round 2: limits')).toMatchObject({ timestamp: '2026-11-21T12:01:00', time: '0' });
  });

  it('have a start that the schema allows, or none if no round has results', () => {
    const timestampsOf = (judged: JudgedRounds) => {
      const document = parseXml(roundsJUnit(judged));
      expect(junitFaults(document)).toEqual([]);
      return [...new Set(document.children.map(({ attributes }) => attributes.timestamp))];
    };
    const wholeSecond = { ...quiet.summary.run, startedAt: '2026-11-21T12:00:00Z' };
    const run = { ...quiet, summary: { ...quiet.summary, run: wholeSecond } };
    expect(timestampsOf(rounds([run]))).toEqual(['2026-11-21T12:00:00']);
    expect(timestampsOf(rounds([], { brokenOff: 'round 1 of the base has no results' }))).toEqual([undefined]);
  });

  it.each<[string, JudgedRounds, boolean, readonly string[]]>([
    ['nothing is wrong', rounds([quiet, quiet]), true, ['nothing is proven against the service']],
    [
      'what is wrong in one is accepted',
      rounds([
        quiet,
        { ...quiet, verdicts: { ...quiet.verdicts, accepted: [{ violation: 'rate', claim: 'c', reason: 'r' }] } },
      ]),
      true,
      ['nothing is proven against the service beyond what its profile accepts'],
    ],
    [
      'gates passed over all of them',
      rounds([quiet], {
        gates: { base: { ...sample.gates, gates: sample.gates.gates.filter(({ state }) => state === 'pass') } },
      }),
      true,
      ['4 gates passed or allowed', 'nothing is proven against the service'],
    ],
    [
      'nothing is worse',
      rounds([quiet], { comparison: compared(10) }),
      true,
      ['no regression is shown', 'nothing is proven against the service'],
    ],
    ['a number is worse', rounds([quiet], { comparison: compared(20) }), false, ['1 result worse than the base']],
    [
      'something is proven in one, and another is invalid',
      rounds([
        quiet,
        judgedRun(violatedRun),
        { ...quiet, summary: { ...quiet.summary, run: { ...quiet.summary.run, invalid: 'too slow' } } },
      ]),
      false,
      ['proven against the service in 1 of 3 runs: rate', '1 of 3 runs invalid'],
    ],
    ['it was broken off', rounds([quiet], { brokenOff: 'interrupted' }), false, ['broken off: interrupted']],
    [
      'expectations could not be checked',
      rounds([
        {
          ...quiet,
          summary: { ...quiet.summary, expectations: { checked: 0, unmet: 0, neverChecked: true, examples: [] } },
        },
        quiet,
      ]),
      false,
      ['expectations not met in 1 of 2 runs'],
    ],
    ['a limit is worse', rounds([quiet], { comparison: withWorseLimit }), false, ['1 result worse than the base']],
    ['a finding is worse', rounds([quiet], { comparison: withWorseFinding }), false, ['1 result worse than the base']],
    [
      'an expectation was not met',
      rounds([{ ...quiet, summary: sample.summary }, quiet]),
      false,
      ['expectations not met in 1 of 2 runs'],
    ],
  ])('the headline tells when %s', (_, judged, passed, because) => {
    expect(headlineOfRounds(judged)).toMatchObject({ passed, because });
  });

  it('the headline is open if the rounds could tell nothing', () => {
    const silent: JudgedRun = {
      ...quiet,
      summary: { ...quiet.summary, expectations: { checked: 0, unmet: 0, examples: [] } },
      verdicts: { ...quiet.verdicts, limits: [] },
    };
    const untold = compared(10);
    const candidates = untold.candidates.map((one) => ({
      ...one,
      metrics: one.metrics.map((metric) => ({ ...metric, verdict: 'cannot tell' as const })),
    }));
    expect(headlineOfRounds(rounds([silent], { comparison: untold })).open).toBe(false);
    expect(headlineOfRounds(rounds([silent])).open).toBe(true);
    expect(headlineOfRounds(rounds([silent, quiet])).open).toBe(false);
    expect(headlineOfRounds(rounds([silent], { comparison: { ...untold, candidates } })).open).toBe(true);
  });

  it('annotations name the round, and gates are those over all rounds', () => {
    const few = rounds([quiet, { ...quiet, summary: sample.summary }], {
      targets: bothSides.targets,
      gates: { candidate: { ...sample.gates, gates: sample.gates.gates.slice(0, 2) } },
      comparison: compared(20),
    });
    const lines = githubRoundsAnnotations(few);
    expect(lines.filter((line) => line.includes('Gate failed'))).toHaveLength(1);
    expect(
      lines.some((line) => line.startsWith('::error title=candidate%3A Gate failed%3A http_req_duration%3A max<1::')),
    ).toBe(true);
    expect(lines.some((line) => line.startsWith('::error title=Worse%3A http_req_duration%3A med::'))).toBe(true);
    expect(lines.some((line) => line.startsWith('::error title=round 2%2C base%3A Expectation of readHistory::'))).toBe(
      true,
    );
    expect(lines.at(-1)).toMatch(/^::notice title=Spillway%3A sample::failed: /);
  });

  it('annotations say why not all rounds ran, before gates and comparison could displace it', () => {
    const broken = rounds([quiet], { brokenOff: 'round 2 has no results', comparison: compared(20) });
    expect(githubRoundsAnnotations(broken)[0]).toBe('::error title=Not all rounds ran::round 2 has no results');
  });

  it.each([
    ['worse', 'failure'],
    ['cannot tell', 'skipped'],
    ['better', undefined],
    ['same', undefined],
  ] as const)('a number that is %s gives a case that is %s', (verdict, result) => {
    const comparison = compared(10);
    const candidates = comparison.candidates.map((one) => ({
      ...one,
      metrics: one.metrics.map((metric) => ({ ...metric, verdict })),
    }));
    const document = parseXml(roundsJUnit(rounds([quiet], { comparison: { ...comparison, candidates } })));
    const suite = document.children.find(({ attributes }) => attributes.name === 'sample comparison');
    expect(suite?.children.map(({ attributes, children }) => [attributes.name, children[0]?.name])).toEqual([
      ['http_req_duration: med is not worse', result],
    ]);
  });

  it('expectations of many rounds leave room for the gate that failed', () => {
    const unmet = { ...quiet, summary: sample.summary };
    const many = rounds(
      Array.from({ length: 12 }, () => unmet),
      { gates: { base: { ...sample.gates, gates: sample.gates.gates.slice(0, 2) } } },
    );
    const lines = githubRoundsAnnotations(many);
    expect(lines[0]).toMatch(/^::error title=.*Gate failed%3A http_req_duration%3A max<1::/);
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
    // One gate and twelve expectations, of which eight are named.
    expect(lines[9]).toBe('::error title=Spillway::and 4 more');
    expect(lines.some((line) => line.includes('Expectation of readHistory'))).toBe(true);
  });
});
