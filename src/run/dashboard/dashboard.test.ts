import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { monotonicNow } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { sampleRun } from '../../report/exporters/journals.exam.ts';
import type { LiveMessage } from '../../report/index.ts';
import { exchange, header, us } from '../../testing/history/sample-records.ts';
import { judgedOf } from '../../testing/reports.ts';
import { Dashboard } from './dashboard.ts';
import { READ_AGAIN_WITHIN_MS } from './messages.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-live-'));
  // What it tells once a second comes when the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const plan = { phases: [], durationUs: us(10_000_000) };
const reads = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => exchange({ seq: from + index, sentAt: us((from + index) * 1_000) }));

interface Event {
  readonly name: string;
  readonly message: LiveMessage;
}

/** The events that a browser receives: it loads the page, and asks for the events of the run that the page names. */
async function watch(url: string): Promise<() => Promise<Event>> {
  const run = /"live":"([^"]+)"/.exec(await (await fetch(url)).text())?.[1];
  const { body } = await fetch(`${url}events?run=${run}`);
  const reader = (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    while (!text.includes('\n\n')) text += (await reader.read()).value ?? '\n\n';
    const [event = '', ...rest] = text.split('\n\n');
    text = rest.join('\n\n');
    const [, name = 'message', data = ''] = /^(?:event: (.*)\n)?data: (.*)$/.exec(event) ?? [];
    return { name, message: JSON.parse(data) as LiveMessage };
  };
}

/** What a page shows that has applied these messages. */
function shownAfter(messages: readonly LiveMessage[]) {
  const seqs: number[] = [];
  for (const { marks } of messages) {
    seqs.length = marks.from;
    // Each message has differences, from 0.
    let seq = 0;
    for (const difference of marks.added.columns.seq) {
      seq += difference;
      seqs.push(seq);
    }
  }
  return {
    fragments: Object.assign({}, ...messages.map(({ fragments }) => fragments)) as LiveMessage['fragments'],
    pictures: messages.at(-1)?.pictures,
    seqs,
  };
}

it('tells a page that comes later everything so far, and those that watch only what is new', async () => {
  const journal = join(folder, 'history.ndjson');
  const append = (records: readonly JournalRecord[]) =>
    appendFileSync(journal, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  append([header(), ...reads(0, 3)]);
  const dashboard = new Dashboard({ port: 0, journal, scenario: 'watched', plan });
  const url = await dashboard.open();
  const early = await watch(url);
  const first = await early();
  append(reads(3, 5));
  const late = await watch(url);
  const [news, whole] = [await early(), await late()];

  expect([first, news, whole].map(({ message: { marks } }) => [marks.from, marks.added.columns.seq.length])).toEqual([
    [0, 3],
    [3, 2],
    [0, 5],
  ]);
  expect([news, whole].map(({ message }) => 'requests-intro' in message.fragments)).toEqual([false, true]);
  expect(shownAfter([first.message, news.message])).toEqual(shownAfter([whole.message]));

  append(reads(5, 6));
  vi.advanceTimersByTime(1_000);
  const [next, nextLate] = [await early(), await late()];
  expect(next).toEqual(nextLate);
  expect(next.message.marks.from).toBe(5);

  append(reads(6, 7));
  const [, ended, endedLate] = await Promise.all([dashboard.end(undefined), early(), late()]);
  expect([ended.name, endedLate.name]).toEqual(['end', 'end']);
  const [all, allLate] = [
    [first, news, next, ended],
    [whole, nextLate, endedLate],
  ].map((events) => shownAfter(events.map(({ message }) => message)));
  expect(all?.seqs).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(allLate).toEqual(all);
});

it('shows the verdicts at the end, or where the report is if reading the journal once more takes too long', async () => {
  const journal = join(folder, 'history.ndjson');
  appendFileSync(journal, sampleRun.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { document, gates } = judgedOf(sampleRun);
  const endOf = async () => {
    const dashboard = new Dashboard({ port: 0, journal, scenario: 'watched', plan });
    const next = await watch(await dashboard.open());
    await next();
    await dashboard.end({ document, gates: gates() });
    return next();
  };
  const judged = await endOf();
  expect([judged.name, judged.message.fragments.title]).toEqual(['end', 'sample · Spillway report']);
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += READ_AGAIN_WITHIN_MS + 1));
  const late = await endOf();
  expect([late.name, late.message.fragments.title]).toEqual(['end', undefined]);
});

it('says at once that a run is stopping, also to a page that comes later', async () => {
  const journal = join(folder, 'history.ndjson');
  appendFileSync(journal, `${JSON.stringify(header())}\n`);
  const dashboard = new Dashboard({ port: 0, journal, scenario: 'watched', plan });
  const url = await dashboard.open();
  dashboard.began(Number(process.hrtime.bigint() / 1_000n));
  const early = await watch(url);
  const status = async (next: typeof early) => (await next()).message.fragments['live-status'];
  expect(await status(early)).toBe('Verdicts follow at the end.');
  dashboard.stopping();
  const stopping = 'Nothing more is started; waiting for open requests.';
  expect(await status(early)).toBe(stopping);
  expect(await status(await watch(url))).toBe(stopping);
  await dashboard.end(undefined);
});

it('serves the numbers so far as OpenMetrics: those of metrics.prom, and the present use of the limits', async () => {
  const journal = join(folder, 'history.ndjson');
  const dashboard = new Dashboard({ port: 0, journal, scenario: 'watched', plan });
  const url = await dashboard.open();
  const scrape = async () => {
    const response = await fetch(`${url}metrics`);
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
  expect((await scrape()).text.split('\n').slice(2)).toEqual(['spillway_run_elapsed_seconds 0', '# EOF', '']);

  const append = (records: readonly JournalRecord[]) =>
    appendFileSync(journal, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  append([header(), ...reads(0, 3)]);
  dashboard.began(monotonicNow());
  const { type, text } = await scrape();
  expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const lines = text.split('\n');
  expect(lines).toContain('spillway_http_reqs_total{operation="readHistory",outcome="success"} 3');
  expect(lines).toContain('spillway_limit_used{limit="rate"} 3');
  expect(lines).toContain('spillway_limit_max{limit="rate"} 20');
  expect(lines).toContain('spillway_limit_used{limit="concurrency"} 0');
  expect(lines).toContain('spillway_limit_max{limit="daily"} 50');
  expect(lines).toContain('spillway_recent_http_req_duration_seconds{quantile="0.5"} 0.001');
  expect(text).toMatch(/\nspillway_run_elapsed_seconds 0\.\d+\n/);
  expect(text).not.toContain('gate_passed');
  expect(text.endsWith('\n# EOF\n')).toBe(true);

  append(reads(3, 5));
  expect((await scrape()).text).toContain('spillway_http_reqs_total{operation="readHistory",outcome="success"} 5\n');
  await dashboard.end(undefined);
});
