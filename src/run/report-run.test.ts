import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../testing/cli.ts';
import { grouped, resultsIn } from '../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../testing/scenarios.ts';
import { typed } from '../testing/typed.ts';

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
});
