import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sandboxProfile } from '../api/index.ts';
import { type Micros, microsFromMillis, seededRandom } from '../base/index.ts';
import { type Exchange, HISTORY_FORMAT, HISTORY_VERSION, type JournalRecord } from '../history/index.ts';
import { exportText } from '../report/export-all.ts';
import { exporters } from '../report/exporters/index.ts';
import { browserPath } from '../testing/browser-path.ts';

/*
 * Size of the report.html of 100,000 exchanges, the CPU time to make it, and the time until a browser has drawn it.
 *   npm run build && node --import jiti/register src/bench/report-page.ts [EXCHANGES]
 */

const EXCHANGES = Number(process.argv[2] ?? 100_000);
const random = seededRandom(1, 'report-page');
const us = (value: number): Micros => Math.round(value) as Micros;

/** An hour of traffic: messages, polls and reads; a fifth refused; latencies from 0.5 ms to 1.6 s. */
function* records(): Generator<JournalRecord> {
  const profile = sandboxProfile();
  yield {
    kind: 'header',
    format: HISTORY_FORMAT,
    version: HISTORY_VERSION,
    runId: 'bench',
    startedAt: '2026-01-15T09:00:00.000Z',
    scenario: 'bench',
    seed: 1,
    profile,
    gates: {},
    warmUpUs: us(0),
    limits: {
      rate: { max: 20, windowUs: microsFromMillis(60_000), reading: 'unknown' },
      concurrency: { max: 2 },
      daily: { max: 50 },
    },
    clock: { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(30e6) },
    exclusive: true,
    flushed: { rate: true, concurrency: true, daily: true },
    tool: 'bench',
    node: process.version,
  };
  yield {
    kind: 'clock',
    at: us(0),
    serviceUs: us(Date.parse('2026-01-15T09:00:00Z') * 1_000),
    plusMinusUs: us(0),
    rate: 1,
  };
  for (let seq = 0; seq < EXCHANGES; seq++) yield exchange(seq);
  yield { kind: 'end', at: us(3.6e9), arrivals: 1, exchanges: EXCHANGES, streams: 0, drops: 0, complete: true };
}

function exchange(seq: number): Exchange {
  const sentAt = us((seq / EXCHANGES) * 3.6e9 + random.next() * 20_000);
  const service = us(500 * 10 ** (random.next() * 3.5));
  const refused = random.next() < 0.2;
  const message = seq % 10 === 0;
  const common = {
    kind: 'exchange',
    seq,
    application: 'a1',
    user: `u${seq % 500}`,
    token: `t${seq % 500}`,
    arrival: seq,
    journey: seq % 3 === 0 ? 'ask' : 'read',
    step: 0,
    attempt: 1,
    intendedAt: us(sentAt - random.next() * 5_000),
    sentAt,
    headersAt: us(sentAt + service),
    receivedAt: us(sentAt + service),
    bytes: { sent: 300, received: 500 },
  } as const;
  if (refused)
    return {
      ...common,
      operation: 'readHistory',
      outcome: 'refused',
      status: 429,
      retryAfter: String(seq % 60),
      error: { code: 'rate_limited', retryable: true, requestId: `r${seq}` },
    };
  if (!message)
    return { ...common, operation: seq % 4 === 1 ? 'readTurn' : 'readHistory', outcome: 'answered', status: 200 };
  return {
    ...common,
    operation: 'sendMessage',
    outcome: 'answered',
    status: 202,
    conversation: `c${seq % 900}`,
    turn: { id: `turn${seq}`, status: 'queued' },
    message: { id: `m${seq}`, digest: `d${seq}` },
  };
}

const all = [...records()];
const cpu = process.cpuUsage();
const text = exportText(exporters.report, all);
const { user, system } = process.cpuUsage(cpu);
console.log(
  `report.html of ${EXCHANGES} exchanges: ${(text.length / 1e6).toFixed(2)} MB; made in ${((user + system) / 1e6).toFixed(2)} CPU-seconds, the measuring included`,
);

const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
try {
  const file = join(folder, 'report.html');
  writeFileSync(file, text);
  if (browserPath === undefined) console.log('no Chromium here: not opened');
  else await open(pathToFileURL(file).href, browserPath);
} finally {
  if (process.env.KEEP === undefined) rmSync(folder, { recursive: true });
  else console.log(folder);
}

/** Opens the page five times and measures the time until its charts are drawn. */
async function open(url: string, executablePath: string): Promise<void> {
  // Loaded with require, because jiti cannot load it.
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(url);
    times.push(
      await page.evaluate<number>(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))',
      ),
    );
    await page.close();
  }
  await browser.close();
  times.sort((a, b) => a - b);
  console.log(`opened and drawn in ${times.map((time) => `${Math.round(time)} ms`).join(', ')}`);
}
