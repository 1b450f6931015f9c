import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../collect/index.ts';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

/** More than any machine can send on one core: 200,000 arrivals a second. */
const tooMuch = `
name: too-much
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}] } }
load: { model: constant-rate, rate: 200000/s, duration: 300ms }
deadline: 800ms
`;

describe('a rate that the machine cannot sustain', { timeout: PATIENCE_MS }, () => {
  it('makes the run invalid, and says by how much', async () => {
    const folder = join(temporaryFolder(), 'out');
    const { code, err } = await typed(['run', scenarioFile(tooMuch), '--quiet', '--out', folder]);
    expect(code).toBe(11);
    const summary = resultsIn(folder).summary();
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
});
