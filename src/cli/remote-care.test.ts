import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, root, serveSandbox, shipped, temporaryFolder } from '../testing/cli.ts';
import { resultsIn } from '../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../testing/scenarios.ts';
import { type BadService, serveBadly } from '../testing/service.ts';
import { typed } from '../testing/typed.ts';

/** A scenario with two messages. @param profile members of its profile */
const twoMessages = (profile: string) =>
  scenarioFile(`name: two
profile: { name: partner, ${profile} }
${WHATEVER_THE_MACHINE}
users: 2
journeys: { ask: { steps: [createConversation: {}, sendMessage: { message: Hello }] } }
load: { model: burst, count: 2 }
`);
const dear = () => twoMessages('limits: { daily: { max: 3 } }');

/** Runs a test with its own service, so that all requests to it come from this test. */
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
    const finished = await typed(all, undefined, env);
    return { ...finished, folder, url: service.url, asked: service.asked.length, connections: service.connections() };
  });
}

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
      (await typed(['plan', shipped(`${name}.yaml`), '--target', 'http://127.0.0.1:9'], undefined, env)).err;
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

/** One message whose turn never ends, polled a hundred times a second: many more polls than the forecast assumes. */
const endless = (budget: string, deadline: string, users = 1) =>
  scenarioFile(`name: endless
profile: { name: partner, budget: ${budget} }
${WHATEVER_THE_MACHINE}
users: ${users}
journeys:
  ask:
    steps: [createConversation: {}, sendMessage: { message: Hello }, followTurn: { interval: 10ms, deadline: ${deadline} }]
load: { model: burst, count: ${users} }
`);

async function runEndless(scenario: string, ...more: readonly string[]) {
  const service = await serveBadly({
    readTurn: ({ response, parameters }) => {
      const at = new Date().toISOString();
      const turn = {
        turn_id: parameters.turn_id,
        conversation_id: UUID,
        status: 'queued',
        created_at: at,
        updated_at: at,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(turn));
    },
  });
  try {
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', scenario, '--target', service.url, '--out', folder, '--quiet', ...more];
    return { ...(await typed(all, undefined, env)), folder, asked: [...service.asked] };
  } finally {
    await service.close();
  }
}
const UUID = '0190a1b2-0000-4000-8000-000000000001';

describe.concurrent('a budget', { timeout: PATIENCE_MS }, () => {
  it('is never exceeded, however often the service makes it poll', async () => {
    const { code, err, out, folder, asked } = await runEndless(endless('{ requests: 40 }', '2s'));
    expect(code, err).toBe(108);
    expect(asked).toHaveLength(40);
    expect(err).toContain(
      "spillway: the profile's budget of 40 requests is spent: nothing more was sent; raise it (budget.requests), or send less\n",
    );
    expect(out).toContain('incomplete: its budget was spent');
    const { exchanges, records, summary } = resultsIn(folder);
    // Every request that was sent was also answered.
    expect(exchanges.map(({ outcome }) => outcome)).toEqual(exchanges.map(() => 'answered'));
    expect(exchanges).toHaveLength(40);
    expect(records.at(-1)).toMatchObject({ kind: 'end', complete: false, reason: 'budget' });
    expect(summary().turns).toMatchObject({ accepted: 1, unfinished: 1 });
    const checked = await typed(['check', folder, '--json']);
    expect([checked.code, checked.err.split('\n').at(-2)]).toEqual([
      108,
      'spillway: during the run: its budget was spent',
    ]);
    expect(JSON.parse(checked.out).run).toEqual({ incompleteBecause: 'budget' });
  });

  it('is kept by all workers together', async () => {
    const { code, err, folder, asked } = await runEndless(endless('{ requests: 70 }', '2s', 2), '--workers', '2');
    expect(code, err).toBe(108);
    expect(asked).toHaveLength(70);
    expect(new Set(resultsIn(folder).exchanges.map(({ worker }) => worker))).toEqual(new Set([1, 2]));
  });

  it('is shared by all rounds; the last round may have none left', async () => {
    const twice = await runEndless(endless('{ requests: 14 }', '200ms'), '--repeat', '2');
    expect(twice.code, twice.err).toBe(108);
    expect(twice.asked).toHaveLength(14);
    const exact = await run(twoMessages('budget: { requests: 12 }'), '--repeat', '2');
    expect(exact.code, exact.err).toBe(0);
    expect(exact.asked).toBe(12);
  });

  it('of messages counts every attempt to send one', async () => {
    const service = await serveBadly({ sendMessage: ({ response }) => void response.writeHead(500).end() });
    try {
      const stubborn = scenarioFile(`name: stubborn
profile: { name: partner, budget: { messages: 2 } }
onError: { retry: { max: 5, backoff: { first: 1ms } } }
journeys: { ask: { steps: [createConversation: {}, sendMessage: { message: Hello }] } }
load: { model: burst, count: 1 }
`);
      const folder = join(temporaryFolder(), 'out');
      const { code, err } = await typed(
        ['run', stubborn, '--target', service.url, '--out', folder, '-q'],
        undefined,
        env,
      );
      expect(code, err).toBe(108);
      expect(err).toContain("the profile's budget of 2 messages is spent");
      expect(service.asked).toEqual(['issueToken', 'createConversation', 'sendMessage', 'sendMessage']);
    } finally {
      await service.close();
    }
  });

  it('does not apply to the embedded sandbox', async () => {
    const folder = join(temporaryFolder(), 'out');
    const { code, err } = await typed(['run', twoMessages('budget: { requests: 1 }'), '--out', folder, '-q']);
    expect(code, err).toBe(0);
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

describe.concurrent('--once --debug', { timeout: PATIENCE_MS }, () => {
  it('runs one journey and shows each exchange on the wire, redacted', async () => {
    const sandbox = await serveSandbox('--queued', 'constant:50ms', '--processing', 'constant:600ms');
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', shipped('smoke.yaml'), '--once', '--debug', '--target', sandbox.url, '--out', folder];
    const { code, err, out } = await typed(all, undefined, sandbox.env);
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
    const { code, err } = await typed(['run', scenario, '--once', '--debug']);
    expect(code, err).toBe(0);
    expect(err).toMatch(/^ {3}stream completed #\d+ at \d\.\d{6} s$/m);
    expect(err.match(/^> POST .*\/messages$/gm)).toHaveLength(1);
  });
});

/** Runs a shell command in a terminal that types an answer to its question. Resolves with the output. */
function inTerminal(line: string, typed: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number | null; readonly shown: string }>((done) => {
    const child = execFile(
      'script',
      ['--quiet', '--return', '--echo', 'never', '--command', line, '/dev/null'],
      { env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env }, cwd: temporaryFolder() },
      (_, shown) => done({ code: child.exitCode, shown }),
    );
    // Typed only after the question: before it, the terminal itself would handle Ctrl-C.
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
      expect(shown).toContain("this uses up to 2 of the day's 3 new messages. Continue? [y/N]");
      expect(shown).toContain('not confirmed; nothing was sent');
      expect(code).toBe(104);
      expect(service.connections()).toBe(0);
    }));

  it.each([
    ['Ctrl-C', '\u0003'],
    ['the end of the input', '\u0004'],
  ])('%s instead of an answer is a no', (_, key) =>
    withService(async (service) => {
      const { code, shown } = await inTerminal(line(service.url), key, env);
      expect(shown).toContain('not confirmed; nothing was sent');
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
