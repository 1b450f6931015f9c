import { existsSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { describeInBrowser, expectAccessible, openPage, pixelsOf, textOf, textsOf } from '../../testing/browser.ts';
import { PATIENCE_MS, type Spillway, startSpillway, temporaryFolder, until } from '../../testing/cli.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { serveBadly } from '../../testing/service.ts';
import { isWhole } from '../../testing/share.ts';
import { typed } from '../../testing/typed.ts';

/**
 * The scenario does not enforce the generator's speed, because only the page is tested. A minute of the service begins with it, so
 * that the burst, which exceeds its limit, never lies on both sides of one.
 */
const scenario = (seconds: number) =>
  scenarioFile(`name: watched
users: 2
${WHATEVER_THE_MACHINE}
journeys:
  ask: { onRefused: continue, steps: [createConversation: {}, sendMessage: { message: Hello }, followTurn: { by: poll, interval: 200ms }] }
  read: { onRefused: continue, steps: [createConversation: {}, burst: { of: readHistory, count: 24 }] }
sandbox: { clockRate: 30, startTime: "2026-01-15T09:00:00Z", latency: { queued: { distribution: constant, value: 1s }, processing: { distribution: constant, value: 10s } } }
phases:
  - { name: reading, load: [{ model: burst, count: 1, journeys: [read] }], duration: 1s }
  - { name: asking, load: [{ model: constant-rate, rate: 2/s, duration: ${seconds}s, journeys: [ask] }] }
`);

/** Starts a run with a live page on a free port, and waits for its address. */
async function watched(
  seconds: number,
  ...args: readonly string[]
): Promise<{ run: Spillway; url: string; folder: string }> {
  const folder = join(temporaryFolder(), 'out');
  const run = startSpillway(['run', scenario(seconds), '--dashboard', '0', '--out', folder, ...args]);
  await until(() => run.text.err.includes('live page: '), 'the live page is served');
  return { run, url: /live page: (\S+)/.exec(run.text.err)?.[1] ?? '', folder };
}

/** What a live page that has just connected is told, piece by piece. */
async function eventsOf(url: string): Promise<ReadableStream<string>> {
  const run = /"live":"([^"]+)"/.exec(await (await fetch(url)).text())?.[1];
  const { body } = await fetch(`${url}events?run=${run}`);
  return (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream());
}

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** The answer to a request; undefined if there is none. */
const ask = (url: string, options: { readonly method?: string; readonly host?: string; readonly path?: string } = {}) =>
  new Promise<Answer | undefined>((done) => {
    const { method = 'GET', host, path = '/' } = options;
    const asked = request(
      new URL(path, url),
      { method, ...(host !== undefined && { headers: { host } }) },
      (response) => {
        done({ status: response.statusCode ?? 0, headers: response.headers });
        response.destroy();
      },
    );
    asked.once('error', () => done(undefined));
    asked.end();
  });

/** Seconds; longer than any test, because the test ends the run. */
const LONG = 600;

const exchangesOn = async (page: Page) => Number((await textsOf(page, '#live-figures b'))[1] ?? 0);
const seenBy = { timeout: 60_000 };
/** The page is told four times a second; asking it more often keeps a core busy. */
const polledBy = { ...seenBy, interval: 250 };

const tables = { requests: '#requests-tables table', heat: '#heat-tables table' } as const;
const openTables = (page: Page) =>
  page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");

/** A table is not updated while a user interacts with it, others are, and it is when they leave. The heat map's table is in use afterwards. */
async function expectKeptInUse(page: Page): Promise<void> {
  const read = (picture: keyof typeof tables) => textOf(page, tables[picture]);
  await openTables(page);
  await expect.poll(() => read('requests'), polledBy).toMatch(/readHistory\s+\d/);
  await page.locator('#requests-tables .scroll').first().focus();
  const [before, heatBefore] = [await read('requests'), await read('heat')];
  await expect.poll(() => read('heat'), polledBy).not.toBe(heatBefore);
  expect(await read('requests')).toBe(before);
  await page.locator('#heat-tables .scroll').focus();
  await expect.poll(() => read('requests'), polledBy).not.toBe(before);
}

describeInBrowser('the live page in a browser', () => {
  it('shows the pictures while the run goes on, the same to a page that comes later, and its verdicts when it is over, also in a table that a user interacts with', async () => {
    const { run, url, folder } = await watched(LONG);
    const { page, trouble } = await openPage(url);
    expect(await textOf(page, 'h1')).toBe('watched is running');
    await expect.poll(() => exchangesOn(page), polledBy).toBeGreaterThan(30);
    await expect
      .poll(() => textOf(page, '#live-phases'), polledBy)
      .toMatch(/reading\s+done\s+asking\s+[\d.]+ (min )?[\d.]* ?m?s left/);
    expect(await textOf(page, '#live-limits')).toMatch(
      /Requests this minute\s+\d+ of 20\s+Turns in process\s+at most \d of 2\s+New messages this UTC day\s+\d+ of 50/,
    );
    const painted = async (picture: string, color: string) =>
      (await pixelsOf(page, `[data-picture=${picture}] .uplot canvas`, color)).count;
    // After some thirty requests, refusals may not have occurred or not have been drawn yet.
    await expect.poll(() => painted('requests', 'success'), polledBy).toBeGreaterThan(50);
    await expect.poll(() => painted('requests', 'rate'), polledBy).toBeGreaterThan(20);
    await expect.poll(() => painted('turns', 'success'), polledBy).toBeGreaterThan(50);
    await expectAccessible(page);
    const before = await exchangesOn(page);
    await expect.poll(() => exchangesOn(page), polledBy).toBeGreaterThan(before);
    const later = await openPage(url);
    await expect.poll(() => exchangesOn(later.page), polledBy).toBeGreaterThan(30);
    const marks = (one: Page) => textOf(one, '[data-picture=requests] .legend');
    await expect.poll(async () => (await marks(page)) === (await marks(later.page)), polledBy).toBe(true);
    await expectKeptInUse(later.page);
    run.child.kill('SIGINT');
    for (const one of [page, later.page]) await one.waitForSelector('html[data-live=over]', seenBy);
    expect((await textsOf(page, '.card .badge'))[0]).toBe('Consistent');
    expect(await page.title()).toBe('watched · Spillway report');
    expect((await textsOf(page, 'nav a'))[0]).toBe('Answer');
    expect(await page.locator('#live-told').textContent()).toBe(await textOf(page, 'h1'));
    for (const one of [page, later.page])
      expect(await textsOf(one, '#stages tbody .name')).toEqual(['reading', 'asking']);
    expect(await textOf(page, '.notice')).toContain('The history of this run is incomplete (interrupted)');
    expect(await marks(page)).toMatch(/succeeded \d+\s+refused: rate limit \d+/);
    expect(await marks(later.page)).toBe(await marks(page));
    expect(await later.page.evaluate("document.activeElement?.closest('#heat-tables') !== null")).toBe(true);
    const { code } = await run.finished;
    expect(code, run.text.err).toBe(105);
    expect(await ask(url)).toBeUndefined();
    const report = await openPage(pathToFileURL(join(folder, 'report.html')).href);
    await openTables(report.page);
    for (const table of Object.values(tables))
      expect(await textOf(later.page, table)).toBe(await textOf(report.page, table));
    expect([...trouble, ...later.trouble, ...report.trouble]).toEqual([]);
  });

  it('reports a lost connection to a killed run, and takes no data of the next run at the same address', async () => {
    const first = await watched(LONG);
    const { page } = await openPage(first.url);
    await expect.poll(() => exchangesOn(page), polledBy).toBeGreaterThan(10);
    const headings = () => textsOf(page, '#answer h1:visible');
    expect(await headings()).toEqual(['watched is running']);
    first.run.child.kill('SIGKILL');
    await page.waitForSelector('html[data-live=lost]', seenBy);
    expect(await headings()).toEqual(['No connection to the run watched']);
    expect(await textOf(page, '#live-lost .lead')).toContain(join(first.folder, 'report.html'));
    expect(await page.locator('#live-phases').isVisible()).toBe(false);
    await expect.poll(() => textOf(page, '#live-age'), polledBy).toMatch(/^As of \d+ s ago\.$/);
    await first.run.finished;
    const figures = await textOf(page, '#live-figures');
    const next = startSpillway(['run', scenario(LONG), '--dashboard', new URL(first.url).port, '--quiet']);
    await page.waitForSelector('html[data-live=other]', seenBy);
    expect(await headings()).toEqual(['This address now serves another run']);
    expect(await textOf(page, '#live-told')).toBe('This address now serves another run');
    expect(await textOf(page, '#live-figures')).toBe(figures);
    await page.reload();
    await expect.poll(headings, polledBy).toEqual(['watched is running']);
    next.child.kill('SIGINT');
    await page.waitForSelector('html[data-live=over]', seenBy);
    await next.finished;
  });
});

describe.concurrent('the live page', { timeout: PATIENCE_MS }, () => {
  it('answers under its own names only, only to reading, and lets nobody frame or read it', async () => {
    const { run, url } = await watched(2);
    const port = new URL(url).port;
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const answers = await Promise.all([
      ask(url),
      ask(url, { host: `localhost:${port}` }),
      ask(url, { host: `evil.example:${port}` }),
      ask(url, { host: 'evil.example', path: '/events' }),
      ask(url, { host: '127.0.0.1' }),
      ask(url, { method: 'POST' }),
      ask(url, { path: '/../history.ndjson' }),
      ask(url, { path: '/events' }),
      ask(url, { path: '/events?run=another' }),
      ask(url, { host: `evil.example:${port}`, path: '/metrics' }),
      ask(url, { path: '/metrics' }),
    ]);
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 403, 403, 403, 405, 404, 204, 204, 403, 200]);
    expect(answers.at(-1)?.headers['content-type']).toMatch(/^application\/openmetrics-text;/);
    expect(answers[0]?.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'sha256-.+connect-src 'self'; .*frame-ancestors 'none'$/,
      ),
    });
    expect(answers[0]?.headers).not.toHaveProperty('access-control-allow-origin');
    expect((await run.finished).code).toBe(0);
    expect(await ask(url)).toBeUndefined();
  });

  it('says that an interrupted run is stopping before it ends, and ends with it', async () => {
    const { run, url } = await watched(LONG);
    let told = '';
    for await (const piece of await eventsOf(url)) {
      told += piece;
      if (run.child.exitCode === null && told.includes('Phase asking.') && !run.child.killed) run.child.kill('SIGINT');
    }
    expect((await run.finished).code).toBe(105);
    expect(await ask(url)).toBeUndefined();
    const at = ['Phase asking.', 'Nothing more is started', 'event: end'].map((part) => told.indexOf(part));
    expect(at).not.toContain(-1);
    expect(at).toEqual([...at].sort((a, b) => a - b));
  });

  it.runIf(isWhole)('shows figures of a run of two workers, too', async () => {
    const { run, url } = await watched(LONG, '--workers', '2');
    const first = async () => {
      for await (const text of await eventsOf(url)) return text;
      return '';
    };
    await vi.waitFor(async () => expect(await first()).toContain('"live-figures":"'), polledBy);
    run.child.kill('SIGINT');
    expect((await run.finished).code, run.text.err).toBe(105);
  });

  it('ends with the run also when that is killed', async () => {
    const { run, url } = await watched(LONG);
    run.child.kill('SIGKILL');
    await run.finished;
    for (let tries = 0; tries < 200 && (await ask(url)) !== undefined; tries++) await pause(50);
    expect(await ask(url)).toBeUndefined();
  });

  it('says so if its process ends before the run, which goes on', async () => {
    const preloaded = join(temporaryFolder(), 'preloaded.cjs');
    // Only the page's process is told so of a run's beginning. A listener would take messages before the page listens.
    writeFileSync(
      preloaded,
      `const { emit } = process;
       process.emit = function (...given) {
         if (given[0] === 'message' && given[1]?.kind === 'began') process.kill(process.pid, 'SIGKILL');
         return emit.apply(this, given);
       };`,
    );
    const args = ['run', scenario(1), '--dashboard', '0', '--out', join(temporaryFolder(), 'out')];
    const { code, err } = await typed(args, undefined, { NODE_OPTIONS: `--require=${preloaded}` });
    expect(err).toContain('the live page is lost: its process ended (SIGKILL); the run goes on without it\n');
    expect(code).toBe(0);
  });

  it('needs a port that is free and a number, before anything is sent', async () => {
    const service = await serveBadly();
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => holder.once('listening', listening));
    const { port } = holder.address() as AddressInfo;
    const folder = join(temporaryFolder(), 'out');
    const run = (...dashboard: readonly string[]) =>
      typed(['run', scenario(1), '--target', service.url, '--out', folder, ...dashboard], undefined, {
        SPILLWAY_CLIENT_ID: 'id',
        SPILLWAY_CLIENT_SECRET: 'secret',
      });
    const [taken, wrong] = await Promise.all([run('--dashboard', String(port)), run('--dashboard=here')]);
    expect(taken.code).toBe(104);
    expect(taken.err).toMatch(
      /--dashboard: the live page cannot be served: .*EADDRINUSE.*; choose another port; 0 takes any that is free/,
    );
    expect(wrong.code).toBe(104);
    expect(wrong.err).toContain('"here" is not a port');
    expect(service.asked).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    holder.close();
    await service.close();
  });

  it('stands alone before the scenario, too', async () => {
    const { code, err } = await typed(['run', '--dashboard', 'no-such.yaml']);
    expect(code).toBe(104);
    expect(err).toContain('no-such.yaml');
    expect(err).not.toContain('port');
  });
});
