import { expect } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { end, exchange, header, us, written } from '../../testing/history/sample-records.ts';
import type { Verdicts } from '../verdict.ts';

export const SECOND = 1_000_000;

/** A service of 20 a minute and 3 messages a day, whose clock is exact. */
export function journal(exchanges: readonly Exchange[], rate: object = {}): JournalRecord[] {
  return [
    header({
      profile: TargetProfileSchema.parse({
        errorCodes: { known: true },
        limits: {
          rate: { ...written.rate, reading: 'sliding-log', ...rate },
          daily: { ...written.daily, reading: 'rolling' },
          concurrency: { ...written.concurrency, reading: 'semaphore' },
        },
      }),
      limits: {
        rate: { max: 20, windowUs: us(60 * SECOND), reading: 'sliding-log' },
        concurrency: { max: 2 },
        daily: { max: 3 },
      },
      clock: { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(30 * SECOND) },
    }),
    ...exchanges.map((one, seq) => ({ ...one, seq })),
    end({ exchanges: exchanges.length }),
  ];
}

export const read = (at: number, members: Partial<Exchange> = {}) =>
  exchange({
    seq: 0,
    sentAt: us(at * SECOND),
    headersAt: us(at * SECOND + 10),
    receivedAt: us(at * SECOND + 20),
    ...members,
  });
export const reads = (count: number, from = 0, members: Partial<Exchange> = {}) =>
  Array.from({ length: count }, (_, i) => read(from + i, members));
export const refused = (at: number, members: Partial<Exchange> = {}) =>
  read(at, {
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: '' },
    ...members,
  });
export const invalid = expect.objectContaining({ code: 'CERTIFICATE_INVALID', exitCode: 1 });
export const violated = (verdicts: Verdicts) => verdicts.limits.filter(({ verdict }) => verdict === 'violated');
