import type { ClockRecord, Exchange, Header, JournalRecord } from '../../../history/index.ts';
import { accepted, end, header, us } from '../../../testing/history/sample-records.ts';
import type { Certificate, ExchangeRef, OverAdmission, WrongfulRefusal } from '../../certificates/certificate.ts';
import { foldedOf } from '../../limits/judging.exam.ts';
import { rawHistory } from '../../verify.ts';
import { verifies } from '../certificate.ts';

/*
 * Certificates about three messages a day, written by hand, at the edges of days. Times are hours of the run, which begins at
 * noon of a day in UTC, by a clock that is known exactly.
 */

export const HOUR = 3_600_000_000;
const NOON = Date.UTC(2026, 10, 21, 12) * 1_000;
export const exact = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(1_000) };
export const clock: ClockRecord = { kind: 'clock', at: us(0), serviceUs: us(NOON), plusMinusUs: us(0), rate: 1 };

export const sent = (seq: number, hour: number, members: Partial<Exchange> = {}) =>
  accepted(seq, `t${seq}`, hour * HOUR, hour * HOUR + 5, { token: 't1', ...members });
export const refused = (seq: number, hour: number, code = 'daily_quota_exceeded') =>
  sent(seq, hour, { outcome: 'refused', status: 429, error: { code, retryable: false, requestId: '' } });
export const days = (hours: readonly number[], members: Partial<Exchange> = {}) =>
  hours.map((hour, seq) => sent(seq, hour, members));

export interface Otherwise {
  readonly heading?: Partial<Header>;
  readonly clocks?: readonly ClockRecord[];
  readonly complete?: boolean;
}

export function holds(
  certificate: Certificate,
  messages: readonly JournalRecord[],
  { heading = {}, clocks = [clock], complete = true }: Otherwise = {},
): boolean {
  const limits = { ...header().limits, daily: { max: 3 } };
  const exchanges = messages.length;
  const records = [header({ clock: exact, limits, ...heading }), ...clocks, ...messages, end({ exchanges, complete })];
  return verifies(
    certificate,
    rawHistory([certificate], foldedOf(records), () => records),
  );
}

const common = {
  limit: 'daily',
  max: 3,
  windowUs: 24 * HOUR,
  fromUs: 0,
  toUs: 0,
  claim: '',
  counts: '',
} as const;
export const unflushed = { heading: { flushed: { rate: true, concurrency: true, daily: false } } };

export const over = (exchanges: readonly ExchangeRef[], members: Partial<OverAdmission> = {}): OverAdmission => ({
  ...common,
  reading: 'utc',
  scope: { application: 'a1' },
  rule: 'daily-distinct-messages',
  because: 'over-admission',
  spanUs: 0,
  observed: exchanges.length,
  possible: 3,
  exchanges,
  ...members,
});

export const wrongful = (members: Partial<WrongfulRefusal> = {}): WrongfulRefusal => ({
  ...common,
  reading: 'utc',
  scope: { application: 'a1' },
  rule: 'wrongful-refusal-daily',
  because: 'wrongful-refusal',
  refusal: 9,
  lookBackUs: 0,
  observed: 2,
  needed: 3,
  exchanges: [0, 1],
  ...members,
});
