import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type ComparedMetric, comparedMetric, compareRuns } from '../gates/index.ts';
import { ComparisonSchema, comparisonJsonSchema } from './comparison-json.ts';
import { comparisonPage } from './html/comparison-page.ts';
import { renderComparisonMarkdown } from './outputs/comparison-markdown.ts';
import { githubComparisonAnnotations } from './outputs/github.ts';
import { RoundsSchema, readRounds, roundsJsonSchema } from './rounds-json.ts';
import { renderComparison } from './terminal/comparison.ts';

const HOSTILE = '\u001b[31m<b>|`x`@all #1 ::error::\n=1';
const metrics: readonly ComparedMetric[] = [
  comparedMetric({ metric: 'http_req_duration', tags: {} }, { of: 'med' }),
  comparedMetric({ metric: 'http_req_failed', tags: {} }, { of: 'rate' }),
  comparedMetric({ metric: 'turn_completion', tags: {} }, { of: 'med' }),
  comparedMetric({ metric: 'daily_quota_used', tags: { application: HOSTILE } }, { of: 'value' }),
];
const runs = (factor: number) =>
  Array.from({ length: 12 }, (_, i) => ({
    runId: HOSTILE,
    values: [(50 + i) * factor, 0.01, undefined, 5],
    limits: [],
    proven: [],
  }));
const comparison = compareRuns(
  metrics,
  { name: HOSTILE, runs: runs(1) },
  [{ name: HOSTILE, interleaved: true, differs: ['machine'], runs: runs(1.2) }],
  { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 },
);

describe('comparison.json', () => {
  it('has the members of the definition and no others, and satisfies the published schema', async () => {
    const document: unknown = JSON.parse(JSON.stringify(comparison));
    expect(ComparisonSchema.safeParse(document).error?.issues).toBeUndefined();
    const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(comparisonJsonSchema());
    validate(document);
    expect(validate.errors).toBeNull();
    expect(validate({ ...comparison, regressed: 'yes' })).toBe(false);
    const [candidate] = comparison.candidates;
    const later = { ...candidate, metrics: candidate?.metrics.map((one) => ({ ...one, unit: 'km' })) };
    expect(validate({ ...comparison, candidates: [later] }), 'a unit of later').toBe(true);
    await expect(`${JSON.stringify(comparisonJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
      'schemas/comparison.schema.json',
    );
  });
});

it('an estimate that contradicts its medians says what it is, in every output', () => {
  const side = (name: string, values: readonly number[]) => ({
    name,
    runs: values.map((ms, i) => ({ runId: `${name}${i}`, values: [ms], limits: [], proven: [] })),
  });
  const candidate = { ...side('b', [9, 19, 33, 33, 55, 65, 75]), interleaved: true, differs: [] };
  const opposed = compareRuns(
    metrics.slice(0, 1),
    side('a', [10, 20, 30, 31, 60, 70, 80]),
    [candidate],
    comparison.slack,
  );
  const told = /-[\d.]+ % \(-1\.5 ms\) round against round/;
  expect(renderComparison(opposed, { columns: 300 })).toMatch(told);
  expect(renderComparisonMarkdown(opposed)).toMatch(told);
  expect(comparisonPage(opposed)).toMatch(told);
});

it('a misbehaviour that only the candidate is proven to have is told in every output', () => {
  const side = (name: string, ...proven: readonly string[]) => ({
    name,
    runs: [
      { runId: name, values: [10], limits: [], proven: proven.map((violation) => ({ violation, claim: 'a claim' })) },
    ],
  });
  const candidate = { ...side('b', 'executed-twice'), interleaved: false, differs: [] };
  const worse = compareRuns(metrics.slice(0, 1), side('a'), [candidate], comparison.slack);
  expect(ComparisonSchema.safeParse(JSON.parse(JSON.stringify(worse))).error?.issues).toBeUndefined();
  const because = 'proven in 1 of 1 runs, in none of the base';
  expect(renderComparison(worse, { columns: 300 })).toMatch(new RegExp(`^worse +executed-twice\\n +${because}$`, 'm'));
  expect(renderComparisonMarkdown(worse)).toContain(`| ❌ worse | \`executed-twice\` | ${because} |`);
  const page = comparisonPage(worse);
  expect(page).toContain(`<p class="lead">executed-twice: ${because}.</p>`);
  expect(page).toMatch(new RegExp(`<th[^>]*>executed-twice</th>.*${because}`));
});

describe('rounds.json', () => {
  const rounds = {
    format: 'spillway-rounds',
    version: 1,
    scenario: 'smoke',
    targets: { base: 'sandbox' },
    runs: [{ round: 1, side: 'base', folder: 'round-001/base', runId: 'r', exitCode: 0 }],
  } as const;

  it('has a published schema, and is read back with members of later versions', async () => {
    const validate = new Ajv2020({ strictTypes: false }).compile(roundsJsonSchema());
    expect(validate(rounds)).toBe(true);
    expect(RoundsSchema.safeParse(rounds).success).toBe(true);
    expect(readRounds(JSON.stringify({ ...rounds, more: 1 }))).toEqual(rounds);
    const running = { round: 2, side: 'base', folder: 'round-002/base' };
    for (const more of [
      { rounds: 3, running },
      { rounds: 3, brokenOff: 'why' },
      { runs: [{ ...rounds.runs[0], exitCode: 11, invalid: true }] },
    ]) {
      expect(validate({ ...rounds, ...more })).toBe(true);
      expect(readRounds(JSON.stringify({ ...rounds, ...more }))).toEqual({ ...rounds, ...more });
    }
    const others = [{ ...rounds, version: 2 }, { ...rounds, gates: { base: { runs: 1 } } }, {}];
    expect(['{', ...others.map((one) => JSON.stringify(one))].map(readRounds)).toEqual(Array(4).fill(undefined));
    await expect(`${JSON.stringify(roundsJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(
      'schemas/rounds.schema.json',
    );
  });
});

describe('a comparison for people', () => {
  it('lists worse results first, in at most 80 columns, inert', () => {
    const lines = renderComparison(comparison, { columns: 80 }).trimEnd().split('\n');
    expect(lines.filter((line) => line.length > 80 && !/^\S+ beside|\\u\{1b\}/.test(line))).toEqual([]);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    expect(lines.map((line) => /^(worse|better|cannot tell|same) /.exec(line)?.[1]).filter(Boolean)).toEqual([
      'worse',
      'cannot tell',
      'same',
      'same',
    ]);
    expect(lines.join('\n')).toContain('12 rounds, interleaved; differing machine allowed');
    expect(lines.at(-1)).toBe('worse');
  });

  it('annotates what is worse on GitHub, and says so in one notice', () => {
    const [first = '', ...others] = githubComparisonAnnotations(comparison);
    expect(first).toMatch(/^::error title=Worse%3A http_req_duration%3A med::55.5 ms to 66.6 ms, by \+20 %25 /);
    expect(others).toEqual(['::notice title=Spillway%3A compare::failed: 1 result worse than the base']);
  });

  it('annotates which of several candidates is worse', () => {
    const [candidate] = comparison.candidates;
    const two = ['b', 'c,d'].map((name) => ({ ...(candidate as NonNullable<typeof candidate>), name }));
    const titles = githubComparisonAnnotations({ ...comparison, candidates: two }).map((line) => line.split('::')[1]);
    expect(titles).toEqual([
      'error title=b%3A Worse%3A http_req_duration%3A med',
      'error title=c%2Cd%3A Worse%3A http_req_duration%3A med',
      'notice title=Spillway%3A compare',
    ]);
  });

  it('says if there are too few rounds to show anything', () => {
    const few = (factor: number) => runs(factor).slice(0, 3);
    const told = compareRuns(
      metrics.slice(0, 1),
      { name: 'base', runs: few(1) },
      [{ name: 'other', interleaved: true, differs: [], runs: few(1.2) }],
      { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 },
    );
    const why = 'too few rounds to show a difference in 1 metric: at least 6 are needed';
    expect(renderComparison(told, { columns: 100 }).trimEnd().split('\n').at(-1)).toBe(
      `no regression is shown; ${why}`,
    );
    expect(renderComparison(told, { columns: 60 }).trimEnd().split('\n').slice(-2)).toEqual([
      'no regression is shown; too few rounds to show a difference',
      'in 1 metric: at least 6 are needed',
    ]);
    const page = renderComparisonMarkdown(told);
    expect(page).toMatch(/^## ❔ No regression is shown against `base`\n\nToo few rounds to show/);
    expect(page).toContain('### ❔ `other`');
    expect(comparisonPage(told)).toContain('<p class="eyebrow open">');
  });

  it('names in one line the metrics that too few rounds leave open, with their medians but no difference', () => {
    const told = compareRuns(
      metrics.slice(0, 2),
      { name: 'base', runs: runs(1).slice(0, 3) },
      [{ name: 'other', interleaved: true, differs: [], runs: runs(1.2).slice(0, 3) }],
      { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 },
    );
    const [first, second] = told.candidates[0]?.metrics ?? [];
    const why = 'too few rounds to show a difference: at least 6 are needed';
    const text = renderComparison(told, { columns: 300 });
    expect(text.split('\n').filter((line) => /^cannot tell|too few rounds to show a difference:/.test(line))).toEqual([
      `cannot tell ${first?.metric} (51 ms, 61.2 ms); ${second?.metric} (1 %, 1 %)`,
      `            ${why}`,
    ]);
    expect(text).not.toContain('+');
    expect(renderComparisonMarkdown(told).split('\n')).toContain(
      `❔ cannot tell, ${why}: \`${first?.metric}\` (51 ms, 61.2 ms), \`${second?.metric}\` (1 %, 1 %).`,
    );
  });

  it('is open on both pages if nothing could be told, however many rounds there are', () => {
    const untold = compareRuns(
      metrics.slice(2, 3),
      { name: 'base', runs: runs(1).map((run) => ({ ...run, values: [undefined] })) },
      [
        {
          name: 'other',
          interleaved: false,
          differs: [],
          runs: runs(1).map((run) => ({ ...run, values: [undefined] })),
        },
      ],
      { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 },
    );
    const page = renderComparisonMarkdown(untold);
    expect(page).toMatch(/^## ❔ No regression is shown against `base`\n\n### ❔ `other`\n\n12 runs, not interleaved/);
    expect(comparisonPage(untold)).toContain('<p class="eyebrow open">');
  });

  it('is closed if everything is the same', () => {
    const { candidates, ...rest } = comparison;
    const same = candidates.map((one) => ({
      ...one,
      regressed: false,
      metrics: one.metrics.filter(({ verdict }) => verdict === 'same'),
    }));
    const closed = { ...rest, regressed: false, candidates: same };
    expect(renderComparison(closed).trimEnd().split('\n').at(-1)).toBe('no regression is shown');
    const page = renderComparisonMarkdown(closed);
    expect(page.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      expect.stringMatching(/^## ✅ No regression is shown against `/),
      expect.stringMatching(/^### ✅ `/),
    ]);
  });

  it('names the slack of counts beside those of times and shares, on every page', () => {
    const slack = '5 % and 1 ms for times, 5 % for counts, 1 point for shares';
    for (const text of [
      renderComparison(comparison, { columns: 300 }),
      renderComparisonMarkdown(comparison),
      comparisonPage(comparison),
    ])
      expect(text).toContain(slack);
  });

  it('is a page of Markdown, inert', () => {
    const page = renderComparisonMarkdown(comparison);
    expect(page).toMatch(
      /\| ❌ worse \| `http_req_duration: med` \| 55.5 ms \| 66.6 ms \| \+20 % \(\+11.1 ms\) \| \+20 % \(\+10.\d ms\) to \+20 % \(\+11.\d ms\) \|/,
    );
    expect(page).toContain('\n❔ cannot tell, no round of both has enough samples: `turn_completion: med`.\n');
    expect(page.replace(/`[^`\n]*`/g, '')).not.toMatch(/[<@]|#\d|::error/);
    expect(page).not.toContain(String.fromCharCode(27));
  });
});
