import { describe, expect, it } from 'vitest';
import type { StreamEnd, StreamEvent } from '../api/index.ts';
import { type Micros, VirtualClock } from '../base/index.ts';
import { followBoth } from './follow-both.ts';
import { followByStream, type StreamingOptions } from './follow-by-stream.ts';

const us = (value: number) => value as Micros;

/** A stream that gives these events at these times and then ends. */
const streaming = (
  clock: VirtualClock,
  times: readonly number[],
  reason: StreamEnd['reason'],
  over: Partial<StreamingOptions> = {},
): StreamingOptions => ({
  clock,
  signal: new AbortController().signal,
  open: async (onEvent) => {
    await clock.sleepUntil(us(5));
    const ended = (async (): Promise<StreamEnd> => {
      for (const at of times) {
        await clock.sleepUntil(us(at));
        const event: StreamEvent = { event: 'delta', at: clock.now(), data: {} };
        onEvent(event);
      }
      return { at: clock.now(), reason };
    })();
    return { state: 'opened', ended };
  },
  ...over,
});

describe('following by stream', () => {
  it.each(['completed', 'failed', 'dropped', 'deadline', 'stopped'] as const)('%s', async (reason) => {
    const clock = new VirtualClock();
    expect(await clock.run(() => followByStream(streaming(clock, [10, 30], reason)))).toEqual({
      ended: reason,
      at: 30,
      events: 2,
      firstEventAt: 10,
    });
  });

  it('that is never opened is given up, or was stopped', async () => {
    const clock = new VirtualClock();
    const open = async () => ({ state: 'unopened' }) as const;
    expect(await followByStream(streaming(clock, [], 'dropped', { open }))).toEqual({
      ended: 'given-up',
      at: 0,
      events: 0,
    });
    expect((await followByStream(streaming(clock, [], 'dropped', { open, signal: AbortSignal.abort() }))).ended).toBe(
      'stopped',
    );
  });
});

it('following both ways, neither ends the other', async () => {
  const clock = new VirtualClock();
  const ends = await clock.run(() =>
    followBoth(
      {
        clock,
        startAt: us(0),
        intervalUs: us(100),
        backoff: 1,
        maxIntervalUs: us(100),
        deadlineAt: us(10_000),
        signal: new AbortController().signal,
        poll: async (k) => ({ state: k < 3 ? 'open' : 'completed' }),
      },
      streaming(clock, [20], 'dropped'),
    ),
  );
  expect(ends).toEqual({
    poll: { ended: 'completed', at: 300, polls: 4 },
    stream: { ended: 'dropped', at: 20, events: 1, firstEventAt: 20 },
  });
});
