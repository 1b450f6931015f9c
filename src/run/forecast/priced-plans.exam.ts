import type { loadedFrom } from '../../testing/virtual.ts';

export const noon = new Date('2026-01-15T12:00:00Z');

export type Input = Parameters<typeof loadedFrom>[0];

export const latency = {
  queued: { distribution: 'constant', value: '1s' },
  processing: { distribution: 'constant', value: '6s' },
} as const;
export const once = { model: 'burst', count: 1 } as const;
export const say = { sendMessage: { message: 'Hello' } };
export const start = { createConversation: {} };

/** Plans that stay below, reach, and exceed each limit; with a known turn length, the price is exact. */
export const plans: Readonly<Record<string, Input>> = {
  'stays below every limit': {
    journeys: { a: { steps: [start, say, { followTurn: { interval: '2s' } }] } },
    load: once,
  },
  'reads twenty times in a minute': {
    journeys: { a: { onRefused: 'continue', steps: [start, { burst: { of: 'readHistory', count: 19 } }] } },
    load: once,
  },
  'reads thirty times at once': {
    journeys: { a: { onRefused: 'continue', steps: [start, { burst: { of: 'readHistory', count: 30 } }] } },
    load: once,
  },
  'sends five messages at once': {
    journeys: { a: { onRefused: 'continue', steps: [start, { burst: { count: 5 } }] } },
    load: once,
  },
  'writes sixty messages in an hour': {
    journeys: {
      a: {
        onRefused: 'continue',
        steps: [start, { repeat: { times: 60, steps: [say, { followTurn: { by: 'stream' } }, { pause: '30s' }] } }],
      },
    },
    load: once,
  },
  'retries what was refused': {
    journeys: { a: { onRefused: { retry: { max: 2 } }, steps: [start, { burst: { of: 'readHistory', count: 25 } }] } },
    load: once,
  },
  'polls itself into the limit': {
    users: 3,
    journeys: { a: { onRefused: 'continue', steps: [start, say, { followTurn: { interval: '500ms' } }] } },
    load: { model: 'burst', count: 2, gap: '200ms' },
  },
  'keeps within the limits by caps': {
    caps: { openTurns: 2, requestsPerMinute: 20 },
    journeys: { a: { steps: [start, { burst: { count: 6, follow: { by: 'stream' } } }] } },
    load: { model: 'burst', count: 2 },
  },
};
