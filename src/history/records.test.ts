import { expect, it } from 'vitest';
import { end } from '../testing/history/sample-records.ts';
import { recordedAllSent } from './records.ts';

const ours = { tool: 'spillway 0.1.0' };
const other = { tool: 'another spillway 1.0' };

it('a run recorded all that it sent if it was complete, or if Spillway itself cut it short', () => {
  expect(recordedAllSent(ours, undefined, 0)).toBe(false);
  for (const tool of [ours, other]) {
    expect(recordedAllSent(tool, end({ exchanges: 3 }), 3)).toBe(true);
    expect(recordedAllSent(tool, end({ exchanges: 3 }), 2)).toBe(false);
  }
  const cut = (reason: string) => end({ exchanges: 3, complete: false, reason });
  const reasons = ['interrupted', 'deadline', 'gate', 'budget', 'disk', 'target', 'sandbox', 'lines-unreadable'];
  expect(reasons.filter((reason) => recordedAllSent(ours, cut(reason), 3))).toEqual(reasons.slice(0, 4));
  expect(reasons.filter((reason) => recordedAllSent(other, cut(reason), 3))).toEqual([]);
  expect(recordedAllSent(ours, cut('gate'), 4)).toBe(false);
});
