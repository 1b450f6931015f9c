import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import yargs from 'yargs';
import { ConfigurationError, ExitCode, formatProblem } from '../../base/index.ts';
import { settle } from '../../sandbox/index.ts';
import { layNothingOut } from '../arguments/lay-nothing-out.ts';
import { sandboxCommand, settingsOf } from '../commands/sandbox.ts';
import { describeLimits } from './sandbox-limits.ts';

/** A settings file of that text. */
function fileOf(text: string, name = 's.yaml'): string {
  const file = join(mkdtempSync(join(tmpdir(), 'spillway-sandbox-')), name);
  writeFileSync(file, text);
  return file;
}

/** The settings of a command line, without starting the sandbox. */
async function settledBy(line: string, file?: string) {
  const args = [...line.split(' ').filter((word) => word !== ''), ...(file === undefined ? [] : ['--config', file])];
  const parser = yargs(['sandbox', ...args])
    .command({ ...sandboxCommand, command: 'sandbox', handler: () => undefined })
    .exitProcess(false)
    .fail(false);
  const given = await layNothingOut(parser).parseAsync();
  return settle(settingsOf(given as unknown as Parameters<typeof settingsOf>[0]));
}

async function problemsOf(line: string, file: string): Promise<readonly string[]> {
  const error = await settledBy(line, file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigurationError)) throw error ?? new Error('nothing was wrong');
  expect(error.exitCode).toBe(ExitCode.invalidConfiguration);
  return error.problems.map(formatProblem).map((text) => text.replace(file, 's.yaml'));
}

describe('the settings of spillway sandbox', () => {
  it("are the sandbox's own, on port 8080, when nothing is said", async () => {
    expect(await settledBy('')).toEqual({ ...settle({}), port: 8_080 });
  });

  it.each([
    ['', '20 requests per minute by application, fixed-window', 'semaphore'],
    [
      '--rate-algorithm token-bucket --rate-burst 5',
      '20 requests per minute by application, token-bucket of 5',
      'semaphore',
    ],
    ['--rate-algorithm gcra --rate-burst 20', '20 requests per minute by application, gcra', 'semaphore'],
    [
      '--rate-algorithm fixed-window-block --rate-block 90s',
      '20 requests per minute by application, fixed-window-block of 90.0 s',
      'semaphore',
    ],
    [
      '--rate-operations readTurn,openStream',
      '20 requests per minute by application, fixed-window, counting readTurn, openStream',
      'semaphore',
    ],
    ['--concurrency-ttl 45s', '20 requests per minute by application, fixed-window', 'lease of 45.0 s'],
  ])('are told with what a limit has beside its maximum: %s', async (line, rate, algorithm) => {
    expect(describeLimits((await settledBy(line)).limits)).toEqual([
      rate,
      '50 new messages per day by application, utc',
      `2 turns at once by application, ${algorithm}, accepted-to-finished`,
    ]);
  });

  it('are told in the singular of a limit of one', async () => {
    expect(describeLimits((await settledBy('--rate 1 --daily 1 --concurrency 1')).limits)).toEqual([
      '1 request per minute by application, fixed-window',
      '1 new message per day by application, utc',
      '1 turn at once by application, semaphore, accepted-to-finished',
    ]);
  });

  it('are those of every switch of the limits', async () => {
    const line =
      '--rate 9 --rate-window 2min --rate-algorithm token-bucket --rate-burst 4 --rate-scope user --rate-operations sendMessage,readTurn --no-rate-counts-invalid --no-rate-counts-replays --no-rate-counts-refused-later --concurrency 3 --concurrency-ttl 45s --concurrency-scope token --concurrency-slot processing-only --concurrency-retry-after absent --daily 7 --daily-day token-timezone --daily-scope user --limit-order daily,concurrency,rate';
    expect((await settledBy(line)).limits).toEqual({
      order: ['daily', 'concurrency', 'rate'],
      rate: [
        {
          name: 'window',
          max: 9,
          window: 120_000,
          algorithm: 'token-bucket',
          burst: 4,
          scope: 'user',
          operations: ['sendMessage', 'readTurn'],
          countsInvalid: false,
          countsReplays: false,
          countsRefusedLater: false,
        },
      ],
      concurrency: [
        {
          name: 'slots',
          max: 3,
          algorithm: 'lease',
          ttl: 45_000,
          slot: 'processing-only',
          scope: 'token',
          retryAfter: 'absent',
        },
      ],
      daily: [expect.objectContaining({ max: 7, day: 'token-timezone', scope: 'user' })],
    });
    expect((await settledBy('--rate-algorithm fixed-window --rate-phase 17s')).limits.rate[0]).toMatchObject({
      phase: 17_000,
    });
    expect((await settledBy('--rate-algorithm fixed-window-block --rate-block 5s')).limits.rate[0]).toMatchObject({
      block: 5_000,
    });
    expect((await settledBy('--rate-algorithm sliding-counter --rate-variant at-most')).limits.rate[0]).toMatchObject({
      variant: 'at-most',
    });
  });

  it('come from a file, over which switches win', async () => {
    const file = fileOf(`port: 0
seed: 9
limits:
  rate: 5
  concurrency: [{ max: 4, scope: user }]
  daily: [{ max: 1, scope: token }, { max: 100 }]
latency: { queued: { distribution: constant, value: 1s } }
applications: [{ label: x }, { label: y }]
`);
    const settled = await settledBy('--seed 3 --rate-algorithm sliding-log --concurrency 6 --client-id me', file);
    expect([settled.port, settled.seed]).toEqual([0, 3]);
    expect(settled.limits.rate).toMatchObject([{ max: 5, algorithm: 'sliding-log' }]);
    expect(settled.limits.concurrency).toMatchObject([{ max: 6, scope: 'user' }]);
    expect(settled.limits.daily).toMatchObject([
      { max: 1, scope: 'token' },
      { max: 100, scope: 'application' },
    ]);
    expect(settled.latency.queued).toEqual({ distribution: 'constant', value: 1_000 });
    expect(settled.applications).toEqual([{ label: 'x', clientId: 'me' }, { label: 'y' }]);
  });

  it('make a limit of a maximum where the file has none', async () => {
    const none = fileOf('limits: { rate: [], daily: [] }\n');
    const { limits } = await settledBy('--rate 5 --rate-scope user', none);
    expect(limits.rate).toMatchObject([{ max: 5, scope: 'user' }]);
    expect(limits.daily).toEqual([]);
    expect(await problemsOf('--rate-scope user', none)).toEqual([
      '--rate-scope: changes a limit that the file leaves out by an empty list; give its maximum, too',
    ]);
  });

  it('may be the output of GET /_sandbox/config', async () => {
    const settled = settle({
      clockRate: 60,
      limits: { rate: { algorithm: 'sliding-counter' } },
      tokenLifetime: '2min',
    });
    expect(await settledBy('', fileOf(JSON.stringify(settled), 's.json'))).toEqual(settled);
  });

  it('are refused with every mistake at once: by line in the file, by name on the command line', async () => {
    const file = fileOf(`port: 70000
limits:
  rate: { max: 5, algorithm: sliding-log, burts: 3 }
  daily: [{ max: 1 }, { max: 2 }]
  concurrency: { ttl: soon }
clockrate: 2
tokenLifetime: 0
`);
    const line = '--seed x --rate-phase 5s --rate-scope everybody --daily 3 --queued soon --failure-share 2';
    expect([...(await problemsOf(line, file))].sort()).toEqual([
      '--daily: cannot change one of the 2 limits that the file stacks; change it there',
      '--failure-share: must be at most 1',
      '--queued: "soon" is not a distribution; write constant:1s, uniform:1s:2s, lognormal:2s:5s (median and 95th percentile) or exponential:2s (mean)',
      '--rate-phase: does not apply to sliding-log; it belongs to fixed-window, sliding-counter, token-bucket-per-tick, token-bucket-per-window',
      '--rate-scope: must be one of application, user, token, conversation, address, not "everybody"',
      '--seed: must be a number',
      's.yaml:1:7 port: must be at most 65535',
      's.yaml:3:43 limits.rate.burts: unknown key "burts"; did you mean burst?',
      's.yaml:5:23 limits.concurrency.ttl: "soon" is not a duration; write for example 250ms, 1.5s, 2min or 1h',
      's.yaml:5:23 limits.concurrency.ttl: does not apply to semaphore; it belongs to lease',
      's.yaml:6:1 clockrate: unknown key "clockrate"; did you mean clockRate?',
      's.yaml:7:16 tokenLifetime: must be at least 1ms',
    ]);
  });

  it('are refused with the line of a syntax error, and with the name of a missing file', async () => {
    expect(await problemsOf('', fileOf('limits: [\n}'))).toEqual([
      expect.stringMatching(/^s\.yaml:2:\d+: not valid YAML: /),
    ]);
    expect(await problemsOf('', '/nowhere/s.yaml')).toEqual(['s.yaml: cannot be read: no such file; check the path']);
    expect(await problemsOf('--queued constant:1s', fileOf('latency: 5\n'))).toEqual([
      's.yaml:1:10 latency: must be an object, not 5',
    ]);
    expect(await problemsOf('', fileOf('- a\n'))).toEqual(['s.yaml:1:1: must be an object with settings']);
    expect(await problemsOf('--rate=-3', '/nowhere/s.yaml')).toEqual([
      's.yaml: cannot be read: no such file; check the path',
      '--rate: must be at least 1',
    ]);
  });
});
