import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { type LiveState, liveLines, liveView, plainLine } from './live-view.ts';

const us = (value: number): Micros => value as Micros;

const state = (members: Partial<LiveState> = {}): LiveState => ({
  phase: 'burst',
  elapsedUs: us(12_300_000),
  leftUs: us(27_700_000),
  requests: 1_200,
  perSecond: 4.23,
  minute: { used: 20, max: 20 },
  openTurns: { used: 1, max: 2 },
  today: { used: 31, max: 50 },
  refused: { rate: 12, concurrency: 3, daily: 0, unattributed: 1 },
  errors: 2,
  drops: 1,
  service: { p50Us: us(12_000), p95Us: us(40_200) },
  warnings: [],
  ...members,
});

/** A stream that keeps what is written to it. */
function kept(): { stream: NodeJS.WriteStream; text: () => string } {
  const stream = new PassThrough();
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => String(stream.read() ?? '') };
}

describe('live view', () => {
  it('shows a moment in lines for a terminal', () => {
    expect(liveLines(state(), 80)).toEqual([
      'burst         12.3 s, 27.7 s left',
      'requests      1,200, 4.23/s; service time p50 12 ms, p95 40 ms',
      'limits        minute 20 of 20; open turns 1 of 2; today 31 of 50',
      '429s          rate 12, concurrency 3, daily 0, naming no limit 1',
      'trouble       2 errors, 1 drop',
    ]);
  });

  it('keeps within the width and makes warnings harmless', () => {
    const lines = liveLines(
      state({ phase: 'a\u001b[2Jb'.repeat(9), warnings: ['\u001b]0;owned\u0007 and more words '.repeat(4)] }),
      60,
    );
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });

  it('leaves times out that were not measured', () => {
    const { service: _, leftUs: __, ...rest } = state({ errors: 0, drops: 0 });
    expect(plainLine(rest)).toBe(
      '12.3 s burst: 1,200 requests, 4.23/s, minute 20 of 20, open turns 1 of 2, today 31 of 50, 429s: rate 12, concurrency 3, daily 0, naming no limit 1',
    );
  });

  it('writes a plain line every 5 s of the run where there is no terminal', () => {
    const { stream, text } = kept();
    const view = liveView({ stream, isTTY: false, color: false });
    for (let second = 0; second <= 12; second++) view.update(state({ elapsedUs: us(second * 1_000_000) }));
    view.finish();
    const lines = text().trimEnd().split('\n');
    expect(lines.map((line) => line.split(' burst')[0])).toEqual(['0 ms', '5.00 s', '10.0 s']);
  });

  it('redraws in place on a terminal and takes its lines away at the end', () => {
    const { stream, text } = kept();
    const view = liveView({ stream, isTTY: true, columns: 80, color: false });
    view.update(state());
    view.update(state({ requests: 1_300 }));
    const drawn = text();
    expect(stripVTControlCharacters(drawn)).toContain('1,300, 4.23/s');
    view.finish();
    view.finish();
    view.update(state({ requests: 9_999 }));
    expect(text()).not.toContain('9,999');
    expect(drawn).toContain('\u001b[');
  });
});
