import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { accepted, end, header, poll, refused, us } from '../../testing/history/sample-records.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import { turnSlices } from './turn-slices.ts';

/** What one turn, accepted by 5, may have held and surely held. Stamps are rounded down: what was seen by 5 was by 6. */
function heldOf(...seen: readonly JournalRecord[]) {
  const exact = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(1_000) };
  const records = [header({ clock: exact }), accepted(0, 't1', 0, 5), ...seen, end({ exchanges: 1 + seen.length })];
  const [slice] = turnSlices(foldedOf(records).evidence, 'application');
  if (!slice) throw new Error('no slice');
  const cores = ({ from, to }: typeof slice.open) => [...from.keys()].map((i) => [from[i], to[i]]);
  return { until: slice.until[0], workFrom: slice.workFrom[0], open: cores(slice.open), working: cores(slice.working) };
}
const queued = (seq: number, sentAt: number) => poll(seq, 't1', 'queued', sentAt, sentAt + 5);
const working = (seq: number, sentAt: number) => poll(seq, 't1', 'processing', sentAt, sentAt + 5);
const streamed = (at: number): JournalRecord => ({
  kind: 'stream',
  turn: 't1',
  event: 'delta',
  sequence: 1,
  at: us(at),
});

describe('a turn', () => {
  it('held a slot from its acceptance until a poll that saw it open was sent, and no longer than till its end was seen', () => {
    expect(heldOf(queued(1, 50))).toMatchObject({ until: Infinity, open: [[6, 50]], working: [] });
    expect(heldOf(queued(1, 50), working(2, 70))).toMatchObject({ open: [[6, 70]] });
    expect(heldOf(queued(1, 50), poll(2, 't1', 'completed', 80, 90))).toMatchObject({ until: 91, open: [[6, 50]] });
    expect(heldOf()).toMatchObject({ until: Infinity, open: [], working: [] });
  });

  it('was in process from the first answer that said so to the last poll that saw it so', () => {
    expect(heldOf(working(1, 50), working(2, 90)).working).toEqual([[56, 90]]);
    expect(heldOf(working(1, 50)).working).toEqual([]);
    expect(heldOf(streamed(30), working(1, 50)).working).toEqual([[31, 50]]);
    expect(heldOf(streamed(50), working(1, 50)).working).toEqual([]);
  });

  it('waited until a poll that saw it wait was sent, unless it was in process by then', () => {
    const between = (at: number) => heldOf(queued(1, at), working(2, 50), working(3, 90));
    expect(between(20)).toMatchObject({ workFrom: 20, working: [[56, 90]] });
    expect(between(55)).toMatchObject({ workFrom: 55, working: [[56, 90]] });
    // Seen in process by 56: it waited again, or nobody knows.
    expect(between(57)).toMatchObject({ workFrom: 0, working: [] });
    expect(between(56)).toMatchObject({ workFrom: 0, working: [] });
    expect(heldOf(queued(1, 20), streamed(21), working(2, 50))).toMatchObject({ workFrom: 20, working: [[22, 50]] });
    expect(heldOf(queued(1, 22), streamed(21), working(2, 50))).toMatchObject({ workFrom: 0, working: [] });
  });
});

describe('a refused message of another user in a conversation of the same name', () => {
  const mine = accepted(0, 't1', 0, 5, { conversation: 'c1' });
  const theirs = (code: string) =>
    refused(1, 2, code, { user: 'u2', conversation: 'c1', message: { id: 'm', digest: 'd' } });
  const untilOf = (other: JournalRecord) => {
    const records = [header(), mine, other, end({ exchanges: 2 })];
    const [slice] = turnSlices(foldedOf(records).evidence, 'conversation');
    return [...(slice?.until ?? [])].map((until, i) => [slice?.row[i], until]);
  };

  it('may have held a slot until its answer if another limit refused it', () => {
    const until = untilOf(theirs('daily_quota_exceeded'));
    expect(until).toHaveLength(2);
    expect(until[1]?.[1]).toBeGreaterThan(2);
  });

  it('held none if the limit of slots refused it', () => {
    expect(untilOf(theirs('concurrency_limited'))).toHaveLength(1);
  });
});
