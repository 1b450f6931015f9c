import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../collect/index.ts';
import { PATIENCE_MS, spillway, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

/** More than any machine can send on one core: 200,000 arrivals a second. */
const tooMuch = (more = '') => `
name: too-much
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}] } }
load: { model: constant-rate, rate: 200000/s, duration: 300ms${more} }
deadline: 1500ms
`;

async function run(text: string) {
  const folder = join(temporaryFolder(), 'out');
  const finished = await spillway(['run', scenarioFile(text), '--quiet', '--out', folder]);
  return { ...finished, folder, summary: resultsIn(folder).summary() };
}

describe.concurrent('a rate that the machine cannot sustain', { timeout: PATIENCE_MS }, () => {
  it('makes the run invalid, and says by how much', async () => {
    const { code, err, folder, summary } = await run(tooMuch());
    expect(code).toBe(11);
    // On a very busy machine, nothing is answered before the end, and both are reported.
    expect(err).toMatch(/the run is invalid: .*the generator was the bottleneck: /);
    expect(summary.health.bottlenecks?.length).toBeGreaterThan(0);
    // The journal contains every arrival: those that were sent, and those left over at the deadline.
    const { exchanges, drops } = resultsIn(folder);
    const sent = new Set(exchanges.map(({ arrival }) => arrival)).size;
    const dropped = drops.reduce((sum, { count = 1 }) => sum + count, 0);
    expect([summary.run.arrivals, sent + dropped]).toEqual([60_000, 60_000]);
    // A later report says the same.
    const report = await typed(['report', folder, '--json']);
    expect((JSON.parse(report.out) as Summary).health.bottlenecks).toEqual(summary.health.bottlenecks);
    expect(report.err + report.out).toContain('the generator was the bottleneck');
  });

  it('drops arrivals with noCatchUp, which makes the run invalid too', async () => {
    const { code, err, summary } = await run(tooMuch(', noCatchUp: true'));
    expect(code).toBe(11);
    expect(err).toContain('arrivals that it was late for (allowed: 1 %)');
    expect(summary.drops.byReason.late ?? 0).toBeGreaterThan(10_000);
  });
});
