import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { browserPath } from './browser-path.ts';
import { afterThisFile } from './leftovers.ts';

/**
 * Declares tests in a real browser. Without a browser they are skipped, and the name of the suite says so. In CI, where `.ci/run`
 * installs one, they fail instead.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (browserPath !== undefined || (process.env.CI ?? '') !== '') describe(name, { timeout: 120_000 }, tests);
  else describe.skip(`${name} (skipped: no Chromium here; install one, or name it in CHROMIUM)`, tests);
}

let launched: Promise<Browser> | undefined;

/** The browser that all tests of a file share. @throws Error if there is none */
export function browser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

function launch(): Promise<Browser> {
  afterThisFile(async () => {
    await (await launched)?.close();
    launched = undefined;
  });
  return chromium.launch({
    ...(browserPath !== undefined && { executablePath: browserPath }),
    args: ['--no-sandbox', '--force-color-profile=srgb'],
    // Otherwise a signal that a test emits closes the browser and ends the process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** A page with its errors. */
export interface Watched {
  readonly page: Page;
  /** Console errors and warnings, uncaught errors, and requests to other addresses. */
  readonly trouble: string[];
}

/** Opens an address and waits until its charts exist. @param picture selector of a chart; default the charts of the report */
export async function openPage(
  url: string,
  options: BrowserContextOptions = {},
  picture = '.uplot canvas',
): Promise<Watched> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => {
    // Caused by the tests, which read pixels, not by the page.
    if (message.text().includes('willReadFrequently')) return;
    if (message.type() === 'error' || message.type() === 'warning')
      trouble.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url.replace(/\/$/, ''))) trouble.push(`requested ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector(picture);
  return { page, trouble };
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Fails with all serious and critical violations that axe-core finds. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<readonly Violation[]>('axe.run().then(({ violations }) => violations)');
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)])).toEqual([]);
}

/**
 * Focuses a chart. A page that has just been scrolled, as by a click, says so to its scripts before it draws the next frame, and then
 * hides the tooltip that a key has shown meanwhile: so that frame is waited for.
 */
export async function focusOn(page: Page, selector: string): Promise<void> {
  await page.locator(selector).focus();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** The visible text of an element, as laid out. */
export function textOf(page: Page, selector: string): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not count, and blocks begin lines
  return page.locator(selector).first().innerText();
}
export const textsOf = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();

export interface Pixels {
  readonly count: number;
  /** Window coordinates of the first two thousand. */
  readonly at: readonly { readonly x: number; readonly y: number }[];
}

/** The pixels of a canvas that approximately have a colour of the page's style. @param color name of the CSS variable */
export const pixelsOf = (page: Page, selector: string, color: string): Promise<Pixels> =>
  page.evaluate(`(${PIXELS})(${JSON.stringify(selector)}, ${JSON.stringify(color)})`);

/** Runs in the page. A string, because DOM types must not be visible to the rest of the project. */
const PIXELS = `(selector, color) => {
  const canvas = document.querySelector(selector);
  const probe = document.createElement('canvas').getContext('2d');
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--' + color).trim();
  probe.fillRect(0, 0, 1, 1);
  const wanted = probe.getImageData(0, 0, 1, 1).data;
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const box = canvas.getBoundingClientRect();
  const at = [];
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] < 128 || [0, 1, 2].some((j) => Math.abs(data[i + j] - wanted[j]) > 48)) continue;
    count += 1;
    const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
    if (at.length < 2000) at.push({ x: box.left + (x / width) * box.width, y: box.top + (y / height) * box.height });
  }
  return { count, at };
}`;
