import { existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/index.ts';
import { PATIENCE_MS, type Spillway, startSpillway, temporaryFolder, until } from '../../testing/cli.ts';
import { afterThisFile } from '../../testing/leftovers.ts';
import { journalLines, type Results, resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE, WIDE_OPEN } from '../../testing/scenarios.ts';
import { serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';
import { interrupted, linesOf, startRun, traffic } from './started-run.exam.ts';

const asking = (processing: string, more = '') => `
name: asking
${WIDE_OPEN}
sandbox:
  latency: { queued: { distribution: constant, value: 0 }, processing: { distribution: constant, value: ${processing} } }
  faults: ['readHistory:latency:constant:1h']
journeys:
  wait: { steps: [createConversation: {}, readHistory: {}] }
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
load:
  - { model: closed-users, users: 3, duration: 10min, journeys: [ask] }
${more}`;
const fourReads = '  - { model: burst, count: 4, journeys: [wait] }';
const readsIn = (lines: readonly string[]) => linesOf(lines, '"operation":"readHistory"');
const expectCensored = (exchanges: readonly Exchange[]) => {
  const reads = exchanges.filter(({ operation }) => operation === 'readHistory');
  expect(reads.map(({ outcome, failure }) => [outcome, failure])).toEqual(reads.map(() => ['censored', 'stopped']));
  expect(reads).toHaveLength(4);
};
const threeTurns = (lines: readonly string[]) => linesOf(lines, '"status":"queued"') >= 3;

describe.concurrent('an interrupted run', { timeout: PATIENCE_MS }, () => {
  /** Once the open turns have ended. */
  const expectEnded = (command: Spillway, { summary }: Results) => {
    expect(command.text.err).toContain('again to stop at once');
    const { turns, run } = summary();
    expect(turns).toMatchObject({ accepted: 3, completed: 3, unfinished: 0 });
    expect(run.durationUs).toBeLessThan(9_000_000);
  };

  it('ends open turns after one SIGINT, and keeps everything', async () => {
    const { command, folder } = await startRun(asking('1500ms'), threeTurns);
    command.child.kill('SIGINT');
    expectEnded(command, await interrupted(command, folder));
  });

  it('ends at once after a second one, and censors requests that were in flight', async () => {
    const { command, folder } = await startRun(
      asking('1h', fourReads),
      (lines) => threeTurns(lines) && readsIn(lines) === 4,
    );
    command.child.kill('SIGINT');
    await until(() => command.text.err.includes('again to stop at once'), 'the first signal is answered');
    const askedAt = Date.now();
    command.child.kill('SIGINT');
    const { streams, exchanges, ...results } = await interrupted(command, folder);
    expect(Date.now() - askedAt).toBeLessThan(60_000);
    expect(results.summary().turns).toMatchObject({ accepted: 3, completed: 0, unfinished: 3 });
    expect(streams.filter(({ event }) => event === 'closed').map(({ reason }) => reason)).toEqual(
      streams.filter(({ event }) => event === 'opened').map(() => 'stopped'),
    );
    expectCensored(exchanges);
  });

  it('ends open turns after one SIGTERM, and writes its reports despite another signal', async () => {
    const { command, folder } = await startRun(asking('1500ms'), threeTurns);
    command.child.kill('SIGTERM');
    await until(() => linesOf(journalLines(folder), '"kind":"end"') === 1, 'all is sent');
    command.child.kill('SIGINT');
    // If it came before the run's listeners were removed, it was the second signal, which stops at once.
    expectEnded(command, await interrupted(command, folder));
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
    expectEnded(command, await interrupted(command, folder));
  });

  it('censors requests that were in flight when two workers were stopped at once', async () => {
    const service = await serveBadly({ readHistory: () => undefined });
    const { command, folder } = await startRun(
      `name: waiting
users: 4
profile: { client: { connections: 8, deadline: 60s } }
journeys: { a: { steps: [createConversation: {}, readHistory: {}] } }
load: { model: burst, count: 4 }`,
      (lines) => readsIn(lines) === 4,
      '--workers',
      '2',
      '--target',
      service.url,
    );
    command.child.kill('SIGINT');
    await until(() => command.text.err.includes('again to stop at once'), 'the first signal is answered');
    command.child.kill('SIGINT');
    const { exchanges } = await interrupted(command, folder);
    await service.close();
    expectCensored(exchanges);
  });

  it.each([1, 2])('ends while its sockets are opened, with --workers %i, without waiting for them', async (workers) => {
    // Accepts connections, and says nothing in the TLS handshake.
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
    afterThisFile(() => void silent.close());
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const folder = join(temporaryFolder(), 'out');
    const scenario = scenarioFile(`name: opening
users: 2
journeys: { a: { steps: [createConversation: {}] } }
load: { model: burst, count: 4 }`);
    const target = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const args = ['run', scenario, '--yes', '--quiet', '--out', folder, '--target', target, '--workers', `${workers}`];
    const command = startSpillway(args, { env: someCredentials });
    await until(() => sockets.length > 0, 'the run opens its sockets');
    command.child.kill('SIGINT');
    const { end, drops } = await interrupted(command, folder);
    expect(end).toMatchObject({ arrivals: 4, drops: 4, exchanges: 0 });
    expect(drops.map(({ reason }) => reason)).toEqual(drops.map(() => 'stopped'));
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
