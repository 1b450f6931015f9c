import type { Exchange, JournalRecord } from '../history/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { judge } from './index.ts';
import type { RateService } from './rate-service.exam.ts';
import { honestSlidingLog, type MakeHonest } from './readings/honest-limiters.exam.ts';
import type { Verdicts } from './verdict.ts';

/** Histories of a rate limit, and what the judge says of them. */

export const service: RateService = { max: 5, windowUs: 60_000, pressure: 8, requests: 60, code: 'rate_limited' };
export const rateIn = ({ limits }: Verdicts) => {
  const verdict = limits.find(({ limit }) => limit === 'rate');
  if (!verdict) throw new Error('the rate limit was not judged');
  return verdict;
};
export const rateOf = (records: readonly JournalRecord[]) => rateIn(judge(records));

/** `count` requests, `every` µs apart, all admitted. */
export const admitted = (count: number, every: number): Exchange[] =>
  Array.from({ length: count }, (_, seq) =>
    exchange({
      seq,
      sentAt: us(seq * every),
      headersAt: us(seq * every + 10),
      receivedAt: us(seq * every + 20),
      token: 't1',
      conversation: 'c1',
    }),
  );
export const moments = (at: number) => ({ sentAt: us(at), headersAt: us(at + 10), receivedAt: us(at + 20) });
export const refusal = (seq: number, at: number): Exchange =>
  exchange({
    seq,
    ...moments(at),
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: '' },
  });
export const exact = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(30_000_000) };
export const journal = (
  exchanges: readonly JournalRecord[],
  members: Parameters<typeof header>[0] = {},
): JournalRecord[] => [
  header({ clock: exact, ...members }),
  ...exchanges,
  end({ exchanges: exchanges.filter(({ kind }) => kind === 'exchange').length }),
];

/** Limits that are not what they are declared to be. */
const unlimited: MakeHonest = () => ({ decide: () => true, copy: () => unlimited(0, 0, 0) });
export const faulty = {
  unlimited,
  'one too many': (max: number, windowUs: number, phase: number) => honestSlidingLog(max + 1, windowUs, phase),
  'a short window': (max: number, windowUs: number, phase: number) => honestSlidingLog(max, windowUs * 0.6, phase),
  'one too few': (max: number, windowUs: number, phase: number) => honestSlidingLog(max - 1, windowUs, phase),
  'a long window': (max: number, windowUs: number, phase: number) => honestSlidingLog(max, windowUs * 3, phase),
} satisfies Record<string, MakeHonest>;
