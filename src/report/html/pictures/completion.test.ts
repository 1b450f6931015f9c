import { describe, expect, it } from 'vitest';
import { accepted, end, header, poll, us } from '../../../testing/history/sample-records.ts';
import { measured } from '../../../testing/measured.ts';
import { exportText } from '../../export-all.ts';
import { exporters } from '../../exporters/index.ts';
import { completionPicture } from './completion.ts';

describe('the curve of completion', () => {
  it('rises to the share of all accepted turns that completed, not to 100 %', () => {
    const statuses = ['completed', 'completed', 'failed', 'processing', 'completed'];
    const records = [
      header(),
      ...statuses.flatMap((status, turn) => [
        accepted(2 * turn, `t${turn}`, 0, 10),
        poll(2 * turn + 1, `t${turn}`, status, 1_000 * (turn + 1), 1_000 * (turn + 1) + 5),
      ]),
      end({ at: us(9_000) }),
    ];
    const whole = measured(records);
    const { turns } = whole.summary();
    expect([turns.accepted, turns.completed, turns.failed, turns.unfinished]).toEqual([5, 3, 1, 1]);
    const drawn = completionPicture(whole.histograms(), turns.accepted, 1)?.toString() ?? '';
    const curve = /class="curve poll" d="([^"]+)"/.exec(drawn)?.[1] ?? '';
    expect([...curve.matchAll(/V([\d.]+)/g)].map(([, y]) => Number(y))).toEqual([80, 60, 40]);
    expect(drawn).toContain('seen by polling (3)');
  });

  it('has the times that the service reports in run time', () => {
    const done = poll(1, 't0', 'completed', 1_000, 1_005, { turn: { id: 't0', status: 'completed', latencyMs: 900 } });
    const whole = measured([header(), accepted(0, 't0', 0, 10), done, end({ at: us(9_000) })]);
    const drawn = completionPicture(whole.histograms(), 1, 10)?.toString() ?? '';
    expect(drawn).toMatch(/reported by the service, whose clock ran 10 times as fast: half of 1 within 90(\.\d)? ms/);
  });

  it('is said to have failed turns, too, where the service reports a time of them', () => {
    const completed = [accepted(2, 't1', 0, 10), poll(3, 't1', 'completed', 1_000, 1_005)];
    const leftOut = (latency: object) => {
      const failed = poll(1, 't0', 'failed', 1_000, 1_005, { turn: { id: 't0', status: 'failed', ...latency } });
      const records = [header(), accepted(0, 't0', 0, 10), failed, ...completed, end({ at: us(9_000) })];
      return /not on a curve: [^)]*/.exec(exportText(exporters.report, records))?.[0];
    };
    expect(leftOut({ latencyMs: 800 })).toBe('not on a curve: 1 failed, unless the service reports how long it took');
    expect(leftOut({})).toBe('not on a curve: 1 failed');
  });

  it('is drawn to its end however many turns there are: 300', () => {
    const records = [
      header(),
      ...Array.from({ length: 300 }, (_, turn) => [
        accepted(2 * turn, `t${turn}`, 0, 10),
        poll(2 * turn + 1, `t${turn}`, 'completed', 1_000 * (turn + 1), 1_000 * (turn + 1) + 5),
      ]).flat(),
      end({ at: us(400_000) }),
    ];
    const drawn = completionPicture(measured(records).histograms(), 300, 1)?.toString() ?? '';
    const [band = '', curve = ''] = [...drawn.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path);
    expect(curve).toMatch(/^M[\d.]+ 100(?:H[\d.]+V[\d.]+){200}$/);
    expect(curve).toMatch(/V0$/);
    expect(band).toMatch(/^M[\d.]+ 100(?:H[\d.]+V[\d.]+){400}Z$/);
  });
});
