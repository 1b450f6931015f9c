import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { end, exchange, us } from '../../testing/history/sample-records.ts';
import { drawOf } from '../draw.ts';
import { type FateName, journalFates, type Pages } from './journal-fates.ts';

/** Each answered before the next is sent, in turns by two workers; the clock is told in the middle. */
const body: readonly JournalRecord[] = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((number): JournalRecord[] => {
  const at = us(number * 100);
  const worker = number % 2 === 1 ? { worker: 1 } : {};
  const seq = Math.floor(number / 2);
  return [
    { kind: 'sent', seq, operation: 'readHistory', at, ...worker },
    ...(number === 4 ? ([{ kind: 'clock', at, serviceUs: at, plusMinusUs: us(1), rate: 1 }] as const) : []),
    exchange({ seq, sentAt: at, headersAt: us(at + 50), receivedAt: us(at + 50), ...worker }),
  ];
});
const pages = { body, end: end({ exchanges: 8, at: us(750) }) };
const seeds = Array.from({ length: 30 }, (_, seed) => seed);
const after = (fate: FateName, seed: number): Pages => journalFates[fate](pages, drawOf(seed, 'fates'));
const isExchange = (record: JournalRecord): record is Exchange => record.kind === 'exchange';

describe('a journal', () => {
  it('of a run that was killed is the beginning of the whole, without an end', () => {
    const lengths = seeds.map((seed) => {
      const left = after('killed', seed);
      expect(left).toEqual({ body: body.slice(0, left.body.length) });
      return left.body.length;
    });
    expect(new Set(lengths).size).toBeGreaterThan(5);
  });

  it('whose last pages were not written lacks the end of what each worker did, and nothing of the clock', () => {
    for (const seed of seeds) {
      const left = after('unwritten', seed).body;
      expect(left.filter(({ kind }) => kind === 'clock')).toHaveLength(1);
      for (const worker of [undefined, 1]) {
        const seqs = left.filter(isExchange).flatMap((one) => (one.worker === worker ? [one.seq] : []));
        expect(seqs).toEqual([...seqs.keys()]);
      }
    }
  });

  it('with a hole lacks lines in one place alone', () => {
    for (const seed of seeds) {
      const { body: left, end: last } = after('holed', seed);
      const lost = body.flatMap((record, at) => (left.includes(record) || record.kind === 'clock' ? [] : [at]));
      expect((lost.at(-1) ?? 0) - (lost[0] ?? 0)).toBeLessThanOrEqual(lost.length);
      expect(last).toEqual(pages.end);
    }
  });

  it('of a run that was stopped says of what was under way that it was given up, and how many there are', () => {
    const one = { body: [exchange({ seq: 9, sentAt: us(5), receivedAt: us(90) }), ...body], end: pages.end };
    const stopped = seeds.map((seed) => journalFates.stopped(one, drawOf(seed, 'stopped')));
    for (const { body: left, end: last } of stopped)
      expect(last).toMatchObject({ complete: false, exchanges: left.filter(isExchange).length });
    const given = stopped.flatMap(({ body: left }) =>
      left.filter(isExchange).filter(({ outcome }) => outcome === 'censored'),
    );
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter(({ status, headersAt }) => status !== undefined || headersAt !== undefined)).toEqual([]);
  });
});
