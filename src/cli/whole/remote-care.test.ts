import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, serveSandbox, shipped, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';
import { dear, run, twoMessages } from './partner-run.exam.ts';

/** The text that is shown before two messages are sent to a real service. */
const price = (url: string, daily: number) => `This will be sent to ${url}:
journeys     2
lasts        about 300 ms
requests     4 (polls: 0), and 2 for tokens
messages     2, and 2 of them accepted as new
rate         busiest minute 4 of 20; within the limit
concurrency  open turns 2 of 2; within the limit
daily        new messages 2 of ${daily} on the busiest day; within the limit
`;

describe.concurrent('a run against a service that is not the embedded sandbox', { timeout: PATIENCE_MS }, () => {
  it('shows its estimated cost first, and then runs', async () => {
    const { code, err, folder, asked, url } = await run(twoMessages('exclusive: true'));
    expect(code, err).toBe(0);
    expect(err.startsWith(price(url, 50))).toBe(true);
    expect(asked).toBe(6);
    expect(resultsIn(folder).exchanges).toHaveLength(6);
    expect(resultsIn(folder).header).toMatchObject({ exclusive: true, flushed: { rate: false, daily: false } });
  });

  it('is warned of if the times of the scenario are meant for a faster clock and a minute', async () => {
    const noted = async (name: string) =>
      (await typed(['plan', shipped(`${name}.yaml`), '--target', 'http://127.0.0.1:9'], undefined, someCredentials))
        .err;
    expect(await noted('rate-limit-20-per-minute')).toMatch(
      /^spillway: the times of this scenario are for a service whose clock runs 10 times as fast as real time .*, a window of 6000ms\n$/,
    );
    // Of another window than a minute.
    expect(await noted('smallest-limits')).toBe('');
    // Of a clock of the usual speed.
    expect(await noted('smoke')).toBe('');
  });

  it('refuses a plan that exceeds the budget, lists every excess, and sends nothing', async () => {
    const { code, err, folder, connections, url } = await run(twoMessages('budget: { requests: 5, messages: 1 }'));
    expect(code).toBe(104);
    expect(err).toBe(`${price(url, 50)}spillway: 2 problems:
budget.requests: the plan may send 6 requests, the budget is 5; send less, or raise the budget in the profile
budget.messages: the plan may send 2 messages, the budget is 1; send less, or raise the budget in the profile
`);
    expect(connections).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it('is not stopped by a budget that is exactly large enough', async () => {
    const { code, err } = await run(twoMessages('budget: { requests: 6, messages: 2 }'));
    expect(code, err).toBe(0);
  });

  it('needs --yes without a terminal if it spends more than half of a daily quota', async () => {
    const { code, err, folder, connections, url } = await run(dear());
    expect(code).toBe(104);
    expect(err).toBe(`${price(url, 3)}spillway: one problem:
--yes: this uses up to 2 of the day's 3 new messages; add --yes to run it anyway
`);
    expect(connections).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it('runs with --yes', async () => {
    const { code, err, folder } = await run(dear(), '--yes');
    expect(code, err).toBe(0);
    expect(resultsIn(folder).summary().messages.newMessages).toBe(2);
  });

  it('does not ask if it spends exactly half of a daily quota', async () => {
    const { code, err } = await run(twoMessages('limits: { daily: { max: 4 } }'));
    expect(code, err).toBe(0);
  });

  it('is any address, a sandbox of one’s own included, whose clock is told from its Date headers', async () => {
    const sandbox = await serveSandbox();
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', twoMessages('exclusive: false'), '--target', sandbox.url, '--out', folder, '--quiet'];
    const { code, err } = await typed(all, undefined, sandbox.env);
    expect(code, err).toBe(0);
    expect(err.startsWith(price(sandbox.url, 50))).toBe(true);
    expect((await sandbox.truth()).requests.sendMessage).toEqual({ 202: 2 });
    expect((await sandbox.stop()).code).toBe(0);
    const { records, header } = resultsIn(folder);
    expect(header).toMatchObject({ exclusive: false, flushed: { rate: false, concurrency: false, daily: false } });
    const [clock] = records.filter((record) => record.kind === 'clock');
    expect(Math.abs((clock?.serviceUs ?? 0) - Date.now() * 1_000)).toBeLessThan(60_000_000);
    expect(clock?.plusMinusUs).toBeGreaterThanOrEqual(1_000_000);
    expect(clock?.rate).toBe(1);
  });
});

describe.concurrent('a run against an address without a profile', { timeout: PATIENCE_MS }, () => {
  it('does not report refusals that requests before the run may have caused', async () => {
    const sandbox = await serveSandbox('--rate-algorithm', 'sliding-log');
    const twenty = scenarioFile(`name: twenty
journeys: { ask: { steps: [createConversation: {}] } }
load: { model: burst, count: 20 }
`);
    const out = temporaryFolder();
    const again = (name: string, ...more: readonly string[]) => {
      const all = ['run', twenty, '--target', sandbox.url, '--out', join(out, name), '--quiet', ...more];
      return typed(all, undefined, sandbox.env);
    };
    expect((await again('first')).code).toBe(0);
    const { code, out: told } = await again('second', '--once');
    await sandbox.stop();
    expect(resultsIn(join(out, 'second')).summary().refusals.total).toBe(1);
    expect(code, told).toBe(0);
    expect(resultsIn(join(out, 'second')).header).toMatchObject({
      profile: { name: new URL(sandbox.url).host, idempotency: { otherContent: 'unknown' } },
      exclusive: false,
      flushed: { rate: false, concurrency: false, daily: false },
      clock: { granularityUs: 1_000_000 },
    });
  });
});
