import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isWhole } from '../testing/share.ts';
import { type PacingTable, pacingMarkdown, pacingText } from './pacing/pacing-table.ts';
import { seenPace } from './pacing/seen-pace.ts';

const times = (count: number, at: (index: number) => number) => Array.from({ length: count }, (_, index) => at(index));

it('reports no lag for an even schedule, however late all of it is', () => {
  const even = times(3_001, (index) => 7_000_000 + index * 1_000);
  const none = { lagP50Us: 0, lagP99Us: 0, lagMaxUs: 0 };
  expect(seenPace(even, 1_000, 1_000_000)).toEqual({ perSecond: 1_000, ...none, fastestSecondMs: 1_000 });
});

it('detects bursts even if the rate is kept: each second sent at its beginning', () => {
  const bursts = times(3_000, (index) => Math.floor(index / 1_000) * 1_000_000);
  const seen = seenPace(bursts, 1_000, 0);
  expect(seen).toMatchObject({ lagP50Us: 499_000, lagP99Us: 989_000, lagMaxUs: 999_000, fastestSecondMs: 1_000 });
  // Two of them within a moment.
  expect(seenPace([...bursts, ...times(1_000, () => 2_000_000)], 1_000, 0)?.fastestSecondMs).toBe(0);
});

it('detects falling behind and catching up', () => {
  const slow = times(1_001, (index) => index * 2_000);
  expect(seenPace(slow, 1_000, 0)).toMatchObject({ perSecond: 500, lagP50Us: 500_000, lagMaxUs: 1_000_000 });
  const stalled = times(2_001, (index) => (index < 500 ? index * 1_000 : Math.max(index * 1_000, 1_500_000)));
  expect(seenPace(stalled, 1_000, 0)).toMatchObject({ lagP50Us: 0, lagMaxUs: 1_000_000, fastestSecondMs: 0 });
});

it('has no result for too few requests', () => {
  expect([seenPace([], 10, 0), seenPace([1], 10, 0), seenPace([1, 2, 3], 10, 5)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('prints one table: medians of the rounds, but the minimum of the fastest second', () => {
  const pace = (lagP99Us: number, fastestSecondMs: number) => ({
    ...{ perSecond: 1_000, lagP50Us: 12, lagMaxUs: 20_000 },
    ...{ lagP99Us, fastestSecondMs },
  });
  const table: PacingTable = {
    setting: 'Here, today',
    rows: [{ rate: 1_000, name: 'oha', version: '1.2', paces: [pace(900, 990), pace(1_100, 980), pace(5_000, 1_000)] }],
    missing: [{ name: 'k6', install: 'go install k6' }],
  };
  const row = '| 1,000/s | oha 1.2 | 1,000 | 12 µs | 1.10 ms | 20.0 ms | 0.980 s |';
  expect(pacingMarkdown(table)).toContain(`Here, today.\n\n| told |`);
  expect(pacingMarkdown(table)).toContain(`${row}\n\n- k6: not on this machine; go install k6\n`);
  expect(pacingText(table)).toContain('1,000/s   oha 1.2');
});

it.runIf(isWhole)('runs: ours and a peer, against the same service', { timeout: 120_000 }, async () => {
  const entry = fileURLToPath(new URL('pacing-peers.ts', import.meta.url));
  const short = ['--rounds', '1', '--seconds', '1', '--warm-up', '1', '--rate', '200', '--json'];
  const args = ['--import', 'jiti/register', entry, ...short, '--only', 'spillway', '--only', 'autocannon'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { rows } = JSON.parse(stdout) as PacingTable;
  expect(rows.map(({ name, rate, paces }) => [name, rate, paces.length])).toEqual([
    ['spillway', 200, 1],
    ['autocannon', 200, 1],
  ]);
  for (const { paces } of rows) expect(paces[0]?.perSecond).toBeGreaterThan(20);
});
