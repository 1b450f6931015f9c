import { describe, expect, it } from 'vitest';
import { RunContext } from '../../../collect/index.ts';
import { exchange, header, us } from '../../../testing/history/sample-records.ts';
import { WindowGatherer } from './windows.ts';

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
  const { list = [], several } = windows.windows() ?? {};
  return { admitted: list[2], refused: list[3], several };
}

describe('windows in a chart', () => {
  it('count one bucket; with several buckets, the fullest one, including refused requests', () => {
    expect(windowsBy('application')).toEqual({ admitted: 4, refused: 2, several: false });
    expect(windowsBy('user')).toEqual({ admitted: 3, refused: 0, several: true });
  });
});
