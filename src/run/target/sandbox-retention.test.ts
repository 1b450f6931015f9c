import { expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import { settle } from '../../sandbox/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { sandboxSettings } from './target.ts';

const WEEK_MS = 7 * 86_400_000;

it.each([1, 60])(
  'the sandbox of a run keeps for a week of it what its profile promises, however much: clock × %d',
  (clockRate) => {
    const load = { model: 'burst', count: 1 } as const;
    const loaded = loadedFrom({
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load,
      sandbox: { clockRate },
    });
    const { time, ...most } = settle(sandboxSettings(loaded)).retention;
    expect(sandboxProfile().history.keptFor).toBe(WEEK_MS);
    expect(time).toBe(WEEK_MS * clockRate);
    expect(most).toEqual({ turns: 100_000_000, conversations: 100_000_000, tokens: 100_000_000 });
  },
);
