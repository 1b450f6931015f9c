import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GatesDocument } from '../../gates/index.ts';
import { PATIENCE_MS, root, temporaryFolder } from '../../testing/cli.ts';
import { WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

/** Forty reads of the history per second, against a sandbox without limits. */
const reading = (gates: string, seconds = 1) => `name: reading
${WHATEVER_THE_MACHINE}
sandbox: { limits: { rate: [], concurrency: [], daily: [] } }
journeys: { read: { steps: [{ createConversation: {} }, { repeat: { times: 4, steps: [{ readHistory: {} }] } }] } }
load: { model: constant-rate, rate: 10/s, duration: ${seconds}s }
gates:
${gates}`;

function scenarioFile(text: string): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder();
  const file = join(folder, 's.yaml');
  writeFileSync(file, text);
  return { folder, file };
}
const gatesIn = (run: string): GatesDocument =>
  JSON.parse(readFileSync(join(run, 'gates.json'), 'utf8')) as GatesDocument;

/** The warm-up uses up the minute, so that everything after it is refused. */
const refused = `name: refused
${WHATEVER_THE_MACHINE}
users: 3
sandbox: { startTime: "2026-01-15T09:00:00Z" }
profile: { limits: { rate: { max: 3 } } }
warmUp: 500ms
journeys: { read: { steps: [{ createConversation: {} }, { readHistory: {} }] } }
load: { model: constant-rate, rate: 20/s, duration: 1500ms }
`;

describe.concurrent('gates of a run', { timeout: PATIENCE_MS }, () => {
  it('fail, as README writes them for CI, if everything was refused', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, block = ''] = /gates: \|\n((?: {6}.+\n)+)/.exec(readme) ?? [];
    const gates = block.split('\n').flatMap((line) => (line.trim() === '' ? [] : ['--gate', line.trim()]));
    const { folder, file } = scenarioFile(refused);
    const run = join(folder, 'run');
    const { code, err } = await typed(['run', file, '--quiet', '--out', run, ...gates]);
    expect(code, err).toBe(99);
    expect(gatesIn(run).gates.map(({ metric, expression, state }) => `${metric}: ${expression} ${state}`)).toEqual([
      'http_req_failed: rate<0.01 pass',
      'rate_limited: rate<0.05 fail',
      'iterations{outcome:completed}: count>0 fail',
      'limit.rate: not violated pass',
    ]);
  });

  it('pass or fail it, and are judged the same from its journal', async () => {
    const { folder, file } = scenarioFile(
      reading(`  http_req_failed: rate<0.01
  http_req_duration{operation:readHistory}: ['p(90)<0.001', 'p(95)<10000', 'p(99)<10000']
  turn_completion: [{ threshold: 'p(90)<1', allowNoData: true }]
  limit.rate: not violated
`),
    );
    const run = join(folder, 'run');
    const ran = await typed(['run', file, '--quiet', '--out', run, '--gate', 'limit.daily: held', '--json']);
    expect(ran.code, ran.err).toBe(99);
    const written = gatesIn(run);
    expect((JSON.parse(ran.out) as { gates: GatesDocument }).gates).toEqual(written);
    const failed = written.gates.filter(({ failsRun }) => failsRun);
    expect(written.gates.map(({ metric, expression, state }) => `${metric}: ${expression} ${state}`)).toEqual([
      'http_req_failed: rate<0.01 pass',
      'http_req_duration{operation:readHistory}: p(90)<0.001 fail',
      // 40 reads are too few for the 95th and 99th percentile.
      'http_req_duration{operation:readHistory}: p(95)<10000 undetermined',
      'http_req_duration{operation:readHistory}: p(99)<10000 undetermined',
      'turn_completion: p(90)<1 undetermined',
      'limit.rate: not violated pass',
      'limit.daily: held undetermined',
    ]);
    expect(failed.map(({ needed }) => needed)).toEqual([undefined, 59, 299, undefined]);
    expect(ran.err).toContain('gates: 2 passed, 1 failed, 4 undetermined');

    const bytes = readFileSync(join(run, 'gates.json'), 'utf8');
    rmSync(join(run, 'gates.json'));
    const reported = await typed(['report', run]);
    expect([reported.code, readFileSync(join(run, 'gates.json'), 'utf8')]).toEqual([0, bytes]);
    // Gates on the command line determine the exit code; rebuilding the exports alone does not.
    expect((await typed(['report', run, '--gate', 'http_reqs: count<1'])).code).toBe(99);
    // A gate on a journey that the scenario does not have would hold in any case.
    for (const command of ['check', 'report']) {
      const mistyped = await typed([command, run, '--gate', 'iterations{journey:raed}: count<9']);
      expect([mistyped.code, mistyped.err]).toEqual([
        104,
        'spillway: one problem:\n--gate: the tag journey of iterations never has the value "raed"; did you mean read?\n',
      ]);
    }
    await typed(['report', run]);
    const checked = await typed(['check', run, '--json']);
    expect(checked.code).toBe(99);
    expect((JSON.parse(checked.out) as { gates: GatesDocument }).gates).toEqual(written);
  });

  it('are judged over several runs of the same scenario together', async () => {
    const { folder, file } = scenarioFile(reading("  http_req_duration{operation:readHistory}: 'p(95)<10000'\n"));
    const [first, second, foreign] = ['first', 'second', 'foreign'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    expect((await typed(['run', file, '-q', '--out', first])).code).toBe(99);
    const pooled = await typed(['run', file, '-q', '--out', second, '--pool', first]);
    expect(pooled.code, pooled.out).toBe(0);
    expect(gatesIn(second).gates[0]).toMatchObject({ state: 'pass', samples: 80 });
    expect(gatesIn(second).runs).toHaveLength(2);
    expect((await typed(['check', second])).code).toBe(99);
    expect((await typed(['check', second, '--pool', first])).code).toBe(0);

    cpSync(first, foreign, { recursive: true });
    const journal = join(foreign, 'history.ndjson');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"scenario":"reading"', '"scenario":"writing"'));
    const refused = await typed([
      'run',
      file,
      '-q',
      '--out',
      join(folder, 'never'),
      '--pool',
      foreign,
      first,
      first,
      join(folder, 'none'),
    ]);
    expect(refused.code).toBe(104);
    expect(refused.err).toContain('is a run of the scenario writing, not of reading');
    expect(refused.err).toContain('is already judged');
    expect(refused.err).toContain('is not a run');
  });

  it('end it if they set abortOnFail, and the journal names the gate', async () => {
    const { folder, file } = scenarioFile(
      reading("  http_req_duration: [{ threshold: 'med<0.001', abortOnFail: true, delayAbortEval: 1500ms }]\n", 30),
    );
    const run = join(folder, 'run');
    const ran = await typed(['run', file, '-q', '--out', run]);
    expect(ran.code, ran.err).toBe(108);
    const lines = readFileSync(join(run, 'history.ndjson'), 'utf8').trimEnd().split('\n');
    const end = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
    expect(end).toMatchObject({ kind: 'end', complete: false, reason: 'gate', gate: 'http_req_duration: med<0.001' });
    expect(end.at).toBeGreaterThan(1_500_000);
    expect(end.at).toBeLessThan(15_000_000);
    expect(gatesIn(run).gates[0]).toMatchObject({ state: 'fail', stoppedRun: true });
    expect(ran.out).toContain('failed during the run and ended it');
    expect((await typed(['check', run])).code).toBe(108);
  });

  it('are skipped with --no-gates, and nothing is sent if one is invalid', async () => {
    const { folder, file } = scenarioFile(reading("  http_req_duration: 'max<0.001'\n"));
    const ran = await typed(['run', file, '-q', '--out', join(folder, 'run'), '--no-gates']);
    expect([ran.code, gatesIn(join(folder, 'run')).gates]).toEqual([0, []]);
    const wrong = await typed(['run', file, '-q', '--out', join(folder, 'never'), '--gate', 'http_reqs: p(95)<3']);
    expect([wrong.code, wrong.err]).toEqual([104, expect.stringContaining('http_reqs is a counter and has no p(95)')]);
    expect(() => readFileSync(join(folder, 'never', 'history.ndjson'))).toThrow('ENOENT');
  });
});
