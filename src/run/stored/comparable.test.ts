import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { base, compare, problemsOf, rounds, run, workInTemporaryFolder } from './runs-on-disk.exam.ts';

const work = workInTemporaryFolder();

const STRICT = {
  medianLagUs: us(50_000),
  p99LagUs: us(500_000),
  eventLoopUs: us(50_000),
  lateShare: 0.01,
  enforced: true,
};

describe('compare on the disk', () => {
  it.skipIf(process.platform === 'win32')('does not wait for what a pipe in place of run.json says', async () => {
    const piped = run(50, { machine: null });
    const file = join(piped, 'run.json');
    execFileSync('mkfifo', [file]);
    const writer = spawn('sh', ['-c', 'echo "{\\"machine\\":{\\"cores\\":64}}" > "$0"', file], { stdio: 'ignore' });
    try {
      expect(await problemsOf(compare(run(50), [piped]))).toEqual([
        expect.stringContaining('run.json does not say on which machine it ran'),
      ]);
    } finally {
      writer.kill();
    }
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
    expect(await problemsOf(compare(cut(), [run(50)]))).toEqual([
      expect.stringContaining('the run was cut short by its deadline or gracefulStop; compare runs'),
    ]);
    expect(await problemsOf(compare(run(50), [run(50, { cutBy: 'interrupted' })]))).toHaveLength(1);
    const incomplete = expect.stringContaining('the history is incomplete');
    expect(await problemsOf(compare(cut(), [run(50, { cutBy: 'deadline', lost: 1 })]))).toEqual([
      expect.stringContaining('the run was cut short'),
      incomplete,
    ]);
    const short = run(50, { journeys: ['completed', 'completed'] });
    const journal = join(short, 'history.ndjson');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace(/^{"kind":"journey".*\n/m, ''));
    expect(await problemsOf(compare(run(50), [short]))).toEqual([incomplete]);
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

  it('takes each candidate once', async () => {
    const [first, second] = [run(50), run(60)];
    expect(await problemsOf(compare(first, [second, run(55), second]))).toEqual([
      expect.stringMatching(/history\.ndjson: is also a run of another candidate; name each candidate once$/),
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
