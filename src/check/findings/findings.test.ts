import { describe, expect, it } from 'vitest';
import { accepted, exchange, refused, us } from '../../testing/history/sample-records.ts';
import { examples } from './examples/index.exam.ts';
import { findingsIn, journalOf, sitFindingExam } from './finding.exam.ts';
import { type FindingName, findingKinds } from './registry.ts';

describe.each(Object.keys(findingKinds) as FindingName[])('%s', (kind) => sitFindingExam(kind, examples[kind]));

describe('the list of findings', () => {
  const turn = (index: number) => [
    accepted(2 * index, `t${index}`, index * 10_000, index * 10_000 + 900),
    exchange({
      seq: 2 * index + 1,
      operation: 'readTurn',
      sentAt: us(index * 10_000 + 5_000),
      turn: { id: `t${index}`, status: 'completed' },
    }),
  ];
  const stories = Array.from({ length: 30 }, (_, index) => turn(index));
  const found = (order: typeof stories) =>
    findingsIn(journalOf({ because: '', records: order.flat() })).filter(({ kind }) => kind === 'turn-without-result');

  it('names the first twenty of a kind, and how many there are', () => {
    const listed = found(stories);
    expect(listed.map(({ exchanges }) => exchanges)).toEqual(Array.from({ length: 20 }, (_, index) => [2 * index + 1]));
    expect(listed.map(({ total }) => total)).toEqual(Array(20).fill(30));
  });

  it('does not depend on the order of the records', () => {
    expect(found([...stories].reverse())).toEqual(found(stories));
  });

  it('says nothing of a history without anything wrong', () => {
    expect(findingsIn(journalOf({ because: '', records: [] }))).toEqual([]);
  });

  it('goes by the reading that is declared instead of the one of the header', () => {
    const advised = refused(0, 0, 'rate_limited', { operation: 'readTurn', retryAfter: '240' });
    const found = (rate?: string) => {
      const records = journalOf({ because: '', records: [advised] });
      const kinds = findingsIn(records, rate === undefined ? {} : { rate }).map(({ kind }) => kind);
      return kinds.filter((kind) => kind === 'retry-after-longer-than-window');
    };
    expect(found()).toEqual(['retry-after-longer-than-window']);
    expect(found('fixed-window-penalty')).toEqual([]);
  });
});
