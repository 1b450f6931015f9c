import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Comparison, GatesDocument } from '../../gates/index.ts';
import type { Rounds } from '../../report/index.ts';
import { PATIENCE_MS, temporaryFolder, until } from '../../testing/cli.ts';
import { WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { answer, CLOSED_PORT, serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

const scenario = `name: rounds
${WHATEVER_THE_MACHINE}
profile: { name: sandbox, limits: { rate: { max: 1000000 }, concurrency: { max: 100 }, daily: { max: 100000 } } }
sandbox: { limits: { rate: [], concurrency: [], daily: [] } }
journeys: { read: { steps: [{ createConversation: {} }, { repeat: { times: 9, steps: [{ readHistory: {} }] } }] } }
load: { model: burst, count: 3, gap: 10ms }
gates: { 'http_req_duration{operation:readHistory}': 'p(90)<60000' }
`;

/** Long enough for a test to change something before the next round starts. */
const LASTING = scenario.replace(/^load.*$/m, 'load: { model: constant-rate, rate: 5/s, duration: 2s }');

/** A proven violation, then a gate that ends the run before its last step. */
const GUILTY = `name: guilty
${WHATEVER_THE_MACHINE}
sandbox: { defects: [O13] }
journeys:
  ask:
    steps:
      - createConversation: {}
      - burst: { of: readHistory, count: 45 }
        onRefused: continue
      - pause: 5s
      - readHistory: {}
load: { model: burst, count: 1 }
gates: { http_reqs: [{ threshold: 'count<40', abortOnFail: true }] }
`;

describe('rounds', { timeout: PATIENCE_MS }, () => {
  it('are interleaved, judged together, and compared', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 's.yaml');
    writeFileSync(file, scenario);
    // Its reads are forty times slower than the sandbox's.
    const slow = await serveBadly({
      readHistory: (asked) => void setTimeout(() => answer(asked, 200, { messages: [] }), 200),
    });
    const out = join(folder, 'out');
    const args = ['run', file, '--quiet', '--repeat', '2', '--against', slow.url, '--out', out, '--json', '--yes'];
    const ran = await typed(args, undefined, someCredentials);
    expect(ran.code, ran.err).toBe(0);
    // Reported before the first round.
    expect(ran.err.split('\n')[0]).toBe(
      'spillway: 2 rounds per side cannot show a difference: 6 can in a single metric, 10 can in all of the up to 13 metrics compared; they are run all the same',
    );
    const list = JSON.parse(readFileSync(join(out, 'rounds.json'), 'utf8')) as Rounds;
    expect(list.runs.map(({ round, side }) => `${round} ${side}`)).toEqual([
      '1 base',
      '1 candidate',
      '2 candidate',
      '2 base',
    ]);
    expect(list.targets).toEqual({ base: 'sandbox', candidate: slow.url });
    const told = JSON.parse(ran.out) as {
      gates: Record<string, { gates: { samples: number; state: string }[] }>;
      comparison: Comparison;
    };
    // The 27 reads of one round are too few for the 90th percentile; the 54 of both are enough.
    expect(told.gates.base?.gates[0]).toMatchObject({ state: 'pass', samples: 54 });
    expect(told.gates.candidate?.gates[0]).toMatchObject({ state: 'pass', samples: 54 });
    const exitCodes = list.runs.map(({ exitCode }) => exitCode);
    expect(told).toEqual({ ...list, folder: out, exitCodes, comparison: told.comparison });
    const read = told.comparison.candidates[0]?.metrics.find(({ metric }) => metric.includes('readHistory'));
    expect(read).toMatchObject({ verdict: 'cannot tell', needed: expect.any(Number) });
    expect(read?.difference?.absolute).toBeGreaterThan(100);

    // The files of the folder contain what is judged over all rounds; the files of one round report no failure.
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain(
      '<testsuite name="rounds candidate: gates" tests="1" failures="0"',
    );
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('### base: Gates');
    const round = join(out, 'round-001/base');
    const own = JSON.parse(readFileSync(join(round, 'gates.json'), 'utf8')) as GatesDocument;
    expect(own).toMatchObject({ passed: true, gates: [], round: { number: 1, of: 2, side: 'base' } });
    expect(readFileSync(join(round, 'junit.xml'), 'utf8')).not.toContain('<failure');
    const pooled = await typed(['check', round, '--pool', join(out, 'round-002/base'), '--json']);
    expect([pooled.code, JSON.parse(pooled.out).gates]).toEqual([0, told.gates.base]);
    const byItself = await typed(['check', round, '--gate', 'http_reqs: count>1000']);
    expect([byItself.code, byItself.out]).toEqual([99, expect.stringContaining('judged over all 2 rounds together')]);

    const page = join(folder, 'page.md');
    const onGitHub = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
    const compared = await typed(['compare', out, '--json'], undefined, onGitHub);
    expect([compared.code, JSON.parse(compared.out)]).toEqual([0, told.comparison]);
    expect(compared.err).toMatch(
      /^::notice title=Spillway%3A compare::passed: no regression is shown, though too few /m,
    );
    expect(readFileSync(page, 'utf8')).toBe(`${readFileSync(join(out, 'comparison.md'), 'utf8')}\n`);
    expect(compared.err).toContain('2 rounds, interleaved');
    await slow.close();
  });

  it('that were invalid are left out, and the command fails', async () => {
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 's.yaml'), join(folder, 'out')];
    writeFileSync(file, scenario.replace('gates: {', "warmUp: 1h\ngates: { http_reqs: 'count>1',"));
    const ran = await typed(['run', file, '-q', '--repeat', '2', '--out', out]);
    expect([ran.code, ran.err]).toEqual([11, expect.stringContaining('0 of 2 rounds are judged')]);
    const list = JSON.parse(readFileSync(join(out, 'rounds.json'), 'utf8')) as Rounds;
    expect([list.runs.map(({ exitCode }) => exitCode), list.gates]).toEqual([[11, 11], {}]);
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('2 of 2 runs invalid');
    const compared = await typed(['compare', out, out], folder);
    expect([compared.code, compared.err]).toEqual([104, expect.stringContaining('has no valid round')]);
    const checked = await typed(['check', join(out, 'round-001/base'), '--gate', 'http_reqs: count<1000']);
    expect([checked.code, checked.err]).toEqual([11, expect.stringContaining('the run was invalid: ')]);
    expect(checked.out).toContain('gates: not judged, because no round is valid\n');
  });

  it('say in the files of their folder why they were broken off', async () => {
    const folder = temporaryFolder();
    const [file, out, other] = [join(folder, 's.yaml'), join(folder, 'out'), join(folder, 'other')];
    writeFileSync(file, scenario);
    const gate = join(folder, 'gate.yaml');
    const aborting = scenario
      .replace(/^load.*$/m, 'load: { model: constant-rate, rate: 10/s, duration: 30s }')
      .replace(/^gates.*$/m, "gates: { http_reqs: [{ threshold: 'count<1', abortOnFail: true }] }");
    writeFileSync(gate, aborting);
    const ran = await typed(['run', gate, '-q', '--repeat', '2', '--out', out]);
    expect([ran.code, ran.err]).toEqual([
      108,
      expect.stringContaining('round 1 of the base ended all rounds: http_reqs: count<1: failed'),
    ]);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain(
      '<failure message="round 1 of the base ended all rounds: ',
    );
    const checked = await typed(['check', join(out, 'round-001/base')]);
    const notJudged =
      'gates: not judged, because the rounds were broken off: round 1 of the base ended all rounds: http_reqs: ';
    expect([checked.code, checked.out]).toEqual([108, expect.stringContaining(notJudged)]);

    // Also if a violation is proven, which determines the run's exit code.
    const [guilty, third] = [join(folder, 'guilty.yaml'), join(folder, 'third')];
    writeFileSync(guilty, GUILTY);
    const proven = await typed(['run', guilty, '-q', '--repeat', '2', '--out', third]);
    expect([proven.code, proven.err]).toEqual([10, expect.stringContaining('round 1 of the base ended all rounds: ')]);
    expect(existsSync(join(third, 'round-002'))).toBe(false);

    const service = await serveBadly();
    const args = ['run', file, '-q', '--repeat', '99', '--target', service.url, '--out', other, '--yes'];
    const finished = typed(args, undefined, someCredentials);
    await until(() => existsSync(join(other, 'round-001/base/junit.xml')), 'the first round is over');
    await service.close();
    const { code, err } = await finished;
    expect(code, err).toBe(12);
    expect(readFileSync(join(other, 'summary.md'), 'utf8')).toMatch(
      /broken off: round \d+ of the base (has no results|ended all rounds): /,
    );
    const empty = readdirSync(other, { recursive: true, withFileTypes: true }).filter(
      (one) => one.isDirectory() && readdirSync(join(one.parentPath, one.name)).length === 0,
    );
    expect(empty).toEqual([]);
  });

  it('report the finished rounds and name the round without results', async () => {
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 's.yaml'), join(folder, 'out')];
    writeFileSync(file, LASTING);
    const args = ['run', file, '-q', '--json', '--repeat', '3', '--out', out];
    const finished = typed(args, folder, { GITHUB_ACTIONS: 'true' });
    await until(() => existsSync(join(out, 'round-001')), 'the first round begins');
    // In place of the folder of the second round.
    writeFileSync(join(out, 'round-002'), '');
    const { code, out: printed, err } = await finished;
    const why =
      'round 2 of the base has no results: the results cannot be written: a file stands where a folder should be';
    expect(code, err).toBe(12);
    expect(JSON.parse(printed)).toMatchObject({ folder: out, exitCodes: [0], brokenOff: expect.stringContaining(why) });
    expect(err).toContain(`results: ${out} (1 run)\n`);
    expect(err.split('\n').filter((line) => line.startsWith(`spillway: ${why}`))).toHaveLength(1);
    expect(err).toContain(`::error title=Not all rounds ran::${why}`);
    const list = JSON.parse(readFileSync(join(out, 'rounds.json'), 'utf8')) as Rounds;
    expect(list).toMatchObject({ runs: [{ round: 1, exitCode: 0 }], brokenOff: expect.stringContaining(why) });
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('broken off: round 2 of the base has no results: ');
  });

  it('start only if both sides can be reached', async () => {
    const folder = temporaryFolder();
    const [file, out] = [join(folder, 's.yaml'), join(folder, 'out')];
    writeFileSync(file, scenario);
    const nobody = `http://127.0.0.1:${CLOSED_PORT}`;
    const env = { SPILLWAY_CLIENT_ID: 'a', SPILLWAY_CLIENT_SECRET: 'b' };
    const ran = await typed(
      ['run', file, '-q', '--repeat', '5', '--against', nobody, '--out', out, '--yes'],
      folder,
      env,
    );
    expect([ran.code, ran.err]).toEqual([12, expect.stringContaining(`${nobody} cannot be reached: ECONNREFUSED`)]);
    expect(existsSync(out)).toBe(false);
    // With one side, the first round finds this, and leaves nothing either.
    const alone = await typed(
      ['run', file, '-q', '--repeat', '3', '--target', nobody, '--out', out, '--yes'],
      folder,
      env,
    );
    expect([alone.code, alone.err]).toEqual([12, expect.stringContaining(`${nobody} cannot be reached: ECONNREFUSED`)]);
    expect(existsSync(out)).toBe(false);
    mkdirSync(out);
    await typed(['run', file, '-q', '--repeat', '3', '--target', nobody, '--out', out, '--yes'], folder, env);
    expect(readdirSync(out)).toEqual([]);
  });

  it('do not ask for the address of the profile if neither side is there', async () => {
    const folder = temporaryFolder();
    const [file, profile] = [join(folder, 's.yaml'), join(folder, 'p.yaml')];
    writeFileSync(file, scenario.replace(/^profile.*$/m, ''));
    writeFileSync(profile, `name: p\nbaseUrl: http://127.0.0.1:${CLOSED_PORT}\n`);
    const service = await serveBadly();
    try {
      const ran = await typed(
        [
          'run',
          file,
          '-q',
          '--repeat',
          '1',
          '--profile',
          profile,
          '--target',
          service.url,
          '--against',
          'sandbox',
          '--yes',
        ],
        folder,
        someCredentials,
      );
      expect(ran.err).toContain('round 1 of 1: candidate (sandbox)');
      expect(ran.err).not.toContain('cannot be reached');
    } finally {
      await service.close();
    }
  });

  it.each([
    [
      ['--against', 'sandbox'],
      '--against: needs --repeat, which says how many rounds to run; add for example --repeat 10',
    ],
    [['--repeat', '0'], '--repeat: must be a whole number from 1 to 999; write for example --repeat 10'],
    [['--repeat', '2', '--against', 'nowhere'], '--against: is not a base URL'],
    [['--repeat', '2', '--pool', 'x'], '--pool: cannot be combined with --repeat'],
    [['--repeat', '2', '--dashboard=0'], '--dashboard: cannot be combined with --repeat'],
  ])('%j is refused before anything is sent', async (more, message) => {
    const folder = temporaryFolder();
    const file = join(folder, 's.yaml');
    writeFileSync(file, scenario);
    const ran = await typed(['run', file, '-q', ...more], folder);
    expect([ran.code, ran.err]).toEqual([104, expect.stringContaining(message)]);
  });
});
