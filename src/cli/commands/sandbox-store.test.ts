import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS, spillway, startSpillway, until } from '../../testing/cli.ts';
import { smallDisk } from '../../testing/small-disk.ts';
import { typed } from '../../testing/typed.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-cli-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command in a process of its own, once it serves. @returns what it has printed */
async function serve(...args: string[]) {
  const { child, text, finished } = startSpillway(['sandbox', ...args]);
  await until(() => text.err.includes('Ctrl-C stops it.'), 'it serves');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(text.err) ?? [];
  return { child, text: text.err, url, finished };
}

describe('spillway sandbox --store', () => {
  it('goes on after kill -9 with the same command, credentials and clock', async () => {
    const command = ['--port', '0', '--store', join(folder, 'store'), '--clock', 'manual', '--control'];
    const first = await serve(...command, '--start-time', '2026-11-21T12:00:00Z');
    const [, id = '', secret = ''] = /CLIENT_ID='([^']+)'[\s\S]*CLIENT_SECRET='([^']+)'/.exec(first.text) ?? [];
    expect(first.text).toContain(`  store     ${join(folder, 'store')}`);
    expect(first.text).toContain(
      '  clock     stands still at 2026-11-21T12:00:00.000Z until POST /_sandbox/clock moves it',
    );
    const moved = await fetch(`${first.url}/_sandbox/clock`, { method: 'POST', body: '{"advance":"36h"}' });
    expect(moved.status).toBe(200);
    const exited = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await exited;

    const second = await serve(...command, '--start-time', '2026-11-21T12:00:00Z');
    expect(second.text).toContain(
      '  clock     stands still at 2026-11-23T00:00:00.000Z until POST /_sandbox/clock moves it',
    );
    expect(second.text).toContain('Credentials: those printed when the store was created.');
    const answer = await fetch(`${second.url}/api/partners/v1/tokens`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: '{"external_user_id":"u"}',
    });
    expect(answer.status).toBe(201);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  }, 60_000);

  it.each([
    [['--store', folder], `store: ${folder} is a folder; name a file in it`],
    [['--store', join(import.meta.dirname, 'sandbox.ts')], 'is not a store: it is not a database'],
    [['--clock', 'manual'], '--clock: manual needs the control plane: nothing else can move the clock'],
    [['--clock', 'manual', '--control', '--clock-rate', '60'], '--clock-rate: has no effect on a manual clock'],
    [['--clock', 'still'], '--clock: '],
    [['--retention', 'soon'], '--retention: "soon" is not a duration'],
  ])('%j exits with 104', async (args, problem) => {
    const { code, err } = await typed(['sandbox', '--port', '0', ...args]);
    expect([code, err]).toEqual([104, expect.stringContaining(problem)]);
  });
});

const credentials = ['--client-id', 'cid', '--client-secret', 'a-secret-of-this-test'];
const basic = `Basic ${Buffer.from('cid:a-secret-of-this-test').toString('base64')}`;

async function post(url: string, authorization: string, json: object) {
  const answer = await fetch(`${url}/api/partners/v1/${'title' in json ? 'conversations' : 'tokens'}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
}

/** Creates conversations until one cannot be stored. @returns how many were acknowledged */
async function fill(url: string): Promise<number> {
  const { body } = await post(url, basic, { external_user_id: 'u' });
  for (let count = 0; ; count++) {
    const { status } = await post(url, `Bearer ${body.access_token}`, { title: 'x'.repeat(100) });
    if (status !== 201) {
      expect(status).toBe(500);
      return count;
    }
  }
}

function leaveNoRoom(disk: string): void {
  try {
    for (;;) appendFileSync(join(disk, 'ballast'), Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
}

describe('spillway sandbox --store on a full disk', { timeout: PATIENCE_MS }, () => {
  const full = (store: string) =>
    `store: ${store} cannot be written: the disk is full; free some space, or name a file elsewhere`;

  it.for([
    ['SIGTERM', 12],
    ['SIGKILL', null],
  ] as const)(
    'ended by %s exits with %o; it begins again where there is room, and has all that it acknowledged',
    async ([signal, code], { skip }) => {
      const disk = smallDisk(200);
      if (disk === undefined) return skip('needs the right to mount a file system');
      const store = join(disk, 'store');
      const command = ['--port', '0', '--store', store, '--control', '--rate', '1000000', ...credentials];
      const first = await serve(...command);
      const acknowledged = await fill(first.url);
      expect(acknowledged).toBeGreaterThan(10);
      leaveNoRoom(disk);
      first.child.kill(signal);
      const ended = await first.finished;
      const told = ended.err.split('\n').filter((line) => line.startsWith('spillway: '));
      const notKept = `spillway: the last decisions were not stored: ${full(store)}`;
      expect([ended.code, told]).toEqual([code, code === 12 ? [notKept] : []]);

      if (signal === 'SIGKILL') {
        const again = await spillway(['sandbox', ...command]);
        expect([again.code, again.err]).toEqual([104, `spillway: one problem:\n--${full(store)}\n`]);
      }

      execFileSync('mount', ['-o', 'remount,size=2000k', disk]);
      const last = await serve(...command);
      const truth = await (await fetch(`${last.url}/_sandbox/truth`)).json();
      expect(truth).toMatchObject({ remembered: { tokens: 1, conversations: acknowledged } });
      last.child.kill('SIGTERM');
      expect((await last.finished).code).toBe(0);
    },
  );
});
