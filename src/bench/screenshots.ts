import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browserPath } from '../testing/browser-path.ts';

/*
 * Makes the screenshots in results/examples/: the reports of a run that passes and of one that proves a violation.
 *   npm run screenshots
 */

const root = resolve(import.meta.dirname, '../..');
const examples = join(root, 'results/examples');
const MOST_BYTES = 300_000;

/** The sandbox has a fixed window, which admits twice its limit around a boundary. The declared sliding log does not. */
const convicted = `name: fixed-window-twice
profile: { limits: { rate: { reading: sliding-log } } }
sandbox:
  clockRate: 10
  startTime: "2026-01-15T09:00:30Z"
  limits: { rate: { max: 20, window: 60s, algorithm: fixed-window } }
journeys:
  around-the-edge:
    onRefused: continue
    steps:
      - createConversation: {}
      - burst: { of: readHistory, count: 10, gap: 150ms }
      - pause: 1s
      - burst: { of: readHistory, count: 34, gap: 60ms }
load: { model: burst, count: 1 }
deadline: 30s
`;

const folder = mkdtempSync(join(tmpdir(), 'spillway-screenshots-'));
try {
  const scenario = join(folder, 'convicted.yaml');
  writeFileSync(scenario, convicted);
  mkdirSync(examples, { recursive: true });
  const reports = {
    passing: runOf(join(root, 'scenarios/tour.yaml'), 'passing'),
    convicted: runOf(scenario, 'convicted'),
  };
  await shoot(reports);
} finally {
  rmSync(folder, { recursive: true });
}

/** @returns URL of the report */
function runOf(scenario: string, name: string): string {
  const out = join(folder, name);
  try {
    execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'run', scenario, '--quiet', '--out', out], {
      stdio: 'ignore',
    });
  } catch (error) {
    // 10: a violation is proven, as intended for one of the runs.
    if ((error as { status?: number }).status !== 10) throw error;
  }
  return pathToFileURL(join(out, 'report.html')).href;
}

async function shoot(reports: Readonly<Record<string, string>>): Promise<void> {
  if (browserPath === undefined) throw new Error('no Chromium here: install one, or name it in CHROMIUM');
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  for (const [name, url] of Object.entries(reports)) {
    for (const [look, width, height] of [
      ['light', 1_120, 1_640],
      ['dark', 1_120, 1_640],
      ['phone', 390, 1_500],
    ] as const) {
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme: look === 'dark' ? 'dark' : 'light',
      });
      await page.goto(url);
      await page.waitForSelector('.uplot canvas');
      const path = join(examples, `${name}-${look}.png`);
      await page.screenshot({ path });
      await page.close();
      const { size } = statSync(path);
      if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
      console.log(`${path}: ${Math.round(size / 1_000)} kB`);
    }
  }
  await browser.close();
}
