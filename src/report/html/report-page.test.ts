import { beforeAll, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import {
  browser,
  describeInBrowser,
  expectAccessible,
  focusOn,
  openPage,
  pixelsOf,
  textOf,
  textsOf,
} from '../../testing/browser.ts';
import { reportOf, wholeRun } from '../../testing/reports.ts';
import { isWhole } from '../../testing/share.ts';

const burst = (count: number, gap: string) => ({ burst: { of: 'readHistory', count, gap } }) as const;
const load = { model: 'burst', count: 1 } as const;

/** A service whose three limits are all reached and kept. */
const honest = () =>
  wholeRun({
    name: 'honest',
    profile: { limits: { daily: { max: 5 } } },
    journeys: {
      ask: {
        onRefused: 'continue',
        steps: [
          { createConversation: {} },
          { burst: { of: 'sendMessage', count: 3 } },
          { followTurn: { by: 'both', turns: 'all' } },
          burst(25, '10ms'),
          { pause: '90s' },
          { repeat: { times: 5, steps: [{ sendMessage: { message: 'again' } }, { followTurn: { by: 'poll' } }] } },
        ],
      },
    },
    load,
  });

/** A fixed window that is declared as a sliding log. */
const convicted = () =>
  wholeRun(
    {
      name: 'convicted',
      sandbox: { limits: { rate: { max: 20, window: '60s', algorithm: 'fixed-window' } } },
      profile: { limits: { rate: { reading: 'sliding-log' } } },
      journeys: {
        edge: {
          onRefused: 'continue',
          steps: [{ createConversation: {} }, burst(15, '1s'), { pause: '12s' }, burst(25, '300ms')],
        },
      },
      load,
    },
    { sandbox: { startTime: '2026-01-15T09:00:30Z' } },
  );

let passing: string;
let failing: string;
beforeAll(async () => {
  passing = reportOf(await honest(), [
    {
      metric: 'http_req_duration',
      expression: 'p(95)<300',
      state: 'pass',
      because: '20 ms of 60 samples',
      failsRun: false,
    },
    {
      metric: 'turn_completion',
      expression: 'p(90)<8000',
      state: 'undetermined',
      because: '8 samples; 29 are needed',
      failsRun: true,
    },
  ]);
  failing = reportOf(await convicted());
});

describeInBrowser('report.html in a browser', () => {
  it('starts with the result: the verdict of each limit and of each gate, and whether the run is valid', async () => {
    const { page, trouble } = await openPage(failing);
    expect(await textOf(page, 'h1')).toBe('The service broke its rate limit');
    expect(await textOf(page, '.lead')).toMatch(
      /^\d+ requests were admitted within [\d.]+ s; no sliding log of 20 per 60 s admits more than 20\.$/,
    );
    expect(await textsOf(page, '.card .badge')).toEqual(['Violated', 'Undecided', 'Undecided']);
    expect(await textOf(page, '#answer')).toContain('Is this run valid?');
    const gates = await openPage(passing);
    expect(await textOf(gates.page, 'h1')).toBe('1 gate could not be decided');
    expect(await textsOf(gates.page, '#answer .scroll .badge')).toEqual(['Undetermined', 'Pass']);
    expect([...trouble, ...gates.trouble]).toEqual([]);
  });

  it('draws marks by outcome, turns, the quota, the heat map', async () => {
    const { page, trouble } = await openPage(passing);
    const marks = '[data-picture=requests] canvas:not([aria-hidden])';
    for (const color of ['success', 'rate', 'concurrency', 'daily'])
      expect((await pixelsOf(page, marks, color)).count, color).toBeGreaterThan(20);
    expect((await pixelsOf(page, '[data-picture=turns] canvas', 'success')).count).toBeGreaterThan(200);
    expect((await pixelsOf(page, '[data-picture=quota] canvas', 'daily')).count).toBeGreaterThan(20);
    expect((await pixelsOf(page, '[data-picture=heat] canvas', 'heat-3')).count).toBeGreaterThan(20);
    expect(await page.locator('.dots-plot .shape').count()).toBeGreaterThan(6);
    expect(await page.locator('.curves-plot .curve').count()).toBeGreaterThanOrEqual(3);
    expect(trouble).toEqual([]);
  });

  it('draws the proof as a bracket, and rings around its exchanges', async () => {
    const { page } = await openPage(failing);
    const { count } = await pixelsOf(page, '[data-picture=requests] .uplot canvas', 'bad');
    expect(count).toBeGreaterThan(800);
    expect(await page.locator('[data-picture=requests] .plot').getAttribute('aria-label')).toMatch(
      /Proof: 21 admitted, at most 20 possible/,
    );
  });

  it('shows tooltips for the pointer and the keyboard', async () => {
    const { page } = await openPage(failing);
    await page.locator('[data-picture=requests]').scrollIntoViewIfNeeded();
    const { at } = await pixelsOf(page, '[data-picture=requests] .uplot canvas', 'rate');
    const middle = at[Math.floor(at.length / 2)];
    await page.mouse.move(middle?.x ?? 0, middle?.y ?? 0);
    expect(await textOf(page, '#tip.shown')).toMatch(
      /^Exchange \d+: readHistory, 429 rate_limited\nrefused: rate limit, sent at [\d.]+ s\nservice time 20 ms/,
    );
    await page.mouse.move(5, 5);
    await focusOn(page, '[data-picture=requests] .plot');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await textOf(page, '#tip.shown')).toContain('Exchange 1: createConversation, 201');
    await page.keyboard.press('Escape');
    expect(await page.locator('#tip.shown').count()).toBe(0);
  });

  it('zooms all charts over time together, by mouse, keyboard and button', async () => {
    const { page } = await openPage(passing);
    const plot = page.locator('[data-picture=requests] .u-over');
    await plot.scrollIntoViewIfNeeded();
    const before = await picturesOf(page);
    const box = await plot.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 4, (box?.y ?? 0) + 40];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 200, y, { steps: 4 });
    await page.mouse.up();
    const zoomed = await picturesOf(page);
    expect(zoomed.map((one, i) => one === before[i])).toEqual(before.map(() => false));
    await page.locator('[data-picture=requests]').getByText('Whole run').click();
    await page.mouse.move(1, 1);
    await expect.poll(() => picturesOf(page)).toEqual(before);
  });

  it('hides an outcome when its button in the legend is pressed', async () => {
    const { page } = await openPage(failing);
    const button = page.getByRole('button', { name: /refused: rate limit/ });
    const before = await pixelsOf(page, '[data-picture=requests] .uplot canvas', 'rate');
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    const after = await pixelsOf(page, '[data-picture=requests] .uplot canvas', 'rate');
    // Anti-aliased edges of other colours come close to this one.
    expect(before.count - after.count).toBeGreaterThan(100);
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
    ...(isWhole
      ? ([
          ['dark', 1280],
          ['light', 390],
        ] as const)
      : []),
  ] as const)('has no serious barrier in %s at %i px, and does not scroll sideways', async (colorScheme, width) => {
    const { page, trouble } = await openPage(failing, { colorScheme, viewport: { width, height: 844 } });
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(colorScheme === 'dark' ? 'rgb(12, 19, 23)' : 'rgb(245, 246, 243)');
    expect((await pixelsOf(page, '[data-picture=requests] .uplot canvas', 'success')).count).toBeGreaterThan(50);
    expect(trouble).toEqual([]);
  });

  it('prints with light colours and all details open', async () => {
    const { page } = await openPage(failing, { colorScheme: 'dark', viewport: { width: 700, height: 900 } });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect.poll(() => page.locator('details:not([open])').count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ink').trim()")).toBe(
      '#15212a',
    );
    expect((await pixelsOf(page, '[data-picture=requests] .uplot canvas', 'success')).count).toBeGreaterThan(50);
    expect(await page.locator('nav').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => page.locator('details[open]').count()).toBe(0);
  });

  it('has all texts without its script, too', async () => {
    const { page } = await openWithoutScript(failing);
    expect(await textOf(page, 'h1')).toBe('The service broke its rate limit');
    await page.locator('#requests summary').click();
    expect(await textOf(page, '#requests table')).toContain('readHistory');
  });

  it('reports a run without its last line as incomplete at the top', async () => {
    const records = (await honest()).slice(0, 40);
    const { page, trouble } = await openPage(reportOf(records as readonly JournalRecord[]));
    expect(await textOf(page, '.notice')).toContain(
      'The history of this run is incomplete (cut off, the end record is missing)',
    );
    expect(await textOf(page, 'h1')).toBe('This run is invalid');
    expect(await textOf(page, 'footer')).toContain('incomplete: cut off, the end record is missing');
    expect(trouble).toEqual([]);
  });
});

type Pages = Awaited<ReturnType<typeof openPage>>['page'];

/** Screenshots of the charts over time. */
const picturesOf = (page: Pages): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('.uplot canvas')].map((canvas) => canvas.toDataURL())");

async function openWithoutScript(url: string): Promise<{ page: Pages }> {
  const page = await (await browser()).newPage({ javaScriptEnabled: false });
  await page.goto(url);
  return { page };
}
