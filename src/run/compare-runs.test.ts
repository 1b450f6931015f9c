import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../base/index.ts';
import type { Exchange, Header, JourneyRecord } from '../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { type CompareOptions, compareOnDisk, usualSlack } from './compare-runs.ts';

const work = mkdtempSync(join(tmpdir(), 'spillway-compare-'));
const home = process.cwd();
// Where results/ is made.
process.chdir(work);
afterAll(() => {
  process.chdir(home);
  rmSync(work, { recursive: true });
});

let made = 0;
interface Made {
  readonly header?: Partial<Header>;
  readonly machine?: unknown;
  readonly complete?: boolean;
  readonly cutBy?: string;
  readonly at?: string;
  /** How late each request left. */
  readonly lateMs?: number;
  /** Exchanges after the reads. */
  readonly more?: readonly Exchange[];
  /** How journeys ended, one a read. */
  readonly journeys?: readonly JourneyRecord['outcome'][];
}

const STRICT = {
  medianLagUs: us(50_000),
  p99LagUs: us(500_000),
  eventLoopUs: us(50_000),
  lateShare: 0.01,
  enforced: true,
};

/** A run of twenty reads of so many milliseconds each. @returns its folder */
function run(
  ms: number,
  {
    header: members,
    machine = { cores: 2 },
    complete = true,
    cutBy,
    at,
    lateMs = 0,
    more = [],
    journeys = [],
  }: Made = {},
): string {
  const folder = at ?? join(work, `run-${++made}`);
  mkdirSync(folder, { recursive: true });
  const reads = Array.from({ length: 20 + lateMs }, (_, seq) =>
    exchange({
      seq,
      intendedAt: us(seq * 1_000_000 - lateMs * 1_000),
      sentAt: us(seq * 1_000_000),
      receivedAt: us(seq * 1_000_000 + Math.round(ms * 1_000)),
      headersAt: us(seq * 1_000_000 + 10),
    }),
  );
  const records = [
    header({ runId: `run-${++made}`, plan: 'p', ...members }),
    ...reads,
    ...more,
    ...journeys.map((outcome, arrival) => {
      const at = us(arrival * 1_000_000);
      return { kind: 'journey', arrival, journey: 'ask', intendedAt: at, startedAt: at, endedAt: at, outcome };
    }),
    ...(complete
      ? [
          end({
            exchanges: 20 + lateMs + more.length,
            at: us(30_000_000),
            ...(cutBy !== undefined && { complete: false, reason: cutBy }),
          }),
        ]
      : []),
  ];
  writeFileSync(join(folder, 'history.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  if (machine !== null) writeFileSync(join(folder, 'run.json'), JSON.stringify({ machine }));
  return folder;
}

/** A folder of rounds: the times of each side, round by round. @param invalidRound of which the base was too slow, from 1 */
function rounds(
  base: readonly number[],
  candidate?: readonly number[],
  invalidRound = 0,
  more: Readonly<Partial<Record<'base' | 'candidate', Made>>> = {},
): string {
  const folder = join(work, `rounds-${++made}`);
  const runs = [base, candidate ?? []].flatMap((times, index) =>
    times.map((ms, round) => {
      const side = index === 0 ? ('base' as const) : ('candidate' as const);
      const below = `round-00${round + 1}/${side}`;
      run(ms, { ...more[side], at: join(folder, below) });
      return {
        round: round + 1,
        side,
        folder: below,
        runId: `${side}-${round}`,
        exitCode: 10,
        ...(round + 1 === invalidRound && side === 'base' && { invalid: true }),
      };
    }),
  );
  const targets = { base: 'sandbox', ...(candidate && { candidate: 'https://b.example.com' }) };
  writeFileSync(
    join(folder, 'rounds.json'),
    JSON.stringify({ format: 'spillway-rounds', version: 1, scenario: 'sample', targets, runs, later: 1 }),
  );
  return folder;
}

const compare = (base: string, candidates: readonly string[] = [], more: Partial<CompareOptions> = {}) =>
  compareOnDisk({ base, candidates, metrics: [], slack: usualSlack, allow: [], ...more });

const problemsOf = async (comparing: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await comparing;
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n').map((line) => line.replaceAll(`${work}/`, ''));
  }
};
const READ = 'http_req_duration{operation:readHistory,outcome:success}: med';
const base = [50, 60, 45, 80, 55, 52, 48, 70];

describe('compare on the disk', () => {
  it('treats rounds of two sides as interleaved, and writes its files into their folder', async () => {
    const folder = rounds(
      base,
      base.map((ms) => ms * 1.2),
    );
    const { comparison, folder: out } = await compare(folder);
    expect(out).toBe(folder);
    expect(comparison).toMatchObject({
      regressed: true,
      base: { name: 'sandbox' },
      candidates: [{ name: 'https://b.example.com', interleaved: true, differs: [] }],
    });
    const [told] = comparison.candidates[0]?.metrics ?? [];
    expect(told).toMatchObject({ metric: READ, verdict: 'worse', rounds: { base: 8, candidate: 8 } });
    expect(told?.difference?.relative).toBeCloseTo(0.2, 2);
    expect(JSON.parse(readFileSync(join(folder, 'comparison.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(comparison)),
    );
    expect(readFileSync(join(folder, 'comparison.md'), 'utf8')).toContain('## ❌ Worse than `sandbox`');
  });

  it('leaves what the rounds wrote where other metrics or slacks are asked for', async () => {
    const folder = rounds(base, base);
    const { folder: usual } = await compare(folder);
    const written = readFileSync(join(usual, 'comparison.json'), 'utf8');
    for (const other of [{ metrics: [READ] }, { slack: { ...usualSlack, absoluteMs: 20 } }]) {
      const { folder: out } = await compare(folder, [], other);
      expect(out).toMatch(/^results\/comparison-\d{8}T\d{6}Z(-\d+)?$/);
      expect(readdirSync(out).sort()).toEqual(['comparison.html', 'comparison.json', 'comparison.md']);
      expect(readFileSync(join(folder, 'comparison.json'), 'utf8')).toBe(written);
    }
    expect((await compare(folder, [], { metrics: [READ], out: folder })).folder).toBe(folder);
  });

  it('treats two folders of rounds as not interleaved, and single runs as one round', async () => {
    const one = rounds(base);
    const other = rounds(base.map((ms) => ms * 3));
    const { comparison, folder } = await compare(one, [other, run(50)]);
    expect(folder).toMatch(/^results\/comparison-\d{8}T\d{6}Z(-\d+)?$/);
    expect(readdirSync(folder).sort()).toEqual(['comparison.html', 'comparison.json', 'comparison.md']);
    expect(comparison.candidates.map(({ interleaved, metrics }) => [interleaved, metrics[0]?.verdict])).toEqual([
      [false, 'worse'],
      [false, 'cannot tell'],
    ]);
    const out = join(work, 'out');
    mkdirSync(out);
    await compare(run(50), [run(60)], { out });
    expect(existsSync(join(out, 'comparison.json'))).toBe(true);
  });

  it('leaves out rounds with an invalid run, on both sides, and reports it', async () => {
    const slow = base.map((ms, index) => (index === 2 ? 1_000 : ms));
    const { comparison, folder } = await compare(rounds(slow, base, 3));
    expect(comparison).toMatchObject({ base: { leftOut: 1 }, candidates: [{ leftOut: 1, regressed: false }] });
    expect(comparison.candidates[0]?.metrics[0]).toMatchObject({ verdict: 'same', rounds: { base: 7, candidate: 7 } });
    for (const file of ['comparison.md', 'comparison.html'])
      expect(readFileSync(join(folder, file), 'utf8')).toContain('(1 round left out: invalid)');
    expect(await problemsOf(compare(rounds([50], [50], 1)))).toEqual([
      expect.stringMatching(/^rounds-\d+: has no valid round/),
    ]);
  });

  it('refuses invalid runs, unless allowed', async () => {
    const late = run(50, { header: { generator: STRICT }, lateMs: 400 });
    expect(await problemsOf(compare(run(50), [late]))).toEqual([
      expect.stringContaining(
        'the run was invalid: the generator was the bottleneck: half of the requests left 400 ms',
      ),
    ]);
    const { comparison } = await compare(run(50), [late], { allow: ['invalid'] });
    expect(comparison.candidates[0]?.differs).toEqual(['invalid']);
    // One that its deadline ended: that it is incomplete is one thing, that it is invalid another.
    const cut = run(50, { header: { generator: STRICT }, lateMs: 400, cutBy: 'deadline' });
    expect(await problemsOf(compare(run(50), [cut], { allow: ['incomplete'] }))).toEqual([
      expect.stringContaining('the run was invalid: '),
    ]);
    expect(await problemsOf(compare(run(50), [run(50, { complete: false })], { allow: ['incomplete'] }))).toEqual([]);
  });

  it('treats runs that ended at their deadline as complete, if all of them did', async () => {
    const cut = () => run(50, { cutBy: 'deadline' });
    const told = (await compare(cut(), [cut(), cut()])).comparison.candidates;
    expect(told.map(({ differs }) => differs)).toEqual([[], []]);
    expect(await problemsOf(compare(cut(), [run(50)]))).toEqual([expect.stringContaining('the history is incomplete')]);
    expect(await problemsOf(compare(run(50), [run(50, { cutBy: 'interrupted' })]))).toHaveLength(1);
    // Interleaved ones were compared when they were run.
    const folder = rounds(base, base);
    rmSync(join(folder, 'round-002/candidate'), { recursive: true });
    run(60, { at: join(folder, 'round-002/candidate'), cutBy: 'deadline' });
    expect((await compare(folder)).comparison.candidates[0]?.differs).toEqual(['incomplete']);
  });

  it('reports each problem once, for every candidate', async () => {
    const [late, seed] = [run(50, { header: { generator: STRICT }, lateMs: 400 }), run(50, { header: { seed: 8 } })];
    const both = expect.stringContaining('is also a run of the base; compare another run with it');
    expect(await problemsOf(compare(late, [late]))).toEqual([both, expect.stringContaining('the run was invalid')]);
    expect(await problemsOf(compare(late, [seed, late, run(50)]))).toEqual([
      expect.stringContaining('the run was invalid'),
      expect.stringContaining('seed 8 instead of 7'),
      both,
    ]);
  });

  it('reports default metrics that one side alone has', async () => {
    const more = [accepted(20, 't', 21_000_000, 21_010_000), poll(21, 't', 'failed', 22_000_000, 22_010_000)];
    for (const [base, candidate] of [
      [run(50), run(50, { more })],
      [run(50, { more }), run(50)],
    ] as const) {
      const { metrics = [] } = (await compare(base, [candidate])).comparison.candidates[0] ?? {};
      expect(metrics.find(({ metric }) => metric === 'turn_not_completed: rate')?.because).toBe(
        'no round of both has enough samples',
      );
    }
  });

  it('finds that turns no longer finish, though every journey goes on without them', async () => {
    const side = (status: string) => ({
      more: Array.from({ length: 20 }, (_, arrival) => [
        accepted(20 + arrival, `t${arrival}`, arrival * 1_000, arrival * 1_000 + 100, { arrival }),
        poll(40 + arrival, `t${arrival}`, status, 500_000, 510_000, { arrival }),
      ]).flat(),
      journeys: Array.from({ length: 20 }, () => 'completed' as const),
    });
    const sides = { base: side('completed'), candidate: side('processing') };
    const { candidates, regressed } = (await compare(rounds(base, base, 0, sides))).comparison;
    expect(regressed).toBe(true);
    const [told] = candidates[0]?.metrics.filter(({ verdict }) => verdict === 'worse') ?? [];
    expect(told).toMatchObject({ metric: 'turn_not_completed: rate', base: 0, candidate: 1 });
  });

  it('finds that journeys no longer reach their end, such as those whose turns no longer finish, though no request failed', async () => {
    const ends = (outcome: JourneyRecord['outcome']) => ({ journeys: Array.from({ length: 20 }, () => outcome) });
    const sides = { base: ends('completed'), candidate: ends('stopped') };
    const { candidates, regressed } = (await compare(rounds(base, base, 0, sides))).comparison;
    expect(regressed).toBe(true);
    const [told] = candidates[0]?.metrics.filter(({ verdict }) => verdict === 'worse') ?? [];
    expect(told).toMatchObject({ metric: 'iterations{outcome:completed}: count', base: 20, candidate: 0 });
    const alike = (await compare(rounds(base, base, 0, { base: sides.base, candidate: sides.base }))).comparison;
    expect(alike.regressed).toBe(false);
    expect(alike.candidates[0]?.metrics.map(({ metric, verdict }) => [metric, verdict])).toContainEqual([
      'iterations{outcome:completed}: count',
      'same',
    ]);
  });

  it('leaves out default metrics that no run has, and reports chosen ones that are missing', async () => {
    const names = async (metrics: readonly string[]) =>
      (await compare(run(50), [run(50)], { metrics })).comparison.candidates[0]?.metrics.map(({ metric, because }) => [
        metric,
        because,
      ]);
    expect((await names([]))?.map(([name]) => name)).toEqual([
      READ,
      'iterations{outcome:completed}: count',
      'http_req_failed: rate',
      'rate_limited: rate',
    ]);
    expect(await names(['turn_completion: p(90)', 'http_reqs: count'])).toEqual([
      ['turn_completion: p(90)', 'no round of both has enough samples'],
      [
        'http_reqs: count',
        '20 to 20, by 0 % (0) in 1 round: too few rounds to show a difference: at least 4 are needed',
      ],
    ]);
  });

  it('refuses runs that differ in plan, limits, machine or completeness, with all problems at once, unless allowed', async () => {
    const limits = {
      rate: { max: 30, windowUs: us(60_000_000), reading: 'unknown' },
      concurrency: { max: 2 },
      daily: { max: 50 },
    };
    const first = run(50);
    const others = [
      run(50, { header: { seed: 8 } }),
      run(50, { header: { plan: 'q' } }),
      run(50, { header: { limits } }),
      run(50, { machine: { cores: 64 } }),
      run(50, { machine: null }),
      run(50, { header: { workers: 2 } }),
    ];
    const messages = await Promise.all(others.map((other) => problemsOf(compare(first, [other]))));
    const last = messages.map(([message]) => message?.replace(/^\S+ /, '').replace(/run-\d+\/history.ndjson/g, 'X'));
    expect(last).toEqual([
      'ran another plan than X: seed 8 instead of 7; compare runs in which it is the same, or add --allow plan',
      'ran another plan than X: journeys, load, caps or data differ; compare runs in which it is the same, or add --allow plan',
      'declares other limits than X; compare runs in which it is the same, or add --allow limits',
      'ran on another machine than X; compare runs in which it is the same, or add --allow machine',
      'run.json does not say on which machine it ran; compare runs in which it is the same, or add --allow machine',
      'was sent by 2 workers over wire, X by 1 worker over wire; compare runs in which it is the same, or add --allow generator',
    ]);
    const worst = run(50, { header: { scenario: 'other', limits }, machine: null, complete: false });
    expect(await problemsOf(compare(first, [worst]))).toHaveLength(4);
    const allow = ['plan', 'limits', 'machine', 'incomplete'] as const;
    const { comparison } = await compare(first, [worst], { allow });
    expect([...(comparison.candidates[0]?.differs ?? [])].sort()).toEqual(['incomplete', 'limits', 'machine', 'plan']);
  });

  it('reports journeys, applications and stages that no run has: none of their numbers could differ', async () => {
    const stages = [{ name: 'peak', fromUs: us(0), toUs: us(9) }];
    const named = { header: { journeys: ['ask', 'read'], applications: ['shop'], stages } };
    const both = [run(50, named), run(50, named)] as const;
    const selected = (tags: string) => compare(both[0], [both[1]], { metrics: [`http_reqs{${tags}}: count`] });
    expect(await problemsOf(selected('journey:aks'))).toEqual([
      '--metric "http_reqs{journey:aks}: count": the tag journey of http_reqs never has the value "aks"; did you mean ask?',
    ]);
    expect(await problemsOf(selected('application:office,stage:night'))).toEqual([
      '--metric "http_reqs{application:office,stage:night}: count": the tag application of http_reqs never has the value "office"; its values are shop',
      '--metric "http_reqs{application:office,stage:night}: count": the tag stage of http_reqs never has the value "night"; its values are peak',
    ]);
    const known = await selected('application:shop,journey:read,stage:peak');
    expect(known.comparison.candidates[0]?.metrics).toHaveLength(1);
  });

  it('reports names that are not runs or metrics', async () => {
    expect(await problemsOf(compare(run(50)))).toEqual([
      expect.stringContaining('is not a folder of rounds with two sides; name a candidate too'),
    ]);
    expect(await problemsOf(compare(join(work, 'nowhere')))).toEqual([
      expect.stringContaining('does not exist; name a run, or a folder of rounds'),
    ]);
    expect(await problemsOf(compare(run(50), [join(work, 'nowhere')]))).toEqual([
      expect.stringContaining('is not a run'),
    ]);
    const both = rounds([50], [50]);
    expect(await problemsOf(compare(both, [run(50)]))).toEqual([
      expect.stringContaining('contains both base and candidate; compare it by itself'),
    ]);
    const torn = rounds([50], [50]);
    writeFileSync(join(torn, 'rounds.json'), '{"format":"spillway-rounds","version":2}');
    expect(await problemsOf(compare(torn))).toEqual([
      expect.stringContaining('is not a list of rounds that this version can read'),
    ]);
    expect(
      await problemsOf(
        compare(run(50), [run(50)], { metrics: ['turn_completon: p(90)', 'http_reqs: med', 'foo', 'checks: p95'] }),
      ),
    ).toEqual([
      '--metric "turn_completon: p(90)": there is no metric "turn_completon"; did you mean turn_completion?',
      '--metric "http_reqs: med": http_reqs is a counter and has no med; write count, rate',
      '--metric: "foo" is not of the form METRIC: AGGREGATION; write for example "turn_completion: p(90)"',
      '--metric "checks: p95": "p95" is not an aggregation; write count, rate, value, avg, min, max, med or p(N)',
    ]);
  });
});
