import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limitNames } from '../../api/index.ts';
import { isReadingOf, limitsWithReading, rateReadings, readingNamed, readingNames } from './index.ts';

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

  it('are explained in the description of results, with the others that it mentions', () => {
    const text = readFileSync(new URL('../../../results/README.md', import.meta.url), 'utf8');
    const from = text.indexOf('- **Names of readings.**');
    const explained = text.slice(from, text.indexOf('- **Scope', from));
    for (const name of limitNames.flatMap(readingNames)) expect(explained).toContain(`\`${name}\``);
    const rows = explained.matchAll(/^ {2}\| `([a-z-]+)`(?: \((.*)\))? \|/gm);
    for (const [, name, others = ''] of rows)
      for (const [, other = ''] of others.matchAll(/`(.*?)`/g))
        expect(readingNamed(rateReadings, other)?.name, other).toBe(name);
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
