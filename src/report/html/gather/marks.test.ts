import { describe, expect, it } from 'vitest';
import type { Micros } from '../../../base/index.ts';
import { RunContext } from '../../../collect/index.ts';
import type { Exchange } from '../../../history/index.ts';
import { exchange, header } from '../../exporters/journals.exam.ts';
import { MarkGatherer } from './marks.ts';

const context = (): RunContext => {
  const made = new RunContext();
  made.add(header());
  return made;
};

/** The given number of exchanges, every fifth of them refused. */
const mixed = (count: number): Exchange[] =>
  Array.from({ length: count }, (_, seq) =>
    seq % 5 === 4
      ? exchange(seq, {
          outcome: 'refused',
          status: 429,
          error: { code: 'rate_limited', retryable: true, requestId: 'r' },
        })
      : exchange(seq, { status: 200 }),
  );

function gathered(exchanges: readonly Exchange[], most: number, named: readonly number[] = []) {
  const gatherer = new MarkGatherer(context(), most, new Set(named));
  for (const one of exchanges) gatherer.add(one);
  const marks = gatherer.marks();
  let seq = 0;
  const seqs = marks.columns.seq.map((difference) => (seq += difference));
  return { gatherer, marks, seqs };
}

describe('exchanges to draw', () => {
  it('are complete up to the maximum, in order of sending', () => {
    const { gatherer, marks, seqs } = gathered([...mixed(100)].reverse(), 100);
    expect(seqs).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(marks.whole).toBe(true);
    expect(gatherer.thinning()).toEqual([]);
    expect(marks.columns.sentAt.slice(0, 3)).toEqual([100, 10_000, 10_000]);
    expect([marks.columns.service[0], marks.columns.waited[0]]).toEqual([5_000, 100]);
    expect(marks.kinds.map((kind) => [kind.class, kind.answer, kind.counted])).toEqual(
      expect.arrayContaining([
        ['success', '200', true],
        ['rate', '429 rate_limited', false],
      ]),
    );
    const unauthorized = gathered([exchange(0, { status: 401 })], 1).marks;
    expect(unauthorized.kinds.map(({ counted }) => counted)).toEqual([false]);
  });

  it('distinguish expected errors from others', () => {
    const expected = { expect: { checked: 1, unmet: [], namedStatus: true } };
    const { marks } = gathered([exchange(0, { status: 422, ...expected }), exchange(1, { status: 422 })], 10);
    expect(marks.kinds.map((kind) => kind.class)).toEqual(['expected', 'error']);
    expect(marks.counts).toMatchObject({ expected: 1, error: 1 });
  });

  it('are thinned beyond that, where there are most, which is reported; all are counted', () => {
    const { gatherer, marks } = gathered(mixed(1_000), 300);
    expect(marks.columns.seq.length).toBeLessThanOrEqual(300);
    expect(marks.columns.seq.length).toBeGreaterThan(150);
    expect(marks.whole).toBe(false);
    expect(marks.counts).toMatchObject({ success: 800, rate: 200 });
    expect(gatherer.thinning().join()).toMatch(/^Too many to draw them all: 1 in 8 of 800 successes drawn/);
  });

  it('keep the exchanges of proofs, whatever is thinned', () => {
    const named = [3, 4, 501, 999];
    const { marks, seqs } = gathered(mixed(1_000), 50, named);
    expect(named.filter((seq) => !seqs.includes(seq))).toEqual([]);
    expect(marks.named.map((index) => seqs[index])).toEqual(named);
  });

  it('are the same again for the same journal', () => {
    expect(gathered(mixed(2_000), 64).marks).toEqual(gathered(mixed(2_000), 64).marks);
  });

  it('bound the number and length of codes and users', () => {
    const made = Array.from({ length: 30_000 }, (_, seq) =>
      exchange(seq, {
        user: `user-${seq}-${'x'.repeat(100)}`,
        outcome: 'refused',
        status: 429,
        error: { code: `code-${seq}-${'y'.repeat(500)}`, retryable: true, requestId: 'r' },
      }),
    );
    const { marks } = gathered(made, 100_000);
    expect(marks.kinds.length).toBeLessThan(2_100);
    expect(marks.users.length).toBeLessThan(20_100);
    expect(marks.kinds.at(-1)).toMatchObject({ class: 'unattributed', answer: '…' });
    expect(Math.max(...marks.users.map(({ length }) => length))).toBeLessThanOrEqual(40);
  });

  it('name the worker if there are several', () => {
    const { marks } = gathered([exchange(0, { worker: 2 }), exchange(0, { worker: 1, sentAt: 5 as Micros })], 10);
    expect(marks.columns.worker).toEqual([1, 2]);
  });

  it('come in increments that add up to the whole, even if they are thinned in between', () => {
    const gatherer = new MarkGatherer(context(), 100, new Set());
    let [seqs, kinds, users]: [number[], string[], string[]] = [[], [], []];
    const restarts: number[] = [];
    for (const [i, one] of mixed(400).entries()) {
      gatherer.add(one);
      if (i % 17 !== 0 && i !== 399) continue;
      const { from, added, kindsFrom, usersFrom } = gatherer.takeNew();
      if (from === 0) restarts.push(i);
      let seq = 0;
      const values = added.columns.seq.map((difference) => (seq += difference));
      expect(from === 0 || from === seqs.length).toBe(true);
      seqs = [...seqs.slice(0, from), ...values];
      kinds = [...kinds.slice(0, kindsFrom), ...added.kinds.map(({ answer }) => answer)];
      users = [...users.slice(0, usersFrom), ...added.users];
    }
    const whole = gatherer.marks();
    let seq = 0;
    expect([...seqs].sort((a, b) => a - b)).toEqual(whole.columns.seq.map((difference) => (seq += difference)));
    expect(kinds).toEqual(whole.kinds.map(({ answer }) => answer));
    expect(users).toEqual(whole.users);
    expect(restarts.length).toBeGreaterThan(1);
    expect(restarts.length).toBeLessThan(8);
  });
});
