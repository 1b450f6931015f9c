import { expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { Decisions, type SecondNode } from './nodes.ts';

const decisions = (secondNode: SecondNode) =>
  new Decisions(1, { tickAt: (t) => (1_000 + t) as Micros, dates: { secondNode } });

it('decides by the clock of the node that is asked, and never earlier than before', () => {
  const ahead = decisions({ byUs: 50, share: 0.5 });
  expect([ahead.at(0), ahead.at(10, true), ahead.at(20), ahead.at(70)]).toEqual([1_000, 1_060, 1_060, 1_070]);
  const behind = decisions({ byUs: -50, share: 0.5 });
  expect([behind.at(0, true), behind.at(10), behind.at(20, true), behind.at(70, true)]).toEqual([
    950, 1_010, 1_010, 1_020,
  ]);
});

it('decides no earlier than an event that was sent', () => {
  const behind = decisions({ byUs: -50, share: 0.5 });
  behind.reach(1_100 as Micros);
  expect(behind.at(120, true)).toBe(1_100);
});

it('asks the second node as often as it is reached', () => {
  const often = (share: number) => {
    const one = decisions({ byUs: 50, share });
    return Array.from({ length: 1_000 }, () => one.isSecond()).filter(Boolean).length;
  };
  expect(often(0)).toBe(0);
  expect(often(1)).toBe(1_000);
  expect(Math.abs(often(0.3) - 300)).toBeLessThan(60);
  expect(new Decisions(1, { tickAt: (t) => t as Micros }).isSecond()).toBe(false);
});
