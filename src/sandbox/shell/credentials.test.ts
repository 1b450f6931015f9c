import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxSettings } from '../config.ts';
import { basic } from '../core-client.exam.ts';
import { startCold } from './start.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-credentials-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Pair = readonly [clientId: string, clientSecret: string];

/** Starts a sandbox on the store, tries the credentials, and stops it. */
async function start(application: NonNullable<SandboxSettings['applications']>[number], tried: readonly Pair[] = []) {
  const sandbox = await startCold({ store: join(folder, 'store'), applications: [application] });
  const issue = ([id, secret]: Pair) =>
    fetch(`${sandbox.url}/api/partners/v1/tokens`, {
      method: 'POST',
      headers: { authorization: basic(id, secret), 'content-type': 'application/json' },
      body: '{"external_user_id":"u"}',
    });
  const { applications, restored } = sandbox;
  const statuses = [];
  for (const pair of tried) statuses.push((await issue(pair)).status);
  await sandbox.close();
  const [shown] = applications;
  return { shown: shown && ([shown.clientId, shown.clientSecret] as Pair), restored, statuses };
}

describe('credentials with a store', () => {
  it('that were made at random are shown once, stay good, and are in no file', async () => {
    const first = await start({ label: 'a1' });
    if (!first.shown) throw new Error('nothing was shown');
    const [id, secret] = first.shown;
    const second = await start({ label: 'a1' }, [first.shown, [id, `${secret}x`], [`${id}x`, secret]]);
    expect(second).toEqual({ shown: undefined, restored: ['a1'], statuses: [201, 401, 401] });
    const bytes = readFileSync(join(folder, 'store'), 'latin1');
    expect([bytes.includes(id), bytes.includes(secret)]).toEqual([false, false]);
  });

  it('that somebody chose have to be given at each start', async () => {
    const mine = { label: 'a1', clientId: 'me', clientSecret: 'my-own-secret' };
    expect((await start(mine, [['me', 'my-own-secret']])).statuses).toEqual([201]);
    const second = await start({ label: 'a1' }, [['me', 'my-own-secret']]);
    expect([second.statuses, second.restored]).toEqual([[401], []]);
  });

  it('are new for another client id, or another application', async () => {
    const { shown } = await start({ label: 'a1', clientId: 'me' });
    if (!shown) throw new Error('nothing was shown');
    expect((await start({ label: 'a1', clientId: 'me' }, [shown])).statuses).toEqual([201]);
    const other = await start({ label: 'a1', clientId: 'you' }, [shown]);
    expect([other.shown?.[0], other.statuses]).toEqual(['you', [401]]);
    expect((await start({ label: 'a2' }, [shown])).statuses).toEqual([401]);
  });

  it('of a start that failed are not kept, because nobody has seen them', async () => {
    const other = await startCold({});
    await expect(startCold({ store: join(folder, 'store'), port: other.port })).rejects.toThrow('is in use');
    await other.close();
    const { shown, restored } = await start({ label: 'a1' });
    expect([shown?.length, restored]).toEqual([2, []]);
  });
});
