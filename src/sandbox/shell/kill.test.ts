import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { sandboxProcess } from '../../testing/cli.ts';
import type { SandboxSettings } from '../config.ts';
import { basic } from '../core-client.exam.ts';
import type { TruthReport } from '../truth.ts';
import { lasting, root } from './http-client.exam.ts';
import type { SandboxProcessReply } from './process-messages.ts';

const USERS = 20;
const SLOTS = 230;
/** Timeout. Three processes are started, which compile the sources: seconds each, longer on a busy machine. */
const PATIENCE_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'spillway-kill-'));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const settings: SandboxSettings = {
  store: join(folder, 'store'),
  clock: 'manual',
  startTime: '2026-11-21T12:00:00Z',
  control: true,
  limits: { rate: { max: 100_000 }, concurrency: { max: SLOTS }, daily: { max: 5_000 } },
  latency: { queued: lasting('1s'), processing: lasting('1h') },
  tokenLifetime: '1d',
  applications: [{ label: 'a1', clientId: 'one', clientSecret: 'secret-one' }],
};

/** A sandbox process, with helpers to send requests. */
async function serve() {
  const child = fork(sandboxProcess, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  child.send(settings);
  const [ready] = (await once(child, 'message')) as [SandboxProcessReply];
  if (ready.kind !== 'ready') throw new Error(ready.message);
  const send = async (path: string, authorization: string, json?: object) => {
    const answer = await fetch(`${ready.url}${path}`, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the test asserts the members themselves
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { send, kill, truth: async () => (await send('/_sandbox/truth', '')).body as TruthReport };
}
type Serving = Awaited<ReturnType<typeof serve>>;

interface User {
  readonly bearer: string;
  readonly conversation: string;
  /** Turns of acknowledged messages, by client_message_id. */
  readonly turns: Map<string, string>;
}

async function arrive({ send }: Serving, index: number): Promise<User> {
  const { body } = await send(`${root}/tokens`, basic('one', 'secret-one'), { external_user_id: `u${index}` });
  const bearer = `Bearer ${body.access_token}`;
  const created = await send(`${root}/conversations`, bearer, {});
  return { bearer, conversation: created.body.conversation_id, turns: new Map() };
}

const message = ({ send }: Serving, { bearer, conversation }: User, id: string) =>
  send(`${root}/conversations/${conversation}/messages`, bearer, { client_message_id: id, message: `text of ${id}` });

/** All users send messages, one after another each, until the service is killed or all slots are taken. */
async function sendUntilKilled(serving: Serving, users: readonly User[], killAt: number): Promise<void> {
  const acknowledged = () => users.reduce((sum, { turns }) => sum + turns.size, 0);
  let killed: Promise<void> | undefined;
  const work = users.map(async (user) => {
    for (;;) {
      const id = `m${user.turns.size}`;
      const answer = await message(serving, user, id).catch(() => undefined);
      if (answer?.status !== 202) return;
      user.turns.set(id, answer.body.turn_id);
      // Requests of the other users are still open.
      if (acknowledged() >= killAt) killed ??= serving.kill();
    }
  });
  await Promise.all(work);
  await killed;
}

const remaining = (truth: TruthReport, limit: string) => {
  const decision = truth.standings.a1?.find((standing) => standing.limit === limit)?.decision;
  return decision?.admitted ? decision.remaining + 1 : 0;
};

it(
  'after kill -9 in the middle of 200 open turns nothing acknowledged is lost, counted twice or stuck',
  async () => {
    let serving = await serve();
    const users = await Promise.all(Array.from({ length: USERS }, (_, index) => arrive(serving, index)));
    for (const killAt of [100, 200]) {
      await sendUntilKilled(serving, users, killAt);
      const acknowledged = users.flatMap((user) => [...user.turns].map(([id, turn]) => ({ user, id, turn })));
      expect(acknowledged.length).toBeGreaterThanOrEqual(killAt);

      serving = await serve();
      const truth = await serving.truth();
      const stored = new Map(truth.turns.map((turn) => [turn.turnId, turn]));
      expect(acknowledged.filter(({ turn, id }) => stored.get(turn)?.clientMessageId !== id)).toEqual([]);
      // Open requests may have been accepted without an answer: at most one per user.
      expect(stored.size - acknowledged.length).toBeLessThanOrEqual(USERS);
      expect(truth.turns.map(({ status }) => status)).toEqual(truth.turns.map(() => 'queued'));
      expect([remaining(truth, 'daily'), remaining(truth, 'concurrency')]).toEqual([
        5_000 - stored.size,
        SLOTS - stored.size,
      ]);
    }

    // A turn that started before the first kill finishes after the last one, at its original instant.
    const [user] = users;
    const first = user?.turns.get('m0') ?? '';
    const move = (advance: string) => serving.send('/_sandbox/clock', '', { advance });
    const status = async () => (await serving.send(`${root}/turns/${first}`, user?.bearer ?? '')).body.status;
    await move('1s');
    expect(await status()).toBe('processing');
    await move('59m59s999ms');
    expect(await status()).toBe('processing');
    await move('1ms');
    expect(await status()).toBe('completed');

    // All slots are free again, and a message that is sent again returns the same turn and takes no slot.
    const before = await serving.truth();
    expect(remaining(before, 'concurrency')).toBe(SLOTS);
    for (const each of users) expect((await message(serving, each, 'm0')).body.turn_id).toBe(each.turns.get('m0'));
    const more = await Promise.all(
      Array.from({ length: SLOTS + 20 }, (_, i) => message(serving, users[i % USERS] as User, `more${i}`)),
    );
    expect(more.filter((answer) => answer.status === 202)).toHaveLength(SLOTS);
    expect(new Set(more.filter(({ status }) => status !== 202).map(({ body }) => body.error.code))).toEqual(
      new Set(['concurrency_limited']),
    );
    const after = await serving.truth();
    expect(remaining(after, 'daily')).toBe(remaining(before, 'daily') - SLOTS);
    expect(after.turns).toHaveLength(before.turns.length + SLOTS);
  },
  PATIENCE_MS,
);
