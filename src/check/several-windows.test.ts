import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { exchange, header, us } from '../testing/history/sample-records.ts';
import type { Certificate } from './certificates/certificate.ts';
import { foldedOf } from './limits/judging.exam.ts';
import { journal, moments, rateOf } from './rate-histories.exam.ts';
import { fixedWindowAligned } from './readings/fixed-window.ts';
import { admitted, boundsFor, sliceOf } from './readings/sample-attempts.exam.ts';
import { isAsCounted } from './verify/as-counted.ts';
import { rawHistory } from './verify.ts';

const MINUTE = 60_000_000;
const clock: JournalRecord = {
  ...{ kind: 'clock', at: us(0), plusMinusUs: us(0), rate: 1 },
  serviceUs: us(1_795_262_400_000_000),
};

/** One a minute, and one too many: each but the first and the last may be of this minute or the next. */
const oneTooMany = (minutes: number): Exchange[] =>
  Array.from({ length: minutes + 1 }, (_, seq) => {
    const isBetween = seq > 0 && seq < minutes;
    const from = (seq === 0 ? 5 : seq === minutes ? 60 * seq - 10 : 60 * seq - 30) * 1_000_000;
    const headersAt = us(isBetween ? from + MINUTE : from);
    return exchange({ seq, sentAt: us(from), headersAt, receivedAt: headersAt, token: 't1', conversation: 'c1' });
  });

describe('one too many in a stretch of windows', () => {
  const rate = { max: 1, windowUs: us(MINUTE), reading: 'fixed-window-aligned' };
  const judged = (exchanges: readonly Exchange[]) =>
    rateOf(journal([clock, ...exchanges], { limits: { ...header().limits, rate }, clock: header().clock }));

  it.each([2, 9, 16])('is proven where only all %i together show it', (minutes) => {
    const verdict = judged(oneTooMany(minutes));
    const length = minutes * MINUTE - 15_000_000 + 1;
    expect(verdict).toMatchObject({
      verdict: 'violated',
      because: 'over-admission',
      certificate: { rule: 'fixed-window-arcs' },
    });
    const arcs = verdict.verdict === 'violated' && 'arcs' in verdict.certificate ? verdict.certificate.arcs : [];
    const toUs = 5_000_000 + length - (minutes - 1) * MINUTE;
    const exchanges = expect.objectContaining({ length: minutes + 1 });
    expect(arcs).toContainEqual({ says: 'boundary-within', fromUs: 5_000_000, toUs, exchanges });
    expect(arcs.map(({ says }) => says).sort()).toEqual(['aligned', 'boundary-within']);
  });

  it.each([2, 9, 16])('is not seen where any one of them is left out: %i', (minutes) => {
    const all = oneTooMany(minutes);
    for (let i = 0; i < all.length; i++) expect(judged(all.toSpliced(i, 1)).verdict).not.toBe('violated');
  });

  it('is proven by as many as that takes: a certificate that names another is not accepted', () => {
    const two = { ...rate, max: 2 };
    const sent = [5, 6, 7, 8].map((second, seq) =>
      exchange({ seq, ...moments(second * 1_000_000), token: 't1', conversation: 'c1' }),
    );
    const records = journal([clock, ...sent], { limits: { ...header().limits, rate: two } });
    const verdict = rateOf(records);
    if (verdict.verdict !== 'violated' || !('arcs' in verdict.certificate)) throw new Error('no arcs');
    const { certificate } = verdict;
    const isAccepted = (one: Certificate) =>
      isAsCounted(
        one,
        rawHistory([one], foldedOf(records), () => records),
      );
    expect(certificate.exchanges).toEqual([1, 2, 3]);
    expect(isAccepted(certificate)).toBe(true);
    const exchanges = [0, 1, 2, 3];
    const arcs = certificate.arcs.map((arc) =>
      arc.says === 'boundary-within' ? { ...arc, fromUs: 5_000_000, exchanges } : arc,
    );
    expect(isAccepted({ ...certificate, fromUs: 5_000_000, exchanges, arcs })).toBe(false);
  });

  it('is none where windows may be shorter', () => {
    const slice = sliceOf([admitted(0), admitted(55), admitted(110)]);
    const isRefuted = (shortUs: number) =>
      fixedWindowAligned.overAdmission(slice, boundsFor(1, 60, { shortUs, originUs: 5 })) !== undefined;
    expect([50, 55, 56].map(isRefuted)).toEqual([false, false, true]);
  });
});
