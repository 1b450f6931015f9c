import type { Exchange, Header, JournalRecord } from '../../../history/index.ts';
import { accepted, end, header, poll } from '../../../testing/history/sample-records.ts';
import type { Certificate, ExchangeRef, OverAdmission } from '../../certificates/certificate.ts';
import { foldedOf } from '../../limits/judging.exam.ts';
import { rawHistory } from '../../verify.ts';
import { verifies } from '../certificate.ts';
import { exact } from '../days/days.exam.ts';

/*
 * Certificates about two slots, written by hand: each holds, and no longer when one thing of it or of the history is otherwise.
 */

export function historyOf(
  records: readonly JournalRecord[],
  members: Partial<Header> = {},
  complete = true,
): JournalRecord[] {
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  return [header({ clock: exact, ...members }), ...records, end({ exchanges, complete })];
}

export const holds = (certificate: Certificate, records: readonly JournalRecord[]) =>
  verifies(
    certificate,
    rawHistory([certificate], foldedOf(records), () => records),
  );

export const common = { limit: 'concurrency', max: 2, windowUs: 0, fromUs: 0, toUs: 0, claim: '', counts: '' } as const;

export const cores = (exchanges: readonly ExchangeRef[], members: Partial<OverAdmission> = {}): OverAdmission => ({
  ...common,
  reading: 'accepted-to-finished',
  scope: { application: 'a1' },
  rule: 'concurrency-cores',
  because: 'over-admission',
  spanUs: 0,
  observed: 3,
  possible: 2,
  exchanges,
  ...members,
});
export const turn = (k: number, members: Partial<Exchange> = {}) => accepted(k, `t${k}`, 0, 5, members);
/** Number 10 + k: turn k seen at work. */
export const seen = (k: number, at: number, status = 'processing', members: Partial<Exchange> = {}) =>
  poll(10 + k, `t${k}`, status, at, at + 5, members);
export const three = [turn(0), turn(1), turn(2), seen(0, 100), seen(1, 100), seen(2, 100)];
export const all = [0, 1, 2, 10, 11, 12];
export const proves = (records: readonly JournalRecord[], named: readonly ExchangeRef[] = all, members = {}) =>
  holds(cores(named, members), historyOf(records));
