import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS, shipped, spillway, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { answer, CLOSED_PORT, envelope, serveBadly } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

const credentials = { SPILLWAY_CLIENT_ID: 'recognisable-client', SPILLWAY_CLIENT_SECRET: 'recognisable-secret' };
const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
});

/** Time that this machine needs now to start a command and load a scenario: about 0.7 s if it is idle. */
let nothing: ReturnType<typeof spillway> | undefined;

const smokeAgainst = (target: string) => {
  const folder = join(temporaryFolder(), 'out');
  return { folder, args: ['run', shipped('smoke.yaml'), '--target', target, '--out', folder, '--quiet'] };
};

/** Ten seconds, or longer where this machine is slow. */
async function tenSeconds(): Promise<number> {
  nothing ??= spillway(['plan', shipped('smoke.yaml')]);
  return 10_000 * Math.max(1, (await nothing).tookMs / 700);
}

/** Runs the shipped smoke scenario against an address, in a process of its own, because it waits for seconds, beside others, and its time counts. */
async function timedSmoke(target: string) {
  const { folder, args } = smokeAgainst(target);
  const [finished, tenSecondsMs] = await Promise.all([spillway(args, { env: credentials }), tenSeconds()]);
  expect(finished.out + finished.err).not.toMatch(/recognisable/);
  return { ...finished, folder, tenSecondsMs };
}

/** As `timedSmoke`, for what is said and recorded. */
async function smoke(target: string, env: Readonly<Record<string, string>> = credentials) {
  const { folder, args } = smokeAgainst(target);
  const finished = await typed(args, undefined, env);
  expect(finished.out + finished.err).not.toMatch(/recognisable/);
  return { ...finished, folder };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Accepts connections and never answers. */
function silentPort(): Promise<number> {
  const sockets: Socket[] = [];
  endings.push(() => sockets.forEach((socket) => void socket.destroy()));
  return listening(createServer((socket) => void sockets.push(socket.on('error', () => undefined))));
}

/** A port whose accept queue is full and never emptied: even the TCP handshake gets no answer. */
async function fullPort(): Promise<number> {
  const program = `const server = require('net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('fs').writeSync(1, server.address().port + '\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child: ChildProcess = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  endings.push(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const port = Number(line.toString());
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  endings.push(() => fillers.forEach((socket) => void socket.destroy()));
  await once(fillers[0] as Socket, 'connect');
  return port;
}

describe.concurrent('a target that cannot be used ends the run with 12 within ten seconds', {
  timeout: PATIENCE_MS,
}, () => {
  it('the connection is accepted, but no request is answered', async () => {
    const { code, err, tookMs, tenSecondsMs, folder } = await timedSmoke(`http://127.0.0.1:${await silentPort()}`);
    expect(code).toBe(12);
    expect(err).toMatch(/cannot be reached: no answer within [\d.]+ s/);
    expect(tookMs).toBeLessThan(tenSecondsMs);
    // The request was sent, and is recorded.
    expect(resultsIn(folder).exchanges.map(({ outcome }) => outcome)).toEqual(['censored']);
    expect(resultsIn(folder).end).toMatchObject({ complete: false, reason: 'target' });
    // The scenario has expectations, but that none was checked is not the reason.
    expect(err.trimEnd().split('\n').at(-1)).toMatch(/cannot be reached: no answer within/);
  });

  it('the connection is accepted, but TLS is not answered', async () => {
    const { code, err, tookMs, tenSecondsMs } = await timedSmoke(`https://127.0.0.1:${await silentPort()}`);
    expect(code).toBe(12);
    expect(err).toContain('cannot be reached');
    expect(tookMs).toBeLessThan(tenSecondsMs);
  });

  it('no connection is accepted', async () => {
    const { code, err, tookMs, tenSecondsMs } = await timedSmoke(`http://127.0.0.1:${await fullPort()}`);
    expect(code).toBe(12);
    expect(err).toContain('cannot be reached');
    expect(tookMs).toBeLessThan(tenSecondsMs);
  });

  it('the port belongs to another program, which closes every connection', async () => {
    const port = await listening(createServer((socket) => void socket.once('data', () => socket.end('220 mail\r\n'))));
    const { code, err } = await smoke(`http://127.0.0.1:${port}`);
    expect(code).toBe(12);
    expect(err).toContain(
      `http://127.0.0.1:${port} gives no answer that can be read as HTTP: protocol; check the address`,
    );
  });

  it('the first token request is answered after the profile’s deadline', async () => {
    const scenario = scenarioFile(`name: hasty
profile: { client: { deadline: 300ms } }
journeys: { a: { steps: [createConversation: {}] } }
load: { model: burst, count: 1 }`);
    const args = ['run', scenario, '--target', `http://127.0.0.1:${await silentPort()}`, '-q'];
    const { code, err } = await typed([...args, '--out', join(temporaryFolder(), 'out')], undefined, credentials);
    expect(code).toBe(12);
    expect(err).toContain('cannot be reached: no answer within the deadline (client.deadline); check the address');
  });

  it.each([401, 403])('the first token is refused with %d', async (status) => {
    const service = await serveBadly({ issueToken: (asked) => answer(asked, status, envelope('unauthorized')) });
    endings.push(() => service.close());
    const { code, err, folder } = await smoke(service.url);
    expect(code).toBe(12);
    expect(err).toContain(`${service.url} refuses the credentials (${status} on the first token)`);
    expect(service.asked).toEqual(['issueToken']);
    expect(resultsIn(folder).exchanges.map((exchange) => exchange.status)).toEqual([status]);
  });

  it('a proxy refuses its own credentials', async () => {
    const service = await serveBadly({ issueToken: (asked) => answer(asked, 407, {}) });
    endings.push(() => service.close());
    const { code, err } = await smoke(service.url);
    expect(code).toBe(12);
    expect(err).toContain(
      `the proxy before ${service.url} refuses the credentials (407 on the first token); check those`,
    );
    expect(service.asked).toEqual(['issueToken']);
  });
});

// One after the other, so that each has its own time.
describe('a target that nobody serves ends the run with 12 within ten seconds', { timeout: PATIENCE_MS }, () => {
  it('no process listens', async () => {
    const port = CLOSED_PORT;
    const tenSecondsMs = await tenSeconds();
    const startedAt = Date.now();
    const { code, err, folder } = await smoke(`http://127.0.0.1:${port}`);
    expect(Date.now() - startedAt).toBeLessThan(tenSecondsMs);
    expect(code).toBe(12);
    expect(err).toContain(`http://127.0.0.1:${port} cannot be reached: ECONNREFUSED; check the address`);
    // Nothing was recorded, so no folder is left.
    expect(existsSync(folder)).toBe(false);
  });

  it('the host name does not exist', async () => {
    const tenSecondsMs = await tenSeconds();
    const startedAt = Date.now();
    const { code, err } = await smoke('http://no-such-host.invalid');
    expect(Date.now() - startedAt).toBeLessThan(tenSecondsMs);
    expect(code).toBe(12);
    expect(err).toMatch(/cannot be reached: (ENOTFOUND|EAI_AGAIN)/);
  });
});

describe('credentials', () => {
  it('that are missing are named, and nothing is sent', async () => {
    const service = await serveBadly();
    endings.push(() => service.close());
    const { code, err, folder } = await smoke(service.url, {});
    expect(code).toBe(104);
    expect(err).toContain('2 problems');
    expect(err).toContain('SPILLWAY_CLIENT_ID, which is not set');
    expect(err).toContain('SPILLWAY_CLIENT_SECRET, which is not set');
    expect(service.connections()).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it("of a gateway that are missing, or invalid in a header, are reported with the profile's file, not the scenario's", async () => {
    const profile = join(temporaryFolder(), 'gateway.yaml');
    writeFileSync(profile, 'name: p\nclient: { headers: { x-key: "${env.NOT_SET}", x-other: "${env.TWO_LINES}" } }\n');
    const args = [
      'run',
      shipped('smoke.yaml'),
      '--profile',
      profile,
      '--target',
      `http://127.0.0.1:${CLOSED_PORT}`,
      '-q',
    ];
    const env = { ...credentials, TWO_LINES: 'recognisable\nlines' };
    const { code, err } = await typed([...args, '--out', join(temporaryFolder(), 'out')], undefined, env);
    expect(code).toBe(104);
    expect(err).toContain(`${profile} client.headers.x-key:`);
    expect(err).toContain(`${profile} client.headers.x-other: has a value that is not allowed in a header`);
    expect(err).not.toContain('recognisable');
  });

  it('that a step makes up, and whose refusal it expects, do not end the run', async () => {
    const service = await serveBadly({
      issueToken: (asked) => answer(asked, asked.nth === 0 ? 401 : 201, { access_token: 't', expires_in: 60 }),
    });
    endings.push(() => service.close());
    const scenario = scenarioFile(`name: made-up
onError: continue
journeys: { a: { steps: [{ issueToken: {}, credentials: invalid, expect: { status: 401 } }, issueToken: {}] } }
load: { model: burst, count: 1 }`);
    const out = join(temporaryFolder(), 'out');
    const { code } = await typed(
      ['run', scenario, '--target', service.url, '--out', out, '-q'],
      undefined,
      credentials,
    );
    expect(code).toBe(0);
    expect(resultsIn(out).exchanges.map(({ status }) => status)).toEqual([401, 201]);
  });
});
