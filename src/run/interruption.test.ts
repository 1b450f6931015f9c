import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../collect/index.ts';
import { PATIENCE_MS, type Spillway, startSpillway, temporaryFolder, until } from '../testing/cli.ts';
import { grouped, journalLines, type Results, resultsIn } from '../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE, WIDE_OPEN } from '../testing/scenarios.ts';
import { answer, serveBadly } from '../testing/service.ts';
import { typed } from '../testing/typed.ts';
import { ignoreFirstInterrupt, interruptsOfRounds, onInterrupt, stopper } from './interrupts.ts';

/** Starts a run and waits until its journal contains a given text. */
async function startRun(scenario: string, isThere: (lines: readonly string[]) => boolean, ...args: readonly string[]) {
  const folder = join(temporaryFolder(), 'out');
  const command = startSpillway(['run', scenarioFile(scenario), '--quiet', '--out', folder, ...args], {
    env: { SPILLWAY_CLIENT_ID: 'some-client', SPILLWAY_CLIENT_SECRET: 'some-secret' },
  });
  await until(
    () => command.child.exitCode !== null || isThere(journalLines(folder)),
    `the journal tells of it: ${command.text.err}`,
  );
  expect(command.child.exitCode, command.text.err).toBe(null);
  return { command, folder };
}

const linesOf = (lines: readonly string[], part: string) => lines.filter((line) => line.includes(part)).length;

/** Process ids of a process's children; Linux only. */
function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Whether a process runs; a zombie does not. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** SHA-256 of each file, by name, except run.json, which is not made from the journal. */
function digests(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => name !== 'run.json');
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(names.sort().map((name) => [name, digest(name)]));
}

const traffic = `
name: traffic
${WHATEVER_THE_MACHINE}
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 10, steps: [readHistory: {}] }] } }
load: { model: closed-users, users: 3, duration: 10min }
`;

describe.concurrent('a run whose folder is taken away', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['removed', (folder: string) => rmSync(folder, { recursive: true })],
    ['moved', (folder: string) => renameSync(folder, `${folder}-moved`)],
  ])('ends with 12 and says that its records are lost: %s', async (_, take) => {
    const { command, folder } = await startRun(traffic, (lines) => linesOf(lines, '"kind":"exchange"') >= 20);
    take(folder);
    command.child.kill('SIGINT');
    const { code, err } = await command.finished;
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

const asking = (processing: string) => `
name: asking
${WIDE_OPEN}
sandbox:
  latency: { queued: { distribution: constant, value: 0 }, processing: { distribution: constant, value: ${processing} } }
journeys:
  ask:
    steps:
      - createConversation: {}
      - repeat:
          times: 100
          steps:
            - sendMessage: { message: Hello }
            - followTurn: { by: stream }
            - followTurn: { by: poll, interval: 100ms }
            - pause: 10s
load: { model: closed-users, users: 3, duration: 10min }
`;
const threeTurns = (lines: readonly string[]) => linesOf(lines, '"status":"queued"') >= 3;

async function interrupted(command: Spillway, folder: string): Promise<Results> {
  const { code, err } = await command.finished;
  expect(code, err).toBe(105);
  const results = resultsIn(folder);
  expect(results.end).toMatchObject({ complete: false, reason: 'interrupted', exchanges: results.exchanges.length });
  expect(results.exchanges).toHaveLength(results.sent.length);
  expect(results.summary().run).toMatchObject({ complete: false, incompleteBecause: 'interrupted', inFlightAtEnd: 0 });
  expect(results.journeys.map(({ outcome }) => outcome)).toEqual(results.journeys.map(() => 'interrupted'));
  return results;
}

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
      { cwd, env: { SPILLWAY_CLIENT_ID: 'some-client', SPILLWAY_CLIENT_SECRET: 'some-secret' } },
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

describe('interrupted rounds', { timeout: PATIENCE_MS }, () => {
  it('write the reports of the current round and end, if it has sent everything already', async () => {
    const folder = join(temporaryFolder(), 'out');
    const many = traffic.replace('times: 10', 'times: 400').replace(/^load.*$/m, 'load: { model: burst, count: 6 }');
    const command = startSpillway(['run', scenarioFile(many), '-q', '--json', '--repeat', '3', '--out', folder]);
    const round = join(folder, 'round-001', 'base');
    const isWriting = () => existsSync(round) && readdirSync(round).some((name) => name.startsWith('report.html'));
    await until(isWriting, 'the first round writes its reports');
    command.child.kill('SIGINT');
    const { code, out, err } = await command.finished;
    expect(code, err).toBe(105);
    expect(err).toContain(
      'stopping: the reports of this round are written, and no further round starts (again to stop at once)\n',
    );
    const brokenOff = 'interrupted after round 1 of the base';
    expect(JSON.parse(out)).toEqual({ folder, exitCodes: [0], gates: {}, brokenOff });
    expect(resultsIn(round).summary().run).toMatchObject({ complete: true, exchanges: 2_407 });
    expect(existsSync(join(round, 'junit.xml'))).toBe(true);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain(`broken off: ${brokenOff}`);
    expect(existsSync(join(folder, 'round-002'))).toBe(false);
  });
});

describe('signals of rounds', () => {
  const listeners = () => (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => process.listenerCount(signal));
  const idle = listeners();

  it.each(['SIGINT', 'SIGTERM'] as const)('are handled once: a second %s ends the process', (signal) => {
    const told: string[] = [];
    const interrupts = interruptsOfRounds((text) => told.push(text));
    process.emit(signal);
    expect([interrupts.isRequested, told.length]).toEqual([true, 1]);
    const [int = 0, term = 0, hangUp = 0] = idle;
    // The shell repeats a SIGHUP; it counts only once.
    expect(listeners()).toEqual([int, term, hangUp + 1]);
    process.emit('SIGHUP');
    expect(told).toHaveLength(1);
    interrupts.release();
    expect(listeners()).toEqual(idle);
  });

  it('are handled by the run while it sends', () => {
    const told: string[] = [];
    const interrupts = interruptsOfRounds((text) => told.push(`rounds: ${text}`));
    const stopping = stopper();
    const release = onInterrupt(stopping, (text) => told.push(`run: ${text}`), interrupts);
    process.emit('SIGINT');
    expect([stopping.signals.finish.aborted, stopping.signals.abort.aborted]).toEqual([true, false]);
    process.emit('SIGINT');
    expect(stopping.signals.abort.aborted).toBe(true);
    expect(told).toEqual([expect.stringMatching(/^run: stopping: /)]);
    release();
    const [int, term, hangUp = 0] = idle;
    expect([interrupts.isRequested, listeners()]).toEqual([true, [int, term, hangUp + 1]]);
    interrupts.release();
  });

  it('that arrive before a round sends end it before it sends anything', () => {
    const interrupts = interruptsOfRounds(() => undefined);
    process.emit('SIGTERM');
    const stopping = stopper();
    onInterrupt(stopping, () => undefined, interrupts)();
    interrupts.release();
    expect([stopping.reason, stopping.signals.abort.aborted]).toEqual(['interrupted', false]);
  });
});

it('while reports are written, the first signal only shows a message, and no listener remains for the next', () => {
  const told: string[] = [];
  const listeners = process.listenerCount('SIGINT');
  const release = ignoreFirstInterrupt((text) => told.push(text));
  expect(process.listenerCount('SIGINT')).toBe(listeners + 1);
  process.emit('SIGINT');
  expect(told).toEqual([
    'the reports are being written (again to stop without them; spillway report can write them later)',
  ]);
  expect(process.listenerCount('SIGINT')).toBe(listeners);
  release();
  expect(process.listenerCount('SIGTERM')).toBe(process.listenerCount('SIGINT'));
});

describe.concurrent('an interrupted run', { timeout: PATIENCE_MS }, () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends open turns after one %s, and keeps everything',
    async (signal) => {
      const { command, folder } = await startRun(asking('1500ms'), threeTurns);
      command.child.kill(signal);
      const { turns, run } = (await interrupted(command, folder)).summary();
      expect(command.text.err).toContain('again to stop at once');
      expect(turns).toMatchObject({ accepted: 3, completed: 3, unfinished: 0 });
      expect(run.durationUs).toBeLessThan(9_000_000);
    },
  );

  it('ends at once after a second one', async () => {
    const { command, folder } = await startRun(asking('1h'), threeTurns);
    command.child.kill('SIGINT');
    await until(() => command.text.err.includes('again to stop at once'), 'the first signal is answered');
    const askedAt = Date.now();
    command.child.kill('SIGINT');
    const { streams, ...results } = await interrupted(command, folder);
    expect(Date.now() - askedAt).toBeLessThan(60_000);
    expect(results.summary().turns).toMatchObject({ accepted: 3, completed: 0, unfinished: 3 });
    expect(streams.filter(({ event }) => event === 'closed').map(({ reason }) => reason)).toEqual(
      streams.filter(({ event }) => event === 'opened').map(() => 'stopped'),
    );
  });

  it('writes its reports despite another signal', async () => {
    const { command, folder } = await startRun(asking('100ms'), threeTurns);
    command.child.kill('SIGINT');
    await until(() => linesOf(journalLines(folder), '"kind":"end"') === 1, 'all is sent');
    command.child.kill('SIGINT');
    await interrupted(command, folder);
    // If it came before the run's listeners were removed, it was the second signal, which stops at once.
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('ends what is open after SIGHUP, however often it is repeated', async () => {
    const { command, folder } = await startRun(asking('1500ms'), threeTurns);
    // Also while the reports are written.
    await until(() => {
      const isReported = ['summary.json', 'report.html', 'verdicts.json'].every((file) =>
        existsSync(join(folder, file)),
      );
      return isReported || !command.child.kill('SIGHUP');
    }, 'the reports are written');
    const { turns } = (await interrupted(command, folder)).summary();
    expect(turns).toMatchObject({ accepted: 3, completed: 3, unfinished: 0 });
  });

  it('censors requests that were in flight when it was stopped at once', async () => {
    const service = await serveBadly({ readHistory: () => undefined });
    const { command, folder } = await startRun(
      `name: waiting
profile: { client: { connections: 8, deadline: 60s } }
journeys: { a: { steps: [createConversation: {}, readHistory: {}] } }
load: { model: burst, count: 3 }`,
      (lines) => linesOf(lines, '"kind":"sent"') === 7,
      '--target',
      service.url,
    );
    command.child.kill('SIGINT');
    await until(() => command.text.err.includes('again to stop at once'), 'the first signal is answered');
    command.child.kill('SIGINT');
    const { exchanges } = await interrupted(command, folder);
    await service.close();
    const reads = exchanges.filter(({ operation }) => operation === 'readHistory');
    expect(reads.map(({ outcome, failure }) => [outcome, failure])).toEqual(reads.map(() => ['censored', 'stopped']));
    expect(reads).toHaveLength(3);
  });

  it('is complete up to the scenario’s deadline, which is not an interruption', async () => {
    const folder = join(temporaryFolder(), 'out');
    const { code } = await typed(['run', scenarioFile(`${traffic}deadline: 700ms`), '--quiet', '--out', folder]);
    expect(code).toBe(0);
    expect(resultsIn(folder).end).toMatchObject({ complete: false, reason: 'deadline' });
    expect(resultsIn(folder).exchanges.length).toBeGreaterThan(0);
  });

  it('ends gracefulStop after the plan, which is not an interruption either', async () => {
    const folder = join(temporaryFolder(), 'out');
    const scenario = scenarioFile(`name: outlasting
${WHATEVER_THE_MACHINE}
journeys: { ask: { steps: [createConversation: {}, pause: 1h, createConversation: {}] } }
load: { model: burst, count: 3, gap: 200ms }
gracefulStop: 300ms`);
    const { code, err } = await typed(['run', scenario, '--quiet', '--out', folder]);
    expect([code, err]).toEqual([0, '']);
    const { end, exchanges } = resultsIn(folder);
    expect(end).toMatchObject({ complete: false, reason: 'deadline', arrivals: 3, drops: 0 });
    expect(end?.at).toBeGreaterThanOrEqual(700_000);
    expect(exchanges.filter(({ operation }) => operation === 'createConversation')).toHaveLength(3);
  });
});

describe('report', { timeout: PATIENCE_MS }, () => {
  it('rebuilds every export bit for bit, also from a copy of the journal alone', async () => {
    const folder = join(temporaryFolder(), 'out');
    const scenario = scenarioFile(`name: varied
${WHATEVER_THE_MACHINE}
seed: 9
sandbox: { clockRate: 60, latency: { queued: { distribution: uniform, min: 1s, max: 3s }, processing: { distribution: lognormal, median: 8s, p95: 20s } }, failureShare: 0.3 }
users: 3
warmUp: 300ms
onRefused: continue
onError: continue
journeys:
  ask: { steps: [createConversation: {}, sendMessage: { message: "Question ${'${arrival}'}" }, followTurn: { by: both, interval: 100ms }, readHistory: {}, rateAnswer: { rating: up }] }
  rush: { steps: [createConversation: {}, burst: { count: 4, follow: { by: stream } }, { readHistory: {}, expect: { status: 200 } }] }
load: { model: constant-rate, rate: 6/s, duration: 2s }`);
    const { code } = await typed(['run', scenario, '--quiet', '--out', folder]);
    // Whether the last read exceeds the rate limit depends on the machine's load.
    expect([0, 99]).toContain(code);
    const before = digests(folder);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        'history.ndjson',
        'intervals.csv',
        'latency.hlog',
        'requests.csv',
        'summary.json',
        'turns.csv',
      ]),
    );
    const results = resultsIn(folder);
    expect(results.exchanges.length).toBeGreaterThan(40);
    expect(grouped(results.exchanges, ({ outcome }) => outcome).length).toBeGreaterThanOrEqual(2);
    expect((await typed(['report', folder])).code).toBe(0);
    expect(digests(folder)).toEqual(before);
    const elsewhere = temporaryFolder();
    copyFileSync(join(folder, 'history.ndjson'), join(elsewhere, 'history.ndjson'));
    expect((await typed(['report', join(elsewhere, 'history.ndjson')])).code).toBe(0);
    expect(digests(elsewhere)).toEqual(before);
  });
});
