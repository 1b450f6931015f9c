import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, shipped, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

const elsewhere = ['--target', 'http://127.0.0.1:9'];

/** Two requests a second of the service's clock apart. @param at the speed of its clock @param gap on the clock of the run */
const apart = (at: number, gap: string, deadline: string) =>
  scenarioFile(`name: apart
sandbox: { clockRate: ${at} }
${WHATEVER_THE_MACHINE}
journeys: { a: { steps: [createConversation: {}, burst: { of: readHistory, count: 2, gap: ${gap} }] } }
load: { model: burst, count: 1 }
deadline: ${deadline}
`);

async function ran(...args: readonly string[]) {
  const out = join(temporaryFolder(), 'out');
  const { code, err } = await typed(['run', ...args, '--quiet', '--out', out], undefined, someCredentials);
  expect(code, err).toBe(0);
  const { header, exchanges, summary } = resultsIn(out);
  const [first, second] = exchanges
    .filter(({ operation }) => operation === 'readHistory')
    .map(({ intendedAt }) => intendedAt);
  return { err, plan: header?.plan, rate: summary().run.clockRate, apartUs: (second ?? 0) - (first ?? 0) };
}

describe.concurrent('--real-time', { timeout: PATIENCE_MS }, () => {
  it('of plan: the price is that of the longer run, whose deadline does not end it', async () => {
    const plan = (...more: readonly string[]) =>
      typed(['plan', shipped('rate-limit-20-per-minute.yaml'), ...elsewhere, ...more], undefined, someCredentials);
    const [real, written] = [await plan('--real-time'), await plan()];
    expect(written.err).toContain(
      ': add --real-time, which multiplies them by 10 (its deadline ends the run after 6 min 40 s at the latest), or let ',
    );
    expect(written.out).toContain('\ncut short    by its deadline after 40.0 s: 1 journey broken off\n');
    expect(real.err).toBe(
      'spillway: --real-time multiplies the times of this scenario by 10, its sandbox.clockRate (its deadline ends the run after 6 min 40 s at the latest)\n',
    );
    expect(real.out).toMatch(/\nlasts +about 2 min \d+ s\nrequests +96 /);
    expect(real.out).not.toContain('cut short');
  });

  it('of plan: the arrivals are those of the longer run, except that --duration is as typed', async () => {
    const file = scenarioFile(`name: evenly
sandbox: { clockRate: 20 }
journeys: { a: { steps: [createConversation: {}] } }
load: { model: constant-rate, rate: 10/s, duration: 500ms }
`);
    const last = async (...more: readonly string[]) => {
      const lines = (await typed(['plan', file, '--json', ...more])).out.trimEnd().split('\n');
      return [lines.length - 1, (JSON.parse(lines.at(-1) ?? '') as { intendedAt: number }).intendedAt];
    };
    expect(await last()).toEqual([5, 400_000]);
    expect(await last('--real-time')).toEqual([5, 8_000_000]);
    expect(await last('--real-time', '--duration', '5s')).toEqual([3, 4_000_000]);
  });

  it('of run: what is stored is the longer run, as if it were written so, and the sandbox’s clock runs in real time', async () => {
    const [fast, real, written] = [
      await ran(apart(10, '40ms', '20s')),
      await ran(apart(10, '40ms', '20s'), '--real-time'),
      await ran(apart(1, '400ms', '200s')),
    ];
    expect([fast.rate, real.rate, written.rate]).toEqual([10, undefined, undefined]);
    expect([fast.apartUs, real.apartUs, written.apartUs]).toEqual([40_000, 400_000, 400_000]);
    expect(real.plan).toBe(written.plan);
    expect(real.plan).not.toBe(fast.plan);
    expect([fast.err, written.err]).toEqual(['', '']);
    expect(real.err).toContain('spillway: --real-time multiplies the times of this scenario by 10, ');
  });

  it('of rounds: each of them is the longer run', async () => {
    const service = await serveBadly();
    const out = join(temporaryFolder(), 'rounds');
    const args = ['run', apart(10, '40ms', '20s'), '--real-time', '--repeat', '2', '--target', service.url];
    const { err } = await typed([...args, '--against', 'sandbox', '--quiet', '--out', out], undefined, someCredentials);
    await service.close();
    expect(err).not.toContain('add --real-time');
    const plans = ['round-001/base', 'round-002/candidate'].map((round) => resultsIn(join(out, round)).header);
    expect(plans.map((header) => header?.clock.rate ?? 1)).toEqual([1, 1]);
    expect(new Set(plans.map((header) => header?.plan)).size).toBe(1);
  });

  it('of a scenario that is in real time already changes nothing, and says so', async () => {
    const plan = (...more: readonly string[]) => typed(['plan', shipped('smoke.yaml'), ...more]);
    const [real, written] = [await plan('--real-time'), await plan()];
    expect([real.code, real.out]).toEqual([0, written.out]);
    expect(real.err).toBe(
      'spillway: --real-time changes nothing: the times of this scenario are for real time already (sandbox.clockRate is 1)\n',
    );
  });

  it('of a scenario that would last longer than ten years is refused', async () => {
    const { code, err } = await typed(['run', apart(3_600, '40ms', '2d'), '--real-time']);
    expect(code).toBe(104);
    expect(err).toContain(
      ' deadline: is longer than ten years if it is multiplied by 3600 (sandbox.clockRate); leave out --real-time\n',
    );
  });

  it('is suggested, too, if the service in real time is the one that rounds compare the sandbox with', async () => {
    const service = await serveBadly();
    const args = ['run', apart(10, '1ms', '20s'), '--repeat', '1', '--against', service.url, '--quiet'];
    const { err } = await typed([...args, '--out', join(temporaryFolder(), 'rounds')], undefined, someCredentials);
    await service.close();
    expect(err).toContain(': add --real-time, which multiplies them by 10 ');
  });
});
