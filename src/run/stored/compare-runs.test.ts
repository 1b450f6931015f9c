import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JourneyRecord } from '../../history/index.ts';
import { accepted, poll } from '../../testing/history/sample-records.ts';
import { usualSlack } from './compare-runs.ts';
import { base, compare, problemsOf, rounds, run, workInTemporaryFolder } from './runs-on-disk.exam.ts';

const work = workInTemporaryFolder();
const READ = 'http_req_duration{operation:readHistory,outcome:success}: med';

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

  it('counts a metric that is named twice once in the correction', async () => {
    const folder = rounds(
      base,
      base.map((ms, index) => ms + index),
    );
    const judged = async (...metrics: readonly string[]) =>
      (await compare(folder, [], { metrics })).comparison.candidates[0]?.metrics;
    const once = await judged(READ);
    expect(once).toHaveLength(1);
    expect(await judged(READ, ` ${READ}`)).toEqual(once);
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
});
