import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { grouped, resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

/** SHA-256 of each file, by name, except run.json, which is not made from the journal. */
function digests(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => name !== 'run.json');
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(names.sort().map((name) => [name, digest(name)]));
}

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

  it('replaces no results of another run, nor those of rounds', async () => {
    const cwd = temporaryFolder();
    const scenario = scenarioFile(
      `name: short\n${WHATEVER_THE_MACHINE}\njourneys: { t: { steps: [createConversation: {}] } }\nload: { model: burst, count: 1 }`,
    );
    for (const out of ['one', 'other'])
      expect((await typed(['run', scenario, '--once', '--quiet', '--out', out], cwd)).code).toBe(0);
    const before = digests(join(cwd, 'other'));
    copyFileSync(join(cwd, 'one/history.ndjson'), join(cwd, 'other/copied.ndjson'));
    for (const args of [['one', '--out', 'other'], ['other/copied.ndjson']])
      expect(await typed(['report', ...args], cwd)).toEqual({
        code: 104,
        out: '',
        err: 'spillway: one problem:\nother: holds another run, whose results would be replaced; name another folder with --out\n',
      });
    expect(digests(join(cwd, 'other'))).toEqual({ ...before, 'copied.ndjson': expect.any(String) });
    mkdirSync(join(cwd, 'rounds'));
    writeFileSync(join(cwd, 'rounds/rounds.json'), '{}');
    const { code, err } = await typed(['report', 'one', '--out', 'rounds'], cwd);
    expect({ code, err }).toEqual({
      code: 104,
      err: 'spillway: one problem:\nrounds: holds rounds, whose results would be replaced; name another folder with --out\n',
    });
    expect(readdirSync(join(cwd, 'rounds'))).toEqual(['rounds.json']);
    // The same run is no other one, wherever its journal is.
    mkdirSync(join(cwd, 'copy'));
    copyFileSync(join(cwd, 'one/history.ndjson'), join(cwd, 'copy/history.ndjson'));
    expect((await typed(['report', 'one', '--out', 'copy'], cwd)).code).toBe(0);
  });
});
