import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type SandboxSettings, settle } from '../../config.ts';
import { CoreClient } from '../../core-client.exam.ts';
import { LibsqlStore } from '../../stores/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-defects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs several processes with one store, one after another. Each is killed once its changes are committed. */
function inTurn<Seen>(file: string, settings: SandboxSettings, ...acts: ((client: CoreClient) => Seen)[]): Seen[] {
  const { retention, seed } = settle(settings);
  return acts.map((act, index) => {
    const store = new LibsqlStore(join(folder, file), retention, seed);
    const client = new CoreClient(settings, index, store);
    client.converse();
    const seen = act(client);
    store.commit();
    store.close();
    return seen;
  });
}

/** One of two slots is held when the first process ends; then what the next one admits, at once and once that turn is over. */
function afterRestart(file: string, defects: string[]): unknown {
  const outcomes = (client: CoreClient, ids: readonly string[]) =>
    ids.map((id) => client.send(id)).map(({ status, code }) => code ?? status);
  const [, after] = inTurn(
    file,
    { defects, limits: { rate: 1_000 } },
    (client) => outcomes(client, ['m1']),
    (client) => [...outcomes(client, ['m2', 'm3']), ...outcomes(client.at(20_000), ['m4', 'm5'])],
  );
  return after;
}

describe('C7: a slot that was held when the process was killed', () => {
  it('comes free with its turn in an honest sandbox', () => {
    expect(afterRestart('honest.db', [])).toEqual([202, 'concurrency_limited', 202, 202]);
  });

  it('is lost for ever in a defective one', () => {
    expect(afterRestart('broken.db', ['C7'])).toEqual([202, 'concurrency_limited', 202, 'concurrency_limited']);
  });
});
