import { expect, it } from 'vitest';
import { add, count, emptyTally, type Tally, type Tried } from './tally.ts';

const tried = (seed: number, members: Partial<Tried>): Tried => ({
  seed,
  focus: 'rate',
  algorithm: 'sliding-log',
  exchanges: 10 + seed,
  refused: seed,
  verdicts: { rate: 'consistent', concurrency: 'undecided', daily: 'undecided' },
  told: [],
  happened: ['torn'],
  accusations: [],
  ...members,
});
const all = [
  tried(1, { told: ['reads', 'reads'] }),
  tried(2, { verdicts: { rate: 'undecided' }, happened: [] }),
  tried(3, { focus: 'days', verdicts: { rate: 'consistent', daily: 'violated' }, told: ['reads', 'turns'] }),
  tried(4, { focus: 'all', algorithm: 'token-bucket', accusations: [{ of: 'rate', claim: 'too many' }] }),
];
const counted = (some: readonly Tried[]): Tally => {
  const tally = emptyTally();
  for (const one of some) count(tally, one);
  return tally;
};

it('counts what was tested, and once what several processes counted', () => {
  const whole = counted(all);
  expect(whole).toEqual({
    histories: 4,
    exchanges: 50,
    refused: 10,
    cpuUs: 0,
    byAlgorithm: {
      'sliding-log': { histories: 3, focused: 2, met: 1 },
      'token-bucket': { histories: 1, focused: 1, met: 1 },
    },
    verdicts: {
      'rate consistent': 2,
      'rate undecided': 1,
      'daily violated': 1,
      'concurrency undecided': 1,
      'daily undecided': 1,
    },
    told: { reads: 2, turns: 1 },
    toldIn: { reads: 1, turns: 3 },
    happened: { torn: 3 },
    accused: [{ seed: 4, accusation: { of: 'rate', claim: 'too many' } }],
  });
  for (const at of all.keys()) {
    const together = emptyTally();
    for (const part of [all.slice(0, at), all.slice(at)]) add(together, counted(part));
    expect(together).toEqual(whole);
  }
});
