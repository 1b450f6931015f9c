import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../collect/index.ts';
import { PATIENCE_MS, startSpillway, temporaryFolder, until } from '../../testing/cli.ts';
import { journalLines, resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { answer, serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';
import { linesOf, startRun, traffic } from './started-run.exam.ts';

/** Process ids of a process's children; Linux only. */
function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Whether a process runs; a zombie does not. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

describe.concurrent('a run whose folder is taken away', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['removed', (folder: string) => rmSync(folder, { recursive: true })],
    ['moved', (folder: string) => renameSync(folder, `${folder}-moved`)],
  ])('ends with 12 and says that its records are lost: %s', async (_, take) => {
    const folder = join(temporaryFolder(), 'out');
    const paced = traffic.replace(/^load.*$/m, 'load: { model: constant-rate, rate: 20/s, duration: 20s }');
    const finished = typed(['run', scenarioFile(paced), '--quiet', '--out', folder]);
    await until(() => linesOf(journalLines(folder), '"kind":"exchange"') >= 20, 'the run sends');
    take(folder);
    process.emit('SIGINT');
    const { code, err } = await finished;
    expect(code).toBe(12);
    expect(err).toContain(`${join(folder, 'history.ndjson')} was removed or moved during the run`);
    expect(existsSync(folder)).toBe(false);
  });
});

describe.concurrent('kill -9 in the middle of a run', { timeout: PATIENCE_MS }, () => {
  it('leaves a readable journal, from which report makes everything, and no sandbox process', async () => {
    const { command, folder } = await startRun(traffic, (lines) => linesOf(lines, '"kind":"exchange"') >= 60);
    const sandboxes = childrenOf(command.pid);
    expect(sandboxes.map(isRunning)).toEqual([true]);
    command.child.kill('SIGKILL');
    expect(await command.finished).toMatchObject({ code: null, signal: 'SIGKILL' });
    await until(() => !sandboxes.some(isRunning), 'the sandbox ends by itself');

    const { sent, exchanges, header, end } = resultsIn(folder);
    expect(header?.scenario).toBe('traffic');
    expect(end).toBeUndefined();
    expect(exchanges.length).toBeGreaterThanOrEqual(60);
    expect(sent.map(({ seq }) => seq)).toEqual(sent.map((_, index) => index));
    const answered = new Set(exchanges.map(({ seq }) => seq));
    const inFlight = sent.filter(({ seq }) => !answered.has(seq)).length;

    const report = await typed(['report', folder, '--json']);
    expect(report.code).toBe(0);
    const summary = JSON.parse(report.out) as Summary;
    expect(summary.run).toMatchObject({
      complete: false,
      incompleteBecause: 'no-end',
      exchanges: exchanges.length,
      inFlightAtEnd: inFlight,
      missingSeq: 0,
    });
    expect(report.err).toContain('incomplete');
    expect(resultsIn(folder).rows('requests.csv')).toHaveLength(exchanges.length);
  });

  it('counts every request that was in flight', async () => {
    const service = await serveBadly({ readHistory: () => undefined });
    const scenario = `name: waiting
profile: { client: { connections: 8, deadline: 60s } }
journeys: { a: { steps: [createConversation: {}, readHistory: {}] } }
load: { model: burst, count: 5 }`;
    const hanging = (lines: readonly string[]) =>
      lines.filter((line) => line.includes('"kind":"sent"') && line.includes('readHistory')).length === 5;
    const { command, folder } = await startRun(scenario, hanging, '--target', service.url);
    command.child.kill('SIGKILL');
    await command.finished;
    await service.close();
    const summary = JSON.parse((await typed(['report', folder, '--json'])).out) as Summary;
    expect(summary.run).toMatchObject({ complete: false, inFlightAtEnd: 5, missingSeq: 0, exchanges: 6 });
  });
});

describe.concurrent('kill -9 in the middle of rounds', { timeout: PATIENCE_MS }, () => {
  const reading = (times: number) => `
name: reading
${WHATEVER_THE_MACHINE}
journeys: { read: { steps: [createConversation: {}, repeat: { times: ${times}, steps: [readHistory: {}] }] } }
load: { model: shared-iterations, users: 1, iterations: 1 }`;

  /**
   * Kills rounds of which this one waits for its last answer in vain. @returns the folder in which they were started
   * @param round 1 or 2
   */
  async function killedIn(round: number): Promise<string> {
    const cwd = temporaryFolder();
    const reads = 3;
    const service = await serveBadly({
      readHistory: (asked) => asked.nth + 1 < round * reads && answer(asked, 200, { messages: [] }),
    });
    const command = startSpillway(
      [
        'run',
        scenarioFile(reading(reads)),
        '-q',
        '--repeat',
        '3',
        '--out',
        'results/rounds',
        '--target',
        service.url,
        '--yes',
      ],
      { cwd, env: someCredentials },
    );
    const folder = join(cwd, `results/rounds/round-00${round}/base`);
    await until(() => linesOf(journalLines(folder), '"kind":"sent"') === reads + 2, `round ${round} waits`);
    command.child.kill('SIGKILL');
    await command.finished;
    await service.close();
    return cwd;
  }

  it('names the round in which it happened, even the first', async () => {
    const cwd = await killedIn(1);
    const rounds = 'results/rounds is a folder of rounds that were killed in round 1 of 3, or are still running';
    const latest = await typed(['check', 'latest'], cwd);
    expect([latest.code, latest.err]).toEqual([
      104,
      `spillway: one problem:\nlatest: ${rounds}; name one of its runs, such as results/rounds/round-001/base\n`,
    ]);
    const compared = await typed(['compare', 'results/rounds', 'results/rounds'], cwd);
    expect([compared.code, compared.err]).toEqual([
      104,
      expect.stringContaining('has no finished round: they were killed in round 1 of 3, or are still running; run '),
    ]);
    const checked = await typed(['check', 'results/rounds/round-001/base'], cwd);
    expect(checked.out).toContain(
      'gates: not judged, because the rounds were killed in round 1 of 3, or are still running\n',
    );
    expect(checked.err).toContain('the history is incomplete: cut off, the end record is missing');
  });

  it('keeps finished rounds in the list', async () => {
    const cwd = await killedIn(2);
    const list = JSON.parse(readFileSync(join(cwd, 'results/rounds/rounds.json'), 'utf8'));
    expect(list).toMatchObject({
      rounds: 3,
      runs: [{ round: 1, folder: 'round-001/base', exitCode: 0 }],
      running: { round: 2, side: 'base', folder: 'round-002/base' },
    });
    const checked = await typed(['report', 'results/rounds/round-001/base'], cwd);
    expect(checked.out).toContain(
      'gates: not judged, because the rounds were killed in round 2 of 3, or are still running\n',
    );
  });
});
