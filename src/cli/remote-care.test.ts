import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, root, serveSandbox, shipped, spillway, temporaryFolder } from '../testing/cli.ts';
import { resultsIn } from '../testing/results.ts';
import { scenarioFile } from '../testing/scenarios.ts';
import { type BadService, serveBadly } from '../testing/service.ts';

/** Two messages, told to cost `profile` of a day. */
const twoMessages = (profile: string) =>
  scenarioFile(`name: two
profile: { name: partner, ${profile} }
users: 2
journeys: { ask: { steps: [createConversation: {}, sendMessage: { message: Hello }] } }
load: { model: burst, count: 2 }
`);
const dear = () => twoMessages('limits: { daily: { max: 3 } }');

/** A service of a test's own, so that what reached it is this test's doing. */
async function withService<T>(test: (service: BadService) => Promise<T>): Promise<T> {
  const service = await serveBadly();
  try {
    return await test(service);
  } finally {
    await service.close();
  }
}

const env = { SPILLWAY_CLIENT_ID: 'some-client', SPILLWAY_CLIENT_SECRET: 'some-secret' };

function run(...args: readonly string[]) {
  return withService(async (service) => {
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', ...args, '--target', service.url, '--out', folder, '--quiet'];
    const finished = await spillway(all, { env });
    return { ...finished, folder, url: service.url, asked: service.asked.length, connections: service.connections() };
  });
}

/** What is shown of two messages before they are sent to somebody else's service. */
const price = (url: string, daily: number) => `This will be sent to ${url}:
journeys     2
lasts        about 300 ms
requests     4 (polls: 0), and 2 for tokens
rate         busiest minute 4 of 20; within the limit
concurrency  open turns 2 of 2; within the limit
daily        new messages 2 of ${daily}; within the limit
`;

describe.concurrent('a run against a service that is not the embedded sandbox', { timeout: PATIENCE_MS }, () => {
  it('shows its price first, and then runs', async () => {
    const { code, err, folder, asked, url } = await run(twoMessages('exclusive: true'));
    expect(code, err).toBe(0);
    expect(err.startsWith(price(url, 50))).toBe(true);
    expect(asked).toBe(6);
    expect(resultsIn(folder).exchanges).toHaveLength(6);
    expect(resultsIn(folder).header).toMatchObject({ exclusive: true, flushed: { rate: false, daily: false } });
  });

  it('refuses what exceeds the budget, with every excess at once, and sends nothing', async () => {
    const { code, err, folder, connections, url } = await run(twoMessages('budget: { requests: 5, messages: 1 }'));
    expect(code).toBe(104);
    expect(err).toBe(`${price(url, 50)}spillway: 2 problems:
budget.requests: the plan may send 6 requests, the budget is 5; send less, or raise the budget in the profile
budget.messages: the plan may send 2 messages, the budget is 1; send less, or raise the budget in the profile
`);
    expect(connections).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it('is not stopped by a budget that just suffices', async () => {
    const { code, err } = await run(twoMessages('budget: { requests: 6, messages: 2 }'));
    expect(code, err).toBe(0);
  });

  it('that spends more than half of a day needs --yes where nobody can be asked', async () => {
    const { code, err, folder, connections, url } = await run(dear());
    expect(code).toBe(104);
    expect(err).toBe(`${price(url, 3)}spillway: one problem:
--yes: this spends up to 2 of the day's 3 new messages; add --yes if that is meant
`);
    expect(connections).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it('runs with --yes', async () => {
    const { code, err, folder } = await run(dear(), '--yes');
    expect(code, err).toBe(0);
    expect(resultsIn(folder).summary().messages.newMessages).toBe(2);
  });

  it('that spends just half of a day asks nobody', async () => {
    const { code, err } = await run(twoMessages('limits: { daily: { max: 4 } }'));
    expect(code, err).toBe(0);
  });

  it('is any address, a sandbox of one’s own included, whose clock is told from its Date headers', async () => {
    const sandbox = await serveSandbox();
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', twoMessages('exclusive: false'), '--target', sandbox.url, '--out', folder, '--quiet'];
    const { code, err } = await spillway(all, { env: sandbox.env });
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
  it('accuses no service of refusing what was sent to it before', async () => {
    const sandbox = await serveSandbox('--rate-algorithm', 'sliding-log');
    const twenty = scenarioFile(`name: twenty
journeys: { ask: { steps: [createConversation: {}] } }
load: { model: burst, count: 20 }
`);
    const out = temporaryFolder();
    const again = (name: string, ...more: readonly string[]) => {
      const all = ['run', twenty, '--target', sandbox.url, '--out', join(out, name), '--quiet', ...more];
      return spillway(all, { env: sandbox.env });
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

describe.concurrent('--once --debug', { timeout: PATIENCE_MS }, () => {
  it('runs one journey and shows each exchange on the wire, redacted', async () => {
    const sandbox = await serveSandbox('--queued', 'constant:50ms', '--processing', 'constant:600ms');
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', shipped('smoke.yaml'), '--once', '--debug', '--target', sandbox.url, '--out', folder];
    const { code, err, out } = await spillway(all, { env: sandbox.env });
    await sandbox.stop();
    expect(code, err).toBe(0);
    const { exchanges, journeys } = resultsIn(folder);
    expect(journeys).toHaveLength(1);
    const shown = [...err.matchAll(/^> (GET|POST) (\S+)$/gm)].map(([, method, path]) => `${method} ${path}`);
    expect(shown).toHaveLength(exchanges.length);
    expect(shown.slice(0, 3)).toEqual([
      'POST /api/partners/v1/tokens',
      'POST /api/partners/v1/conversations',
      'POST /api/partners/v1/conversations',
    ]);
    expect(err.match(/^> authorization: Basic \[redacted\]$/gm)).toHaveLength(1);
    expect(err.match(/^> authorization: Bearer \[redacted\]$/gm)).toHaveLength(exchanges.length - 1);
    expect(err).toContain('"message":"Hello, is anybody there? [');
    expect(err).toContain('"access_token":"[redacted]"');
    expect(err + out).not.toContain(sandbox.clientSecret);
  });

  it('shows the events of a stream', async () => {
    const scenario = scenarioFile(`name: stream
journeys: { ask: { steps: [createConversation: {}, sendMessage: { message: Hello }, followTurn: { by: stream }] } }
load: { model: burst, count: 5 }
sandbox: { latency: { queued: { distribution: constant, value: 1ms }, processing: { distribution: constant, value: 1ms } } }`);
    const { code, err } = await spillway(['run', scenario, '--once', '--debug']);
    expect(code, err).toBe(0);
    expect(err).toMatch(/^ {3}stream completed #\d+ at \d+ µs$/m);
    expect(err.match(/^> POST .*\/messages$/gm)).toHaveLength(1);
  });
});

/** Runs a line in a terminal of its own, which types an answer when it is asked; resolves with what it showed. */
function inTerminal(line: string, typed: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number | null; readonly shown: string }>((done) => {
    const child = execFile(
      'script',
      ['--quiet', '--return', '--echo', 'never', '--command', line, '/dev/null'],
      { env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env }, cwd: temporaryFolder() },
      (_, shown) => done({ code: child.exitCode, shown }),
    );
    // Not before it is asked for: until then Ctrl-C is the terminal's own.
    let seen = '';
    let isTyped = typed === '';
    child.stdout?.on('data', (text) => {
      seen += String(text);
      if (isTyped || !seen.includes('[y/N]')) return;
      isTyped = true;
      child.stdin?.write(typed);
    });
  });
}

const ESCAPE = '\u001b[';
const plain = (shown: string) =>
  shown
    .split(ESCAPE)
    .map((part, index) => (index === 0 ? part : part.replace(/^[\d;?]*[A-Za-z]/, '')))
    .join('');

describe.skipIf(!existsSync('/usr/bin/script')).concurrent('at a terminal', { timeout: PATIENCE_MS }, () => {
  const line = (url: string, ...args: readonly string[]) =>
    [process.execPath, join(root, 'dist/cli/main.js'), 'run', dear(), '--target', url, '--quiet', ...args].join(' ');

  it('a person is asked, and can say no: nothing is sent', () =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url), 'n\r', env);
      expect(shown).toContain("this spends up to 2 of the day's 3 new messages. Go on? [y/N]");
      expect(shown).toContain('not agreed to; nothing was sent');
      expect(code).toBe(104);
      expect(service.connections()).toBe(0);
    }));

  it.each([
    ['Ctrl-C', '\u0003'],
    ['the end of the input', '\u0004'],
  ])('%s instead of an answer is a no', (_, key) =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url), key, env);
      expect(shown).toContain('not agreed to; nothing was sent');
      expect(code).toBe(104);
      expect(service.connections()).toBe(0);
    }),
  );

  it('or yes', () =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url), 'y\r', env);
      expect(plain(shown)).toContain(`two against ${service.url}`);
      expect(code).toBe(0);
    }));

  it.each([
    { set: {}, colourful: true },
    { set: { NO_COLOR: '1' }, colourful: false },
    { set: { NO_COLOR: '' }, colourful: true },
    { set: { TERM: 'dumb' }, colourful: false },
  ])('with $set, whether there are colours: $colourful', ({ set, colourful }) =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url, '--yes'), '', { ...env, ...set });
      expect(code, shown).toBe(0);
      expect(plain(shown)).toContain(`two against ${service.url}`);
      expect(shown.includes(ESCAPE)).toBe(colourful);
    }),
  );
});
