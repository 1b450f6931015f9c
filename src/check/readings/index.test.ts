import { describe, expect, it } from 'vitest';
import { limitNames } from '../../api/index.ts';
import { isReadingOf, limitsWithReading, readingNames } from './index.ts';

describe('names of readings', () => {
  it('are those of each limit, and each is found by it', () => {
    expect(limitNames.map(readingNames)).toEqual([
      [
        ...['sliding-log', 'sliding-log-counting-refused', 'token-bucket', 'interval-refill', 'fixed-window-aligned'],
        ...['fixed-window', 'fixed-window-anchored', 'fixed-window-penalty', 'sliding-counter'],
      ],
      ['accepted-to-finished', 'processing-only'],
      ['utc', 'token-timezone', 'first-use', 'rolling'],
    ]);
    for (const limit of limitNames)
      for (const name of readingNames(limit)) expect(limitsWithReading(name), name).toEqual([limit]);
  });

  it('have others beside them', () => {
    expect(limitsWithReading('gcra')).toEqual(['rate']);
    expect(limitsWithReading('semaphore')).toEqual(['concurrency']);
    expect(limitsWithReading('calendar-day')).toEqual(['daily']);
    // The name of one is an alias of another: whoever says it means the one.
    expect(limitsWithReading('sliding-log')).toEqual(['rate']);
    expect([isReadingOf('daily', 'sliding-log'), isReadingOf('daily', 'gcra')]).toEqual([true, false]);
    expect(limitsWithReading('fixed-window-first-request')).toEqual(['rate', 'daily']);
    expect(limitsWithReading('every')).toEqual([]);
    expect(limitsWithReading('')).toEqual([]);
  });
});
