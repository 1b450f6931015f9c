import { describe } from 'vitest';
import { microsFromSeconds } from '../../base/index.ts';
import { examTables, phaseUs, type Tables, three, us } from './boundaries.exam.ts';
import {
  fixedWindow,
  fixedWindowFromFirst,
  fixedWindowWithBlock,
  slidingCounter,
  slidingLog,
  slidingLogOfAttempts,
} from './index.ts';

/** Computed by hand for three per minute. */
const tables: Tables = {
  'fixed window': {
    limiter: () => fixedWindow(three),
    rows: [
      [30, '2 left'],
      [30, '1 left'],
      [60 - us, '0 left'],
      [60 - us, 'until 60 s'],
      [60, '2 left'],
      [120 - us, '1 left'],
      [120 - us, '0 left'],
      [120, '2 left'],
    ],
  },
  'fixed window, 17 s after the minute': {
    limiter: () => fixedWindow({ ...three, phaseUs }),
    rows: [
      [17 - us, '2 left'],
      [17, '2 left'],
      [60, '1 left'],
      [77 - us, '0 left'],
      [77 - us, 'until 77 s'],
      [77, '2 left'],
    ],
  },
  'fixed window from the first request': {
    limiter: () => fixedWindowFromFirst(three),
    rows: [
      [10, '2 left'],
      [60, '1 left'],
      [70 - us, '0 left'],
      [70 - us, 'until 70 s'],
      [70, '2 left'],
      [130 - us, '1 left'],
      // No request at 130 s: the next window starts with the next request.
      [200, '2 left'],
      [260 - us, '1 left'],
      [260, '2 left'],
    ],
  },
  'fixed window with a block': {
    limiter: () => fixedWindowWithBlock(three),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [0, '0 left'],
      [5, 'until 65 s'],
      // The window has ended, but not the block; requests during it do not extend it.
      [60, 'until 65 s'],
      [65 - us, 'until 65 s'],
      [65, '2 left'],
      [65, '1 left'],
      [125 - us, '0 left'],
      [125 - us, `until ${125 - us + 60} s`],
    ],
  },
  'fixed window with a block shorter than its rest': {
    limiter: () => fixedWindowWithBlock({ ...three, blockUs: microsFromSeconds(5) }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [0, '0 left'],
      [2, 'until 60 s'],
      [60 - us, 'until 60 s'],
      [60, '2 left'],
    ],
  },
  'sliding log': {
    limiter: () => slidingLog(three),
    rows: [
      [0, '2 left'],
      [10, '1 left'],
      [20, '0 left'],
      [30, 'until 60 s'],
      [60 - us, 'until 60 s'],
      [60, '0 left'],
      [60, 'until 70 s'],
      [70 - us, 'until 70 s'],
      [70, '0 left'],
      [80, '0 left'],
      [80, 'until 120 s'],
    ],
  },
  'sliding log of attempts': {
    limiter: () => slidingLogOfAttempts(three),
    rows: [
      [0, '2 left'],
      [10, '1 left'],
      [20, '0 left'],
      // Attempts at 10, 20 and 30 s count now, including the refused one.
      [30, 'until 70 s'],
      [60, 'until 80 s'],
      [80 - us, 'until 90 s'],
      [90, '0 left'],
      [90, `until ${140 - us} s`],
    ],
  },
  'sliding counter, below': {
    limiter: () => slidingCounter({ ...three, variant: 'below' }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [59, '0 left'],
      // At 60 s the estimate is 3 · 1 + 0, not below 3; a microsecond later it is.
      [59, `until ${60 + us} s`],
      [60, `until ${60 + us} s`],
      [60 + us, '0 left'],
      // 3 · (1 − 20/60) + 1 = 3.
      [80, `until ${80 + us} s`],
      [80 + us, '0 left'],
      [120, '0 left'],
    ],
  },
  'sliding counter, at most': {
    limiter: () => slidingCounter({ ...three, variant: 'at-most' }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [59, '0 left'],
      [59, 'until 80 s'],
      // 3 · (1 − 20/60) + 0 + 1 = 3.
      [80 - us, 'until 80 s'],
      [80, '0 left'],
      [80, 'until 100 s'],
      [100, '0 left'],
      // 2 in the window before: 2 · (1 − 0) + 0 + 1 = 3.
      [120, '0 left'],
      [120, 'until 150 s'],
    ],
  },
  'sliding counter, floored': {
    limiter: () => slidingCounter({ ...three, variant: 'floored' }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [59, '0 left'],
      [60, `until ${60 + us} s`],
      [60 + us, '0 left'],
    ],
  },
};

describe('limiters at their boundaries', () => {
  examTables(tables);
});
