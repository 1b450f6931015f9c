import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { append, countUntil, type Log } from './log.ts';

const instants = fc.array(fc.nat(50), { maxLength: 60 }).map((all) => all.sort((a, b) => a - b) as Micros[]);

it('a log counts the instants at or before any other', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -1, max: 51 }), (log, at) => {
      expect(countUntil(log, at)).toBe(log.filter((instant) => instant <= at).length);
    }),
  );
});

it('a log has its last instants, and at most twice as many as are needed', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 9 }), (all, kept) => {
      const log: Log = [];
      for (const [index, at] of all.entries()) {
        append(log, at, kept);
        expect(log.slice(-kept)).toEqual(all.slice(0, index + 1).slice(-kept));
        expect(log.length).toBeLessThanOrEqual(2 * kept);
      }
    }),
  );
});
