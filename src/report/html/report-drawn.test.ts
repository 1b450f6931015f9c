import { beforeAll, expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import { browser, describeInBrowser, focusOn, openPage, textOf, textsOf } from '../../testing/browser.ts';
import { us } from '../../testing/history/sample-records.ts';
import { reportOf, wholeRun } from '../../testing/reports.ts';
import { emptyRun, exchange, header, sampleRun, uuid } from '../exporters/journals.exam.ts';

const profile = sandboxProfile();
const refused = {
  outcome: 'refused',
  status: 429,
  error: { code: 'rate_limited', retryable: true, requestId: 'r' },
} as const;
/** Two successes with three refusals between them, and an error at the end. */
const mixed = [
  header(),
  exchange(0, { status: 200 }),
  ...[1, 2, 3].map((seq) => exchange(seq, refused)),
  exchange(4, { status: 200 }),
  exchange(5, { status: 500 }),
];

/** Two users with a slot each, and a turn in process at the same time; two workers sent the messages. */
const twoUsers = [
  header({
    workers: 2,
    limits: { ...header().limits, concurrency: { max: 1 } },
    profile: {
      ...profile,
      limits: { ...profile.limits, concurrency: { ...profile.limits.concurrency, scope: 'user' } },
    },
  }),
  ...[1, 2].flatMap((worker) => {
    const [user, turn] = [`u${worker}`, uuid(worker)];
    const [accepted, seen] = [us(10_000 * worker), us(1_000_000)];
    const told = { worker, user, status: 200 };
    return [
      exchange(0, {
        ...told,
        operation: 'sendMessage',
        status: 202,
        sentAt: accepted,
        headersAt: us(accepted + 1_000),
        turn: { id: turn, status: 'queued' },
        message: { id: uuid(50 + worker), digest: `d${worker}` },
      }),
      exchange(1, {
        ...told,
        sentAt: seen,
        headersAt: us(seen + 1_000),
        receivedAt: us(seen + 1_000),
        turn: { id: turn, status: 'processing' },
      }),
    ];
  }),
];

let sample: string;
beforeAll(() => {
  sample = reportOf(sampleRun);
});

describeInBrowser('what is drawn in report.html', () => {
  it('has legends for turn states, colours of the heat map, and lines', async () => {
    const { page, trouble } = await openPage(sample);
    expect(await textsOf(page, '[data-picture=turns] .legend li')).toEqual(['completed 1']);
    expect(await textOf(page, '[data-picture=heat] .legend')).toBe('response time; a cell has one success');
    await page.getByRole('radio', { name: 'service time' }).click();
    expect(await textOf(page, '[data-picture=heat] .legend')).toMatch(/^service time; /);
    expect(await textsOf(page, '[data-picture=quota] .legend li')).toEqual(['a1, 2026-11-21']);
    expect(trouble).toEqual([]);
  });

  it('says on paper which time the heat map shows', async () => {
    const { page } = await openPage(sample);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('[data-picture=heat] .tools').isVisible()).toBe(false);
    expect(await page.locator('[data-picture=heat] .legend').isVisible()).toBe(true);
  });

  it('names the exchanges that opened turns with their workers, and tells the limit as that of each group', async () => {
    // Without a smooth scroll, which would hide the tooltip.
    const { page } = await openPage(reportOf(twoUsers), { reducedMotion: 'reduce' });
    const plot = '[data-picture=turns] .plot';
    expect(await page.locator(plot).getAttribute('aria-label')).toMatch(
      /^2 turns in lanes, in 2 groups with a limit of 1 at once each; none above it\. /,
    );
    await focusOn(page, plot);
    await page.keyboard.press('ArrowRight');
    expect(await textOf(page, '#tip')).toMatch(/^Turn opened by exchange 1:0, /);
    await page.keyboard.press('ArrowRight');
    expect(await textOf(page, '#tip')).toMatch(/^Turn opened by exchange 2:0, /);
  });

  it.each([360, 1280])('labels proofs within the picture and not over one another at %i px', async (width) => {
    // Every refusal is a proof of its own, and all of them span the same part of a second.
    const broken = await wholeRun({
      sandbox: { defects: ['W4'], startTime: '2026-01-15T09:00:00Z' },
      journeys: {
        a: { onRefused: 'continue', steps: [{ createConversation: {} }, { burst: { of: 'readHistory', count: 4 } }] },
      },
      load: { model: 'burst', count: 1 },
    });
    const page = await (await browser()).newPage({ viewport: { width, height: 800 } });
    await page.addInitScript(DRAWN_TEXTS);
    await page.goto(reportOf(broken));
    await page.waitForSelector('.uplot canvas');
    const labels = (await page.evaluate('drawnTexts("refused after")')) as readonly Record<string, number>[];
    expect(labels).toHaveLength(1);
    expect(labels[0]?.left).toBeGreaterThanOrEqual(0);
    expect(labels[0]?.right).toBeLessThanOrEqual(labels[0]?.width ?? 0);
  });

  it.each([
    [4, 'above'],
    [16, 'below'],
  ])('labels a quota of %i %s its line, where no name of a stage is', async (max) => {
    const talking = await wholeRun({
      profile: { limits: { daily: { max } } },
      sandbox: { limits: { rate: [], concurrency: [], daily: [] } },
      journeys: { a: { steps: [{ createConversation: {} }, { burst: { count: 18, gap: '1s' } }] } },
      phases: [
        { name: 'talking', load: { model: 'burst', count: 1 }, duration: '15s' },
        { name: 'end', load: { model: 'burst', count: 1 } },
      ],
    });
    const page = await (await browser()).newPage({ viewport: { width: 1_280, height: 800 } });
    await page.addInitScript(DRAWN_TEXTS);
    await page.goto(reportOf(talking));
    await page.waitForSelector('.uplot canvas');
    const seen = async (start: string) => {
      const texts = (await page.evaluate(`drawnTexts("${start}")`)) as readonly { y: number; picture: string }[];
      return texts.filter(({ picture }) => picture === 'quota').map(({ y }) => y);
    };
    const [[label = 0], [name = 0]] = [await seen('quota'), await seen('talking')];
    // The name is 11 px high, and stands on its y.
    expect(name - 11 - label).toBeGreaterThan(0);
  });

  it.each(['screen', 'print'] as const)(
    'has all columns of stages in view, however long a name is (%s)',
    async (media) => {
      const phases = ['short', 'a long name '.repeat(20), 'x'.repeat(200)].map((name) => ({
        name,
        load: { model: 'burst', count: 1 } as const,
        duration: '1s',
      }));
      const staged = await wholeRun({ journeys: { a: { steps: [{ createConversation: {} }] } }, phases });
      const { page } = await openPage(reportOf(staged), { viewport: { width: 1_280, height: 800 } });
      await page.emulateMedia({ media });
      const [shown, whole] = await page
        .locator('#stages .scroll')
        .evaluate((table) => [table.clientWidth, table.scrollWidth]);
      expect(whole).toBe(shown);
    },
  );

  it('skips hidden outcomes with the arrow keys', async () => {
    const { page } = await openPage(reportOf(mixed));
    const seen = async (key: string) => {
      await page.keyboard.press(key);
      return (await textOf(page, '#tip')).split(':')[0];
    };
    await page.getByRole('button', { name: /refused: rate limit 3/ }).click();
    await focusOn(page, '[data-picture=requests] .plot');
    const stops = [];
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'])
      stops.push(await seen(key));
    const names = [0, 4, 5, 5, 4, 0, 0];
    expect(stops).toEqual(names.map((seq) => `Exchange ${seq}`));
  });

  it('names the keys of every chart over time', async () => {
    const { page } = await openPage(sample);
    const labels = await page
      .locator('.plot')
      .evaluateAll((plots) => plots.map((plot) => plot.getAttribute('aria-label')));
    expect(labels.length).toBeGreaterThan(4);
    for (const label of labels)
      expect(label).toMatch(/Arrow keys (go from one to the next|move), .*plus and minus zoom/);
  });

  it('says of what was not measured of the generator that it was not, rather than 0', async () => {
    const health = { kind: 'health', at: us(7_938), scheduleLagP99Us: us(2_367), gcUs: us(0), backlog: 0 } as const;
    const { page } = await openPage(reportOf([header(), exchange(0, { status: 200 }), health]));
    const labels = await page
      .locator('[data-picture=generator] .plot')
      .evaluateAll((plots) => plots.map((plot) => plot.getAttribute('aria-label')?.replace(/\. Arrow keys.*/, '')));
    expect(labels).toEqual([
      'event loop delay, p99: not measured; schedule lag, p99: at most 2.37 ms',
      'CPU of one core: not measured',
    ]);
  });

  it('says where the numbers of a chart are if scripts are disabled', async () => {
    const page = await (await browser()).newPage({ javaScriptEnabled: false });
    await page.goto(sample);
    const words = 'This chart needs JavaScript. The table below has the numbers.';
    expect(await textsOf(page, '.chart')).toEqual(Array(5).fill(words));
    const drawn = await openPage(sample);
    expect((await textsOf(drawn.page, '.chart')).join()).not.toContain('needs JavaScript');
  });

  it('says that there is nothing to draw if nothing was sent', async () => {
    const { page, trouble } = await openPage(reportOf(emptyRun));
    expect(await textOf(page, '#requests figure')).toBe('Nothing was sent.');
    expect(await textOf(page, '#heat figure')).toBe('No request succeeded.');
    expect((await textsOf(page, '.card p:last-child'))[0]).toBe(
      'This run cannot decide it. Missing: exchanges; a refusal: the rate limit was not reached.',
    );
    expect(trouble).toEqual([]);
  });
});

/** Makes `drawnTexts`: the texts with a given start that canvases show, each with its ends and the canvas's width. */
const DRAWN_TEXTS = `
  const drawn = new Map();
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    drawn.delete(this.canvas);
    clearRect.apply(this, area);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const half = this.measureText(text).width / 2;
    const one = { text, left: x - half, right: x + half, y, width: this.canvas.width };
    drawn.set(this.canvas, [...(drawn.get(this.canvas) ?? []), one]);
    fillText.call(this, text, x, y);
  };
  globalThis.drawnTexts = (start) => [...drawn].flatMap(([canvas, texts]) => {
    const picture = canvas.closest('[data-picture]')?.dataset.picture;
    return texts.filter(({ text }) => text.startsWith(start)).map((one) => ({ ...one, picture }));
  });
`;
