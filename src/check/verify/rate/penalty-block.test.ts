import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../../api/index.ts';
import { end, exchange, header, us, written } from '../../../testing/history/sample-records.ts';
import type { OverAdmission } from '../../certificates/certificate.ts';
import { foldedOf } from '../../limits/judging.exam.ts';
import { journal, moments, rateOf, refusal as refusalAt } from '../../rate-histories.exam.ts';
import { rawHistory } from '../../verify.ts';
import { verifies } from '../certificate.ts';
import type { Decided } from '../raw/raw.ts';
import { type Rival, rivalsOf } from '../raw/rivals.exam.ts';
import { wasBlocked } from './penalty-block.ts';

/** An admission, a refusal and an admission, of windows of 60. */
const holds = (three: readonly [Decided, Decided, Decided], others: readonly Rival[] = [], backUs = 0): boolean => {
  const [before, refusal, after] = three;
  const rivals: Rival[] = [
    [before.from, before.to],
    [refusal.from, refusal.to, 'refused'],
    [after.from, after.to],
  ];
  return wasBlocked(three, rivalsOf([...rivals, ...others]), { shortUs: 60, backUs });
};

describe('a request between two that were admitted was refused and blocked the later one', () => {
  const [before, refusal, after] = [
    { from: 0, to: 2 },
    { from: 50, to: 52 },
    { from: 60, to: 109 },
  ];

  it('if that came less than a window later', () => {
    expect(holds([before, refusal, after])).toBe(true);
    expect(holds([before, refusal, { ...after, to: 110 }])).toBe(false);
  });

  it('if each was decided before the next one was sent', () => {
    expect(holds([{ from: 0, to: 50 }, refusal, after])).toBe(false);
    expect(holds([before, { from: 50, to: 60 }, after])).toBe(false);
    expect(holds([after, refusal, before])).toBe(false);
  });

  it('and so long after the earlier one that the clock cannot have gone back to an earlier block', () => {
    expect(holds([before, refusal, after], [], 47)).toBe(true);
    expect(holds([before, refusal, after], [], 48)).toBe(false);
  });

  it('unless the block may have begun with an earlier refusal', () => {
    expect(holds([before, refusal, after], [[49, 70, 'refused']])).toBe(false);
    expect(holds([before, refusal, after], [[49, 49, 'perhaps']])).toBe(false);
    expect(holds([before, refusal, after], [[-9, 2, 'perhaps']])).toBe(false);
    // Before the first admission, or admitted: neither blocks.
    expect(
      holds(
        [before, refusal, after],
        [
          [-9, -1, 'refused'],
          [20, 20],
        ],
      ),
    ).toBe(true);
    // At the latest with the earlier admission.
    expect(holds([before, refusal, { from: 55, to: 59 }], [[-9, 9, 'perhaps']])).toBe(true);
  });
});

describe('a proof that an admission was blocked', () => {
  const rate = { max: 2, windowUs: us(60_000_000), reading: 'fixed-window-penalty' };
  const declared = {
    limits: { ...header().limits, rate },
    profile: TargetProfileSchema.parse({ errorCodes: { known: true }, limits: { rate: written.rate } }),
  };
  const who = { token: 't1', conversation: 'c1' };
  const answered = (seq: number, at: number) => exchange({ seq, ...moments(at), ...who });
  const [first, second, last] = [answered(0, 1_000_000), answered(1, 2_000_000), answered(3, 70_000_000)];
  const refused = { ...refusalAt(2, 50_000_000), ...who };
  const records = (refusal = refused, members: Parameters<typeof header>[0] = {}) =>
    journal([first, second, refusal, last], { ...declared, ...members });
  const proof = (): OverAdmission => {
    const verdict = rateOf(records());
    if (verdict.verdict !== 'violated' || !('possible' in verdict.certificate)) throw new Error('no proof');
    return verdict.certificate;
  };
  const isAccepted = (history = records(), certificate = proof()) =>
    verifies(
      certificate,
      rawHistory([certificate], foldedOf(history), () => history),
    );

  it('names an admission, a refusal and an admission', () => {
    expect(proof()).toMatchObject({ rule: 'fixed-window-penalty-block', exchanges: [1, 2, 3] });
    expect(isAccepted()).toBe(true);
    expect(isAccepted(records(), { ...proof(), observed: 4 })).toBe(false);
    expect(isAccepted(records(), { ...proof(), exchanges: [0, 1, 2, 3] })).toBe(false);
    expect(isAccepted(records(), { ...proof(), exchanges: [0, 1, 3] })).toBe(false);
  });

  it('holds only in a bucket of which everything is known', () => {
    expect(isAccepted(records(refused, { exclusive: false }))).toBe(false);
    expect(isAccepted(records(refused, { flushed: { ...header().flushed, rate: false } }))).toBe(false);
    const cut = records().map((record) => (record.kind === 'end' ? end({ exchanges: 4, complete: false }) : record));
    expect(isAccepted(cut)).toBe(false);
    const scope = { application: 'a1', user: 'u1', ...who, operation: 'readHistory' };
    expect(isAccepted(records(), { ...proof(), scope })).toBe(false);
  });

  it('needs a refusal by this limit, in this bucket, of a request that counts', () => {
    expect(isAccepted(records({ ...refused, application: 'a2' }))).toBe(false);
    expect(isAccepted(records({ ...refused, operation: 'issueToken' }))).toBe(false);
    const error = { code: 'concurrency_limited', retryable: true, requestId: '' };
    expect(isAccepted(records({ ...refused, error }))).toBe(false);
  });
});
