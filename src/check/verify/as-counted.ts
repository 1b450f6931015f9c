import type { Certificate, ExchangeRef } from '../certificates/certificate.ts';
import { claimOf } from '../certificates/claim.ts';
import type { Recounted } from './counted.ts';
import { countedMessages } from './days/daily.ts';
import { countedRate } from './rate/counted-rate.ts';
import { greatest, least } from './raw/extremes.ts';
import { DAY_US } from './raw/raw-days.ts';
import type { RawHistory } from './raw/raw-history.ts';
import { settingsOf } from './raw/raw-profile.ts';
import { countedTurns } from './slots/concurrency.ts';

/**
 * The proof may hold although the certificate prints something false: another number, an incomplete list, another window. So
 * every member is recomputed and compared, except names of what is proven (limit, rule, reading, scope, what counts) and the
 * exchanges that a refusal or an over-admission is proven by.
 */

/** Whether a certificate whose proof holds (`verifies`) prints exactly what was counted. */
export function isAsCounted(certificate: Certificate, history: RawHistory): boolean {
  const restated = restatedOf(certificate, history);
  return restated !== undefined && isSame(certificate, restated);
}

/** What the certificate has to print; `undefined` if no certificate of its kind can be made of the exchanges that it names. */
function restatedOf(certificate: Certificate, history: RawHistory): Certificate | undefined {
  const counted = countedOf(certificate, history);
  if (!counted) return undefined;
  const { limit, reading, scope, counts, rule } = certificate;
  const { max, windowUs } = numbersOf(limit, history);
  const fromUs = least(counted.stamps.map(({ sentAt }) => sentAt));
  const toUs = greatest(counted.stamps.map(({ until }) => until));
  // No spreading before the other members: Node 20 takes 2 µs for each that a literal adds to what was spread.
  const common = { limit, reading, scope, counts, rule, max, windowUs, fromUs, toUs };
  const restated = Object.assign(common, counted.members, { claim: '' }) as Certificate;
  return { ...restated, claim: claimOf(restated) };
}

function countedOf(certificate: Certificate, history: RawHistory): Recounted | undefined {
  if (certificate.limit === 'rate') return countedRate(certificate, history);
  if ('arcs' in certificate || certificate.counts !== WHAT_COUNTS[certificate.limit]) return undefined;
  return certificate.limit === 'daily' ? countedMessages(certificate, history) : countedTurns(certificate, history);
}

/** What counts, for the limits that count one thing only. */
const WHAT_COUNTS = { concurrency: 'turns', daily: 'new messages' } as const;

/** N and W from the header; for slots, how long one may stay taken instead of W. */
function numbersOf(limit: Certificate['limit'], history: RawHistory): Pick<Certificate, 'max' | 'windowUs'> {
  const { limits } = history.header;
  if (limit === 'rate') return { max: limits.rate.max, windowUs: limits.rate.windowUs };
  if (limit === 'daily') return { max: limits.daily.max, windowUs: DAY_US };
  const { graceUs } = settingsOf(history);
  return { max: limits.concurrency.max, windowUs: Number.isFinite(graceUs) ? graceUs : 0 };
}

/** Tolerance for a sum made in another order; instants are in µs. Where a clock's steps are unknown, sums are beyond 1e15. */
const hairOf = (a: number, b: number): number =>
  Math.max(1e-3, 4 * Number.EPSILON * Math.min(Math.abs(a), Math.abs(b)));

/** Whether two values are equal: numbers up to rounding, lists of exchanges in any order. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Object.is(a, b) || Math.abs(a - b) <= hairOf(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && areSame(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [a, b] as Record<string, unknown>[] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => isSame(left[name], right[name]));
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  const isRef = (one: unknown): one is ExchangeRef => typeof one !== 'object';
  if (!a.every(isRef) || !b.every(isRef)) return a.every((one, i) => isSame(one, b[i]));
  const sorted = (refs: readonly unknown[]) => refs.map(String).sort();
  const other = sorted(b);
  return sorted(a).every((ref, i) => ref === other[i]);
}
