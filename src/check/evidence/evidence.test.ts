import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { Answer } from './evidence.ts';
import { EvidenceFold, type Wholeness } from './evidence-fold.ts';

const evidenceOf = (records: readonly JournalRecord[], file?: Wholeness, head = header()) => {
  const fold = new EvidenceFold(head);
  for (const record of records) fold.add(record);
  return fold.finish(file);
};
const at = (seq: number, sentAt = seq, members: Partial<Exchange> = {}) =>
  exchange({ seq, sentAt: us(sentAt), ...members });
const sent = (seq: number, worker?: number): JournalRecord => ({
  ...{ kind: 'sent', seq, operation: 'readHistory', at: us(0) },
  ...(worker !== undefined && { worker }),
});

describe('a history', () => {
  const complete = (records: readonly JournalRecord[], file?: Wholeness) => evidenceOf(records, file).complete;
  const two = [at(0), at(1)];

  it('is complete when its end says so and counts right, all that was sent came back, and its file was whole', () => {
    expect(complete([...two, end({ exchanges: 2 })])).toBe(true);
    expect(complete(two)).toBe(false);
    expect(complete([...two, end({ exchanges: 2, complete: false })])).toBe(false);
    // What was open then has its record: it was given up.
    for (const reason of ['deadline', 'interrupted', 'gate', 'budget'])
      expect(complete([...two, end({ exchanges: 2, complete: false, reason })]), reason).toBe(true);
    for (const reason of ['disk', 'target', 'sandbox', 'lines-unreadable'])
      expect(complete([...two, end({ exchanges: 2, complete: false, reason })]), reason).toBe(false);
    expect(complete([sent(2), ...two, end({ exchanges: 2, complete: false, reason: 'deadline' })])).toBe(false);
    expect(complete([...two, end({ exchanges: 3, complete: false, reason: 'deadline' })])).toBe(false);
    expect(complete([...two, end({ exchanges: 3 })])).toBe(false);
    expect(complete([...two, end({ exchanges: 1 })])).toBe(false);
    expect(complete([...two, end({ exchanges: 2 })], { complete: true, skipped: {}, mayLackClock: false })).toBe(true);
    expect(complete([...two, end({ exchanges: 2 })], { complete: false, skipped: {}, mayLackClock: false })).toBe(
      false,
    );
    expect(complete([sent(0), ...two, sent(1), end({ exchanges: 2 })])).toBe(true);
    expect(complete([sent(2), ...two, end({ exchanges: 2 })])).toBe(false);
    expect(complete([...two, sent(1, 1), end({ exchanges: 2 })])).toBe(false);
    expect(complete([sent(1, 1), at(0), at(1, 1, { worker: 1 }), end({ exchanges: 2 })])).toBe(true);
  });

  it('of another program that was stopped need not have what was open then', () => {
    const foreign = header({ tool: 'spillways 2' });
    const stopped = end({ exchanges: 2, complete: false, reason: 'interrupted' });
    expect(evidenceOf([...two, stopped]).complete).toBe(true);
    expect(evidenceOf([...two, stopped], undefined, foreign).complete).toBe(false);
    expect(evidenceOf([...two, end({ exchanges: 2 })], undefined, foreign).complete).toBe(true);
  });

  it('says what of it is not believed, and how often', () => {
    const odd = at(7, 5_000, { headersAt: us(4_000), receivedAt: us(9_000) });
    const records = [sent(0), ...two, sent(8), sent(9), odd, at(1, 30), at(1, 40)];
    expect(
      evidenceOf(records, { complete: true, mayLackClock: false, skipped: { 'unreadable lines': 2 } }).skipped,
    ).toEqual({
      'unreadable lines': 2,
      'sent without an exchange': 2,
      'received before it was sent': 1,
      'duplicate sequence number': 3,
    });
    expect(evidenceOf(two).skipped).toEqual({});
  });
});

describe('of records that are not believed', () => {
  it('nothing is known but that they are there', () => {
    const { from, to, answer, refusedBy, doubtful, order } = evidenceOf([
      at(0, 10, { outcome: 'refused', status: 429 }),
      at(1, 20),
      at(0, 30),
    ]);
    expect([...doubtful]).toEqual([1, 0, 1]);
    expect([...answer]).toEqual([Answer.maybe, Answer.admitted, Answer.maybe]);
    expect([...refusedBy]).toEqual([0, 0, 0]);
    expect([...from]).toEqual([-Infinity, 20, -Infinity]);
    expect([...to]).toEqual([Infinity, 921, Infinity]);
    expect([...order]).toEqual([0, 2, 1]);
  });
});

describe('the end of a decision', () => {
  const until = (members: Partial<Exchange>) => evidenceOf([at(0, 10, members)]).to[0];
  const later = 10 + 30_000_000;
  const unanswered = (): Exchange => {
    const { headersAt: _, status: __, ...rest } = at(0, 10);
    return { ...rest, outcome: 'failed' };
  };

  it('is the status line of an answer of the service, and a microsecond for its rounding', () => {
    expect(until({})).toBe(911);
    expect(until({ status: 429, outcome: 'refused' })).toBe(911);
    expect(until({ status: 499 })).toBe(911);
  });

  it('is the longest delay where the answer may be an intermediary’s, or there is none', () => {
    expect(until({ status: 500 })).toBe(later);
    expect(until({ bodyProblem: 'cut' })).toBe(later);
    expect(until({ status: 500, headersAt: us(50_000_000), receivedAt: us(50_000_000) })).toBe(50_000_001);
    expect(evidenceOf([unanswered()]).to[0]).toBe(later);
    expect(evidenceOf([{ ...unanswered(), receivedAt: us(40_000_000) }]).to[0]).toBe(40_000_000);
  });
});
