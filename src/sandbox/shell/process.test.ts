import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fetch } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { sandboxProcess } from '../../testing/cli.ts';
import { basic } from '../core-client.exam.ts';
import { BEGIN, type SandboxProcessBegun, type SandboxProcessReply } from './process-messages.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(settings: object): ChildProcess {
  const child = fork(sandboxProcess, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  children.push(child);
  child.send(settings);
  return child;
}
const reply = async (child: ChildProcess) => (await once(child, 'message'))[0] as SandboxProcessReply;
const isServing = (url: string) =>
  fetch(url).then(
    ({ status }) => status === 404,
    () => false,
  );

describe('the sandbox in a process of its own', () => {
  it('serves with its settings on a clock that the parent can read, and outlives Ctrl-C', async () => {
    const child = start({ clockRate: 60, tokenLifetime: 10_000, applications: [{ label: 'x' }, { label: 'y' }] });
    const ready = await reply(child);
    if (ready.kind !== 'ready') throw new Error(ready.message);
    expect(ready.applications.map(({ label }) => label)).toEqual(['x', 'y']);
    const nowUs = Number(process.hrtime.bigint() / 1_000n);
    expect(nowUs).toBeGreaterThanOrEqual(ready.clock.monotonicUs);
    expect(nowUs - ready.clock.monotonicUs).toBeLessThan(20_000_000);
    child.kill('SIGINT');
    const { clientId = '', clientSecret = '' } = ready.applications[1] ?? {};
    const answer = await fetch(`${ready.url}/api/partners/v1/tokens`, {
      method: 'POST',
      headers: { authorization: basic(clientId, clientSecret), 'content-type': 'application/json' },
      body: '{"external_user_id":"u"}',
    });
    expect([answer.status, ((await answer.json()) as { expires_in: number }).expires_in]).toEqual([201, 10]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await isServing(ready.url)).toBe(false);
  });

  it('holds its clock until the parent has prepared everything, and serves meanwhile', async () => {
    const startTime = '2026-01-15T02:00:00Z';
    const child = start({ held: true, startTime, clockRate: 3_600 });
    const ready = await reply(child);
    if (ready.kind !== 'ready') throw new Error(ready.message);
    const date = async () => (await fetch(ready.url)).headers.get('date');
    // More than a minute of a clock that runs.
    await new Promise((done) => setTimeout(done, 30));
    expect(await date()).toBe('Thu, 15 Jan 2026 02:00:00 GMT');
    const askedUs = Number(process.hrtime.bigint() / 1_000n);
    child.send(BEGIN);
    const [begun] = (await once(child, 'message')) as [SandboxProcessBegun];
    expect(begun).toMatchObject({ kind: 'begun', clock: { serviceUs: Date.parse(startTime) * 1_000, rate: 3_600 } });
    expect(begun.clock.monotonicUs).toBeGreaterThanOrEqual(askedUs);
    expect(begun.clock.monotonicUs).toBeLessThanOrEqual(Number(process.hrtime.bigint() / 1_000n));
    await new Promise((done) => setTimeout(done, 30));
    expect(await date()).not.toBe('Thu, 15 Jan 2026 02:00:00 GMT');
  });

  it('ends when its parent is gone', async () => {
    const child = start({});
    const ready = await reply(child);
    if (ready.kind !== 'ready') throw new Error(ready.message);
    expect(await isServing(ready.url)).toBe(true);
    const exited = once(child, 'exit');
    child.disconnect();
    expect(await exited).toEqual([0, null]);
    expect(await isServing(ready.url)).toBe(false);
  });

  it('says what is wrong with its settings, all at once', async () => {
    const child = start({ port: -1, seed: 'x' });
    const failed = await reply(child);
    expect(failed).toMatchObject({ kind: 'failed', code: 'INVALID_CONFIGURATION' });
    expect(failed.kind === 'failed' && failed.message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'port',
      'seed',
    ]);
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});
