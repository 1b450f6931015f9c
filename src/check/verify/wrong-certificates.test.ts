import { describe, expect, it } from 'vitest';
import type { Header, JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import type { Certificate, WrongfulRefusal } from '../certificates/certificate.ts';
import { claimOf } from '../certificates/claim.ts';
import { judgeEvidence } from '../judge.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import { rawHistory, verify } from '../verify.ts';
import { verifies } from './certificate.ts';
import { invalid, journal, read, reads, refused, SECOND, violated } from './sample-journal.exam.ts';

describe('a certificate that an engine made wrongly', () => {
  const records = journal([...reads(25), refused(200)]);
  const folded = foldedOf(records);
  const verdicts = judgeEvidence(folded.evidence);
  const [rate, ...others] = verdicts.limits;
  if (rate?.verdict !== 'violated') throw new Error('not violated');
  const check = (certificate: Certificate, because = certificate.because) =>
    verify(
      { ...verdicts, limits: [{ ...rate, because, certificate, readings: [] }, ...others] },
      folded,
      () => records,
    );

  it('holds for nothing but what it says', () => {
    const { certificate } = rate;
    check(certificate);
    expect(() => check(certificate, 'wrongful-refusal')).toThrow(invalid);
    expect(() => check(certificate, 'inconsistent')).toThrow(invalid);
  });

  it('does not hold, whatever of it is wrong', () => {
    const { certificate } = rate;
    if (certificate.because !== 'over-admission' || 'arcs' in certificate) throw new Error('of another kind');
    expect(certificate).toMatchObject({ rule: 'sliding-log-n-plus-1', observed: 21 });
    check(certificate);
    const { exchanges } = certificate;
    const spoilt: Certificate[] = [
      { ...certificate, exchanges: exchanges.slice(1) },
      { ...certificate, exchanges: exchanges.slice(1), observed: 20 },
      { ...certificate, exchanges: [...exchanges.slice(1), exchanges[1] ?? 0] },
      { ...certificate, exchanges: [...exchanges.slice(1), 25] },
      { ...certificate, exchanges: [...exchanges.slice(1), 999] },
      { ...certificate, reading: 'token-bucket' },
      { ...certificate, reading: 'every' },
      { ...certificate, rule: 'universal-2N' },
      { ...certificate, max: 19 },
      { ...certificate, windowUs: 60 * SECOND + 1 },
      { ...certificate, because: 'inconsistent' as 'over-admission' },
      { ...certificate, because: 'wrongful-refusal' as 'over-admission' },
      { ...certificate, rule: 'wrongful-refusal-last-window' as 'universal-2N' },
      { ...certificate, rule: 'fixed-window-anchored-chain' },
      { ...certificate, limit: 'daily' },
      { ...certificate, scope: { application: 'a2' } },
      { ...certificate, counts: 'sendMessage' },
    ];
    for (const one of spoilt) expect(() => check(one), JSON.stringify(one)).toThrow(invalid);
  });

  it('of windows that begin with a request does not hold of a bucket that is not wholly known', () => {
    const since: Certificate = {
      ...rate.certificate,
      reading: 'fixed-window-anchored',
      counts: 'bearer',
      rule: 'fixed-window-anchored-since',
      because: 'over-admission',
      spanUs: 25 * SECOND,
      observed: 21,
      possible: 20,
      exchanges: Array.from({ length: 21 }, (_, i) => i),
    };
    const holdsIn = ([head, ...rest]: readonly JournalRecord[], members: Partial<Header> = {}) => {
      const altered = [{ ...(head as Header), ...members }, ...rest];
      return verifies(
        since,
        rawHistory([since], foldedOf(altered), () => altered),
      );
    };
    expect(holdsIn(records)).toBe(true);
    expect(holdsIn(records, { exclusive: false })).toBe(false);
    expect(holdsIn(records, { flushed: { rate: false, concurrency: true, daily: true } })).toBe(false);
    expect(holdsIn(records.slice(0, -1))).toBe(false);
    const coarse = { driftPpm: 0, granularityUs: us(60 * SECOND), maxServerDelayUs: us(SECOND) };
    expect(holdsIn(records, { clock: coarse })).toBe(false);
  });

  it('holds of a window that is shorter by as much as clock records contradict one another', () => {
    const late = journal([...reads(20), read(57)]);
    const clock = (at: number, offS: number): JournalRecord => ({
      ...{ kind: 'clock', at: us(at * SECOND), plusMinusUs: us(SECOND / 5), rate: 1 },
      serviceUs: us((1_000_000 + at + offS) * SECOND),
    });
    const exchanges = Array.from({ length: 21 }, (_, i) => i);
    const many = { ...rate.certificate, exchanges, observed: 21 } as Certificate;
    const holdsBy = (...clocks: JournalRecord[]) => {
      const records = [...late, ...clocks];
      return verifies(
        many,
        rawHistory([many], foldedOf(records), () => records),
      );
    };
    expect(holdsBy()).toBe(true);
    expect(holdsBy(clock(0, 0), clock(30, 0))).toBe(true);
    expect(holdsBy(clock(0, 0), clock(30, 5))).toBe(false);
    expect(holdsBy(clock(0, 5), clock(30, 0))).toBe(false);
  });

  it('of a refusal neither', () => {
    const told: WrongfulRefusal = {
      limit: 'rate',
      reading: 'sliding-log',
      scope: { application: 'a1' },
      counts: 'bearer',
      max: 20,
      windowUs: 60 * SECOND,
      fromUs: 200 * SECOND,
      toUs: 200 * SECOND + 11,
      claim: '',
      rule: 'wrongful-refusal-last-window',
      because: 'wrongful-refusal',
      refusal: 25,
      lookBackUs: 60 * SECOND,
      observed: 0,
      needed: 20,
      exchanges: [],
    };
    const refusal = { ...told, claim: claimOf(told) };
    check(refusal);
    for (const one of [
      { ...refusal, refusal: 24 },
      { ...refusal, refusal: 77 },
      { ...refusal, max: 21 },
      { ...refusal, windowUs: 61 * SECOND },
      { ...refusal, rule: 'wrongful-refusal-concurrency' },
      { ...refusal, rule: 'sliding-log-n-plus-1' as 'universal-refusal' },
      { ...refusal, rule: 'wrongful-refusal-token-bucket' },
      { ...refusal, scope: { application: 'a2' } },
    ] satisfies Certificate[])
      expect(() => check(one), JSON.stringify(one)).toThrow(invalid);
  });
});

describe('a forged certificate against an honest service', () => {
  it('of requests that its profile does not count together is not believed, though as many were admitted', () => {
    const exchanges = [...reads(15), ...reads(15, 15, { user: 'u2' })];
    const [together, apart] = [journal(exchanges), journal(exchanges, { scope: 'user' })];
    const verdicts = judgeEvidence(foldedOf(together).evidence);
    expect(violated(verdicts).map(({ limit }) => limit)).toEqual(['rate']);
    const checkIn = (records: readonly JournalRecord[]) => verify(verdicts, foldedOf(records), () => records);
    expect(() => checkIn(together)).not.toThrow();
    expect(() => checkIn(apart)).toThrow(invalid);
    for (const leftOut of ['scope', 'counts', 'countsReplays'])
      expect(() => checkIn(journal(exchanges, { [leftOut]: undefined })), leftOut).toThrow(invalid);
  });

  it('that names each of ten attempts twice has not twenty', () => {
    const records = journal(reads(21));
    const forged = (exchanges: readonly number[]) =>
      ({
        ...{ limit: 'rate', reading: 'sliding-log-counting-refused', scope: { application: 'a1' }, counts: 'bearer' },
        ...{ rule: 'sliding-log-attempts', because: 'over-admission', max: 20, windowUs: 60 * SECOND },
        ...{ observed: 21, possible: 20, exchanges },
      }) as unknown as Certificate;
    const holds = (certificate: Certificate) =>
      verifies(
        certificate,
        rawHistory([certificate], foldedOf(records), () => records),
      );
    expect(holds(forged([...records.keys()].slice(0, 21)))).toBe(true);
    expect(holds(forged([...[...Array(10).keys()].flatMap((one) => [one, one]), 20]))).toBe(false);
  });
});
