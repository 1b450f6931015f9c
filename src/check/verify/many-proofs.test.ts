import { describe, expect, it } from 'vitest';
import type { JournalRecord, StreamRecord } from '../../history/index.ts';
import { accepted, end, header, poll, refused, us } from '../../testing/history/sample-records.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { foldedOf, judgeOne } from '../limits/judging.exam.ts';
import { rawHistory } from '../verify.ts';
import { isAsCounted } from './as-counted.ts';
import { verifies } from './certificate.ts';

/* What the proofs of large histories cost: one that a service refuses wrongly has dozens of proofs. */

const historyOf = (records: readonly JournalRecord[]): JournalRecord[] => [
  header(),
  ...records,
  end({ exchanges: records.filter(({ kind }) => kind === 'exchange').length }),
];

/** Counts how often the messages of records are read. */
function counting(records: readonly JournalRecord[]) {
  let reads = 0;
  const counted = records.map((record) => {
    if (record.kind !== 'exchange' || record.message === undefined) return record;
    const { message } = record;
    return Object.defineProperty({ ...record }, 'message', {
      enumerable: true,
      get: () => {
        reads += 1;
        return message;
      },
    });
  });
  return {
    counted,
    readsOf: (work: () => void) => {
      const before = reads;
      work();
      return reads - before;
    },
  };
}

/** Reads of messages for the first proofs, each of which holds. */
function readsFor(count: number, certificates: readonly Certificate[], records: readonly JournalRecord[]): number {
  const { counted, readsOf } = counting(records);
  const history = rawHistory(certificates, foldedOf(counted), () => counted);
  return readsOf(() => {
    for (const certificate of certificates.slice(0, count))
      expect(verifies(certificate, history) && isAsCounted(certificate, history)).toBe(true);
  });
}

describe('what one proof takes from all messages, the next does not take again', () => {
  it.each([
    ['concurrency', 'concurrency_limited'],
    ['daily', 'daily_quota_exceeded'],
  ] as const)('about the %s limit', (limit, code) => {
    const records = historyOf(Array.from({ length: 400 }, (_, seq) => refused(seq, seq * 10_000, code)));
    const { certificates } = judgeOne(records, limit);
    expect(certificates.length).toBeGreaterThan(300);
    const one = readsFor(1, certificates, records);
    expect(one).toBeGreaterThan(400);
    expect(readsFor(21, certificates, records)).toBeLessThan(2 * one);
  });
});

it('a proof of one turn too many costs in proportion to the slots', () => {
  const tooMany = (slots: number) => {
    const turns = Array.from({ length: slots + 1 }, (_, turn) => turn);
    const records = [
      ...turns.map((turn) => accepted(turn, `t${turn}`, turn * 1_000, turn * 1_000 + 500)),
      ...turns.map((turn) => poll(slots + 1 + turn, `t${turn}`, 'processing', 1_000_000 + turn, 1_000_500 + turn)),
    ];
    const { limits } = header();
    return historyOf(records).map((record) =>
      record.kind === 'header' ? header({ limits: { ...limits, concurrency: { max: slots } } }) : record,
    );
  };
  const costOf = (slots: number) => {
    const records = tooMany(slots);
    const { certificates } = judgeOne(records, 'concurrency', 'accepted-to-finished');
    expect(certificates[0]?.exchanges).toHaveLength(2 * slots + 1);
    return readsFor(1, certificates, records);
  };
  expect(costOf(40)).toBeLessThan(3 * costOf(20));
});

describe('a message sent again and again', () => {
  const sent = (count: number) =>
    historyOf([
      ...Array.from({ length: count }, (_, seq) =>
        accepted(seq, 't0', seq * 1_000, seq * 1_000 + 500, {
          message: { id: 'm', digest: 'd' },
          ...(seq > 0 && { resend: 'same' }),
        }),
      ),
      refused(count, count * 1_000, 'daily_quota_exceeded'),
    ]);

  it('costs in proportion to its attempts', () => {
    const costOf = (count: number) => {
      const records = sent(count);
      return readsFor(1, judgeOne(records, 'daily', 'first-use').certificates, records);
    };
    expect(costOf(400)).toBeLessThan(3 * costOf(200));
  });
});

it('a turn may have more events than a call has arguments', () => {
  const many = 130_000;
  const events: StreamRecord[] = Array.from({ length: many }, (_, at) => ({
    kind: 'stream',
    turn: 't0',
    event: at === many - 1 ? 'completed' : 'delta',
    at: us(10_000 + at),
  }));
  const records = historyOf([accepted(0, 't0', 0, 5), ...events, refused(100, 1_000_000, 'concurrency_limited')]);
  const { verdict, certificates } = judgeOne(records, 'concurrency', 'processing-only');
  expect(verdict.verdict).toBe('violated');
  expect(certificates.map(({ because }) => because)).toContain('wrongful-refusal');
});
