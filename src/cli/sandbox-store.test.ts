import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { startSpillway, until } from '../testing/cli.ts';
import { typed } from '../testing/typed.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-cli-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command in a process of its own, once it serves. @returns what it has printed */
async function serve(...args: string[]) {
  const { child, text } = startSpillway(['sandbox', ...args]);
  await until(() => text.err.includes('Ctrl-C stops it.'), 'it serves');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(text.err) ?? [];
  return { child, text: text.err, url };
}

describe('spillway sandbox --store', () => {
  it('goes on after kill -9 with the same command, credentials and clock', async () => {
    const command = ['--port', '0', '--store', join(folder, 'store'), '--clock', 'manual', '--control'];
    const first = await serve(...command, '--start-time', '2026-11-21T12:00:00Z');
    const [, id = '', secret = ''] = /CLIENT_ID='([^']+)'[\s\S]*CLIENT_SECRET='([^']+)'/.exec(first.text) ?? [];
    expect(first.text).toContain(`  store     ${join(folder, 'store')}`);
    expect(first.text).toContain('  clock     stands at 2026-11-21T12:00:00.000Z until it is moved');
    const moved = await fetch(`${first.url}/_sandbox/clock`, { method: 'POST', body: '{"advance":"36h"}' });
    expect(moved.status).toBe(200);
    const exited = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await exited;

    const second = await serve(...command, '--start-time', '2026-11-21T12:00:00Z');
    expect(second.text).toContain('  clock     stands at 2026-11-23T00:00:00.000Z until it is moved');
    expect(second.text).toContain('Credentials: as shown when the store was begun.');
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
    [['--store', join(import.meta.dirname, 'sandbox.ts')], 'is no store: it is not a database'],
    [['--clock', 'manual'], '--clock: manual needs the control plane: nobody could move it otherwise'],
    [['--clock', 'manual', '--control', '--clock-rate', '60'], '--clock-rate: means nothing to a manual clock'],
    [['--clock', 'still'], '--clock: '],
    [['--retention', 'soon'], '--retention: "soon" is not a duration'],
  ])('%j exits with 104', async (args, problem) => {
    const { code, err } = await typed(['sandbox', '--port', '0', ...args]);
    expect([code, err]).toEqual([104, expect.stringContaining(problem)]);
  });
});
