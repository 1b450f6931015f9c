import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { comparedMetric, compareRuns } from '../../gates/index.ts';
import { describeInBrowser, expectAccessible, openPage, textOf, textsOf } from '../../testing/browser.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { comparisonPage } from './comparison-page.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&';
const metrics = [
  comparedMetric({ metric: 'http_req_duration', tags: { operation: 'sendMessage' } }, { of: 'med' }),
  comparedMetric({ metric: 'turn_completion', tags: {} }, { of: 'med' }),
  comparedMetric({ metric: 'http_req_failed', tags: {} }, { of: 'rate' }),
  comparedMetric({ metric: 'rate_limited', tags: {} }, { of: 'rate' }),
];
const slack = { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 };
/** Twelve rounds with times of about 50 ms and 2 s, refusals and no failures. */
const runs = (factor: number, refused: number) =>
  Array.from({ length: 12 }, (_, i) => ({
    runId: `r${i}`,
    values: [(50 + (i % 3)) * factor, 2_000 + i, 0, refused + i / 10_000],
    limits: [],
    proven: [],
  }));
const side = (name: string, factor: number, refused: number) => ({
  name,
  interleaved: true,
  differs: [],
  runs: runs(factor, refused),
});
const comparison = compareRuns(
  metrics,
  { name: `before ${HOSTILE}`, runs: runs(1, 0.2) },
  [side(`after ${HOSTILE}`, 1.3, 0.1), side('twin', 1, 0.2)],
  slack,
);

let address: string;
beforeAll(() => {
  const file = join(temporaryFolder(), 'comparison.html');
  writeFileSync(file, comparisonPage(comparison));
  address = pathToFileURL(file).href;
});
const open = (options = {}) => openPage(address, options, '.differences svg');

describeInBrowser('comparison.html in a browser', () => {
  it('starts with the result, then shows each candidate as chart and numbers, worst first', async () => {
    const { page, trouble } = await open();
    expect(await textOf(page, 'h1')).toBe(`after ${HOSTILE}: worse than before ${HOSTILE}`);
    expect(await textOf(page, '.lead')).toContain('&: http_req_duration{operation:sendMessage}: med: 51 ms to 66.3 ms');
    expect(await textsOf(page, 'h2')).toEqual([`after ${HOSTILE}`, 'twin']);
    expect(await textsOf(page, '#candidate-1 table:first-of-type .badge')).toEqual(['worse', 'better', 'same', 'same']);
    expect(await textsOf(page, '#candidate-2 table:first-of-type .badge')).toEqual(['same', 'same', 'same', 'same']);
    expect(trouble).toEqual([]);
  });

  it('draws differences at their position: slower to the right of the base, less frequent to the left', async () => {
    const { page } = await open();
    const place = (label: string) =>
      page.evaluate(
        `(${PLACE})(document.querySelector('#candidate-1 svg[aria-label^=${JSON.stringify(label)}]'))`,
      ) as Promise<{ readonly shape: number; readonly low: number; readonly high: number; readonly slack: number }>;
    const slower = await place('http_req_duration');
    expect(slower.low).toBeGreaterThan(slower.slack);
    expect(slower.shape).toBeGreaterThanOrEqual(slower.low);
    expect(slower.shape).toBeLessThanOrEqual(slower.high);
    const less = await place('rate_limited');
    expect(less.high).toBeLessThan(-less.slack);
    const same = await place('turn_completion');
    expect(Math.abs(same.shape)).toBeLessThan(same.slack);
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('has no serious barrier in %s at %i px, and does not scroll sideways', async (colorScheme, width) => {
    const { page, trouble } = await open({ colorScheme, viewport: { width, height: 844 } });
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(trouble).toEqual([]);
  });

  it('wraps addresses at their parts, and not within a number, on a phone', async () => {
    const [before, after] = ['http://127.0.0.1:18482', 'https://partnerconversationapi.stagingenvironment.example.com'];
    const file = join(temporaryFolder(), 'addresses.html');
    const sides = [side(before, 1, 0.2), side('twin', 1, 0.2)] as const;
    writeFileSync(file, comparisonPage(compareRuns(metrics, { ...sides[0], name: before }, [sides[1]], slack)));
    const { page } = await openPage(
      pathToFileURL(file).href,
      { viewport: { width: 360, height: 800 } },
      '.differences',
    );
    expect(await textOf(page, 'h1')).toBe(`No regression is shown against ${before}`);
    expect(await page.evaluate(`(${LINES_OF})('18482')`)).toBe(1);
    writeFileSync(file, comparisonPage(compareRuns(metrics, { ...sides[0], name: after }, [sides[1]], slack)));
    await page.reload();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

/** On how many lines a part of the title is. */
const LINES_OF = `(part) => {
  const nodes = document.createTreeWalker(document.querySelector('h1'), NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const at = node.data.indexOf(part);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + part.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  }
}`;

it('says which of several is worse, and distinguishes base and candidate with the same name', () => {
  const h1Of = (names: readonly [base: string, ...candidates: string[]]) => {
    const [base, ...candidates] = names;
    const sides = candidates.map((name, i) => side(name, i === 0 ? 1.3 : 1, 0.2));
    const page = comparisonPage(compareRuns(metrics, { name: base, runs: runs(1, 0.2) }, sides, slack));
    return /<h1>(.*?)<\/h1>/.exec(page)?.[1];
  };
  expect(h1Of(['v1', 'v2', 'v3'])).toBe('v2: worse than v1');
  expect(h1Of(['v1', 'v2'])).toBe('Worse than v1');
  expect(h1Of(['sandbox', 'sandbox'])).toBe('Worse than sandbox (base)');
});

it('has the result as the title of its window, which is not that nothing is worse if nothing could be told', () => {
  const titlesOf = (base: string, rounds: number, factor: number) => {
    const sides = [{ ...side('v2', factor, 0.2), runs: runs(factor, 0.2).slice(0, rounds) }];
    const page = comparisonPage(
      compareRuns(metrics, { name: base, runs: runs(1, 0.2).slice(0, rounds) }, sides, slack),
    );
    return [/<title.*?>(.*?)<\/title>/, /<h1>(.*?)<\/h1>/].map((of) => of.exec(page)?.[1]);
  };
  const inconclusive = 'These rounds are inconclusive';
  expect(titlesOf('v1', 1, 1)).toEqual([`${inconclusive} · Spillway comparison`, inconclusive]);
  expect(titlesOf('v1', 12, 1.3)).toEqual(['Worse than v1 · Spillway comparison', 'Worse than v1']);
});

it('marks round differences', () => {
  const ticks = [...comparisonPage(comparison).matchAll(/text-anchor="middle">(.*?)<\/text>/g)].map(([, text]) => text);
  expect(ticks.length).toBeGreaterThan(5);
  for (const text of ticks) expect(text).toMatch(/^(as the base|[+-](1|2|5)0* (%|points))$/);
});

/** Positions in the chart, relative to its middle, as shares of half its width. */
const PLACE = `(svg) => {
  const of = (value) => Number.parseFloat(value) / 50 - 1;
  const interval = svg.querySelector('.interval');
  const slack = svg.querySelector('.slack');
  return {
    shape: of(svg.querySelector('svg').getAttribute('x')),
    low: of(interval.getAttribute('x')),
    high: of(interval.getAttribute('x')) + Number.parseFloat(interval.getAttribute('width')) / 50,
    slack: Number.parseFloat(slack.getAttribute('width')) / 100,
  };
}`;
