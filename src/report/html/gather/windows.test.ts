import { describe, expect, it } from 'vitest';
import { RunContext } from '../../../collect/index.ts';
import { exchange, header, us } from '../../../testing/history/sample-records.ts';
import { WindowGatherer } from './windows.ts';

const drawnOf = (gatherer: WindowGatherer) => {
  const windows = gatherer.windows();
  return windows === 'too many' ? undefined : windows;
};

/** Three admitted requests of one user; one admitted and two refused requests of another. */
function windowsBy(scope: string) {
  const context = new RunContext();
  context.add(header({ profile: { limits: { rate: { scope } } } }));
  const windows = new WindowGatherer(context);
  const sent = (seq: number, user: string) => exchange({ seq, sentAt: us(seq * 10), user });
  const error = { code: 'rate_limited', retryable: true, requestId: '' };
  for (const seq of [0, 1, 2]) windows.add(sent(seq, 'u1'));
  windows.add(sent(3, 'u2'));
  for (const seq of [4, 5]) windows.add({ ...sent(seq, 'u2'), outcome: 'refused', status: 429, error });
  const { list = [], several } = drawnOf(windows) ?? {};
  return { admitted: list[2], refused: list[3], several };
}

describe('windows in a chart', () => {
  it('count one bucket; with several buckets, the fullest one, including refused requests', () => {
    expect(windowsBy('application')).toEqual({ admitted: 4, refused: 2, several: false });
    expect(windowsBy('user')).toEqual({ admitted: 3, refused: 0, several: true });
  });

  it('are those of the clock that holds for the request, also if an answer told it only afterwards', () => {
    const context = new RunContext();
    context.add(header());
    const windows = new WindowGatherer(context);
    windows.add(exchange({ seq: 0, sentAt: us(2_000_000) }));
    // At the request's instant the clock showed a minute and a second.
    context.add({
      kind: 'clock',
      at: us(1_000_000),
      serviceUs: us(1_795_262_460_000_000),
      plusMinusUs: us(0),
      rate: 1,
    });
    expect(drawnOf(windows)?.list).toEqual([1_000_000, 61_000_000, 1, 0]);
  });

  it('have their length, and count neither requests without a valid token nor refusals by other limits', () => {
    const context = new RunContext();
    context.add(header());
    context.add({ kind: 'clock', at: us(0), serviceUs: us(1_795_262_410_000_000), plusMinusUs: us(0), rate: 1 });
    const windows = new WindowGatherer(context);
    windows.add(exchange({ seq: 0 }));
    windows.add(exchange({ seq: 1, status: 401 }));
    const error = { code: 'daily_quota_exceeded', retryable: false, requestId: '' };
    windows.add(exchange({ seq: 2, outcome: 'refused', status: 429, error }));
    // The clock showed ten seconds past the minute.
    expect(drawnOf(windows)?.list).toEqual([-10_000_000, 50_000_000, 1, 0]);
  });

  it('are drawn up to 2,000, and more are told as too many', () => {
    const context = new RunContext();
    context.add(header());
    const windows = new WindowGatherer(context);
    expect(windows.windows()).toBeUndefined();
    for (let seq = 0; seq < 2_000; seq++) windows.add(exchange({ seq, sentAt: us(seq * 60_000_000) }));
    expect(drawnOf(windows)?.list).toHaveLength(4 * 2_000);
    windows.add(exchange({ seq: 2_000, sentAt: us(2_000 * 60_000_000) }));
    expect(windows.windows()).toBe('too many');
  });
});
