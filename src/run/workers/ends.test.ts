import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../collect/index.ts';
import { PATIENCE_MS, spillway, temporaryFolder } from '../../testing/cli.ts';
import { journalLines, resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE, WIDE_OPEN } from '../../testing/scenarios.ts';
import { CLOSED_PORT, serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';
import { interrupted, startRun } from '../whole/started-run.exam.ts';

/** Starts a run of two workers and waits until its journal contains a given text. */
const startTwo = (scenario: string, isThere: (lines: readonly string[]) => boolean, ...more: readonly string[]) =>
  startRun(scenario, isThere, '--workers', '2', ...more);

const fromBoth =
  (count: number, part: string) =>
  (lines: readonly string[]): boolean =>
    [1, 2].every(
      (worker) => lines.filter((line) => line.includes(part) && line.includes(`"worker":${worker}`)).length >= count,
    );

/** Users who read as fast as the machine can, or what is given instead. */
const traffic = (more = '', { read = 'readHistory: {}', duration = '10min' } = {}) => `
name: traffic
users: 4
${WIDE_OPEN}
${WHATEVER_THE_MACHINE}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 10, steps: [${read}] }] } }
load: { model: closed-users, users: 4, duration: ${duration} }
${more}`;

const asking = (processing: string) => `
name: asking
users: 4
${WIDE_OPEN}
caps: { openTurns: 3 }
sandbox:
  latency: { queued: { distribution: constant, value: 0ms }, processing: { distribution: constant, value: ${processing} } }
journeys:
  ask:
    steps:
      - createConversation: {}
      - repeat: { times: 100, steps: [{ sendMessage: { message: Hello } }, { followTurn: { by: poll, interval: 100ms } }, { pause: 10s }] }
load: { model: closed-users, users: 4, duration: 10min }
`;

describe.concurrent('a run of two workers', { timeout: PATIENCE_MS }, () => {
  it('that is killed leaves the records of every worker', async () => {
    const { command, folder } = await startTwo(traffic(), fromBoth(30, '"kind":"exchange"'));
    command.child.kill('SIGKILL');
    await command.finished;
    const { exchanges, end } = resultsIn(folder);
    expect(end).toBeUndefined();
    const report = await typed(['report', folder, '--json']);
    expect(report.code, report.err).toBe(0);
    const { run } = JSON.parse(report.out) as Summary;
    expect(run).toMatchObject({
      complete: false,
      incompleteBecause: 'no-end',
      exchanges: exchanges.length,
      missingSeq: 0,
    });
    // Each of the four users had at most one request in flight.
    expect(run.inFlightAtEnd).toBeLessThanOrEqual(4);
  });

  it('ends the open turns of both after one Ctrl-C, even behind a waiter that gave up', async () => {
    const { command, folder } = await startTwo(
      // Longer than it takes until Ctrl-C, on a loaded machine, too: a slot that is free again lets the fourth user ask.
      asking('4s'),
      (lines) => lines.filter((line) => line.includes('"status":"queued"')).length >= 3,
    );
    command.child.kill('SIGINT');
    const { turns } = (await interrupted(command, folder)).summary();
    expect(turns).toMatchObject({ accepted: 3, completed: 3, unfinished: 0 });
  });

  it('obeys the scenario’s deadline and its gates, which see the records of both', async () => {
    const run = async (more: string) => {
      const out = join(temporaryFolder(), 'out');
      const paced = traffic(more, { read: 'readHistory: {}, pause: 10ms' });
      const args = ['run', scenarioFile(paced), '--quiet', '--workers', '2', '--out', out];
      const { code, err } = await typed(args);
      return { code, err, ...resultsIn(out) };
    };
    const deadline = await run('deadline: 700ms');
    expect(deadline.end).toMatchObject({ complete: false, reason: 'deadline', exchanges: deadline.exchanges.length });
    const gate = await run("gates: { 'http_reqs': [{ threshold: 'count<20', abortOnFail: true }] }");
    expect(gate.end).toMatchObject({ complete: false, reason: 'gate', gate: expect.stringContaining('http_reqs') });
    expect(gate.code, gate.err).toBe(108);
  });

  it('ends with 12 if no process listens, before anything is written', async () => {
    const folder = join(temporaryFolder(), 'out');
    const args = [
      'run',
      // Short, because what is sent to others is forecast first.
      scenarioFile(traffic('', { duration: '1s' })),
      '--quiet',
      '--workers',
      '2',
      '--out',
      folder,
      '--target',
      `http://127.0.0.1:${CLOSED_PORT}`,
      '--yes',
    ];
    const { code, err } = await typed(args, undefined, someCredentials);
    expect(code).toBe(12);
    expect(err).toContain('cannot be reached');
    expect(journalLines(folder)).toEqual([]);
  });

  it('ends with 12 if its credentials are refused, and with 12 if the disk is full', async () => {
    const service = await serveBadly({ issueToken: ({ response }) => void response.writeHead(401).end() });
    const folder = join(temporaryFolder(), 'out');
    const run = (scenario: string, out: string) => [
      'run',
      scenarioFile(scenario),
      '-q',
      '--workers',
      '2',
      '--out',
      out,
    ];
    const short = run(traffic('', { duration: '1s' }), folder);
    const refused = await typed([...short, '--yes', '--target', service.url], undefined, someCredentials);
    await service.close();
    expect([refused.code, refused.err]).toEqual([12, expect.stringContaining('refuses the credentials')]);
    const out = join(temporaryFolder(), 'out');
    const full = await spillway(run(traffic(), out), { before: 'ulimit -f 64' });
    expect([full.code, full.err]).toEqual([12, expect.stringContaining('the history cannot be written: EFBIG')]);
    const whole = readFileSync(join(out, 'history.ndjson'), 'utf8').split('\n').slice(0, -1);
    expect(whole.map((line) => (JSON.parse(line) as { kind: string }).kind)).toContain('exchange');
    expect(resultsIn(out).exchanges.length).toBeGreaterThan(20);
  });

  it('says what to do if one has no memory left, and keeps what was recorded', async () => {
    const folder = temporaryFolder();
    const [out, leak] = [join(folder, 'out'), join(folder, 'leak.cjs')];
    writeFileSync(
      leak,
      `const { existsSync, readFileSync } = require('node:fs');
       const journal = ${JSON.stringify(join(out, 'history.ndjson'))};
       const isToFill = () => existsSync(journal) && readFileSync(journal, 'utf8').includes('"kind":"exchange"');
       const kept = [];
       const fill = () => { for (;;) kept.push(new Array(10_000).fill(kept)); };
       if (require('node:worker_threads').workerData?.worker === 2) setInterval(() => { if (isToFill()) fill(); }, 20).unref();`,
    );
    const paced = traffic('', { read: 'readHistory: {}, pause: 10ms' });
    const { code, err } = await spillway(['run', scenarioFile(paced), '-q', '--workers', '2', '--out', out], {
      env: { NODE_OPTIONS: `--max-old-space-size=128 --require ${leak}` },
    });
    expect(code, err).toBe(1);
    expect(err).toContain(
      'worker 2 has no memory left, so the run ended: allow more (NODE_OPTIONS=--max-old-space-size=8192), or start fewer journeys at once',
    );
    expect(err).not.toContain('defect');
    expect(err).toContain(`everything recorded so far is kept: spillway report ${out}`);
    expect(resultsIn(out).exchanges.length).toBeGreaterThan(0);
  });

  it('rejects invalid numbers of workers', async () => {
    const run = (...args: readonly string[]) => typed(['run', scenarioFile(traffic()), '--quiet', ...args]);
    const [many, none, words] = [
      await run('--workers', '5'),
      await run('--workers', '0'),
      await run('--workers', 'two'),
    ];
    expect([many.code, none.code, words.code]).toEqual([104, 104, 104]);
    expect(many.err).toContain('write --workers 4');
    expect(none.err).toContain('must be a whole number from 1 to 128');
    const once = await run('--workers', '2', '--once');
    expect([once.code, once.err]).toEqual([0, expect.stringContaining('--once uses one worker')]);
  });
});
