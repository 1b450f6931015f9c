import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../history/index.ts';
import { header, us } from '../testing/history/sample-records.ts';
import { runs } from '../testing/share.ts';
import type { OverAdmission } from './certificates/certificate.ts';
import { judge } from './index.ts';
import { foldedOf } from './limits/judging.exam.ts';
import { admitted, exact, faulty, journal, rateOf, refusal, service } from './rate-histories.exam.ts';
import { rateJournal } from './rate-service.exam.ts';
import { verifies } from './verify/certificate.ts';
import { rawHistory, verify } from './verify.ts';

describe('faulty services', () => {
  it.each([
    ['unlimited', 'unknown', 'over-admission', 100, 30],
    ['one too many', 'sliding-log', 'over-admission', 14, 30],
    ['a short window', 'sliding-log', 'over-admission', 14, 28],
    ['one too few', 'sliding-log', 'wrongful-refusal', 14, 30],
    ['a long window', 'sliding-log', 'wrongful-refusal', 14, 28],
  ] as const)(
    '%s, declared as %s: %s at %i requests a window, in at least %i of 30',
    (fault, reading, because, pressure, least) => {
      const journals = Array.from({ length: runs(30) }, (_, seed) =>
        rateJournal(faulty[fault], { ...service, pressure, requests: 150, reading, scope: 'token' }, seed),
      );
      const proven = journals.map(rateOf).filter((verdict) => verdict.verdict === 'violated');
      expect(proven.length).toBeGreaterThanOrEqual(Math.floor((least * journals.length) / 30));
      expect(proven.every((one) => one.because === because || one.because === 'inconsistent')).toBe(true);
    },
  );
});

describe('a certificate', () => {
  it('names 41 of 45 admitted within a minute, in scope and interval', () => {
    const verdict = rateOf(journal(admitted(45, 1_000_000)));
    expect(verdict).toMatchObject({
      verdict: 'violated',
      because: 'over-admission',
      overAdmission: 'proven',
      wrongfulRefusal: 'not-proven',
    });
    expect(verdict).toMatchObject({
      certificate: {
        rule: 'universal-2N',
        reading: 'every',
        observed: 41,
        possible: 40,
        scope: { application: 'a1', user: 'u1', token: 't1', conversation: 'c1', operation: 'readHistory' },
        spanUs: 40_000_011,
        claim: '41 requests were admitted within 40.1 s; no reading of 20 per 60 s admits more than 40',
      },
    });
  });

  it('names what a rate just above the limit adds up to, although windows may be a second short', () => {
    const clock = { ...exact, driftPpm: 500, granularityUs: us(1_000_000) };
    // All within half a second of each minute, so that a boundary may lie in each of them.
    const inBursts = (size: number, minutes: number) => {
      const bursts = admitted(size * minutes, 0).map((one, i) => {
        const sentAt = us(Math.floor(i / size) * 60_000_000 + (i % size) * 20_000);
        return { ...one, sentAt, headersAt: us(sentAt + 10), receivedAt: us(sentAt + 20) };
      });
      return rateOf(journal(bursts, { clock }));
    };
    expect(inBursts(24, 5).verdict).toBe('undecided');
    expect(inBursts(24, 6)).toMatchObject({
      verdict: 'violated',
      because: 'over-admission',
      certificate: { rule: 'universal-density', reading: 'every', observed: 141, possible: 140 },
    });
    expect(inBursts(20, 60).verdict).toBe('undecided');
  });

  it('of a refusal that no reading explains names every reading, and all that may have counted', () => {
    const verdict = rateOf(journal([...admitted(3, 1_000_000), refusal(9, 10_000_000)]));
    expect(verdict).toMatchObject({
      verdict: 'violated',
      because: 'wrongful-refusal',
      certificate: {
        rule: 'universal-refusal',
        reading: 'every',
        observed: 3,
        needed: 20,
        exchanges: [0, 1, 2],
        claim:
          'request 9 was refused although at most 3 can have counted in the 120 s before it, refused ones included, or before any refusal that may have blocked it; no reading of 20 per 60 s refuses a request before 20 have counted',
      },
    });
  });

  it('is against all readings from the last request on that any of them admits, and of one where that is declared', () => {
    const nearly = (count: number) => rateOf(journal([...admitted(count, 1_000_000), refusal(99, 40_000_000)]));
    expect(nearly(19)).toMatchObject({ verdict: 'violated', certificate: { reading: 'every', observed: 19 } });
    expect(nearly(20)).toMatchObject({ verdict: 'consistent' });
    const declared = rateOf(
      journal(admitted(45, 1_000_000), {
        limits: { ...header().limits, rate: { ...header().limits.rate, reading: 'gcra' } },
      }),
    );
    expect(declared).toMatchObject({ declared: 'token-bucket', certificate: { reading: 'token-bucket' } });
  });

  it('proves nothing without any one of its exchanges, of the rules that floods break', () => {
    const rules = new Set<string>();
    for (let seed = 0; seed < runs(40, 4); seed++) {
      const records = rateJournal(
        faulty.unlimited,
        { ...service, max: 8, pressure: [60, 75, 90, 150][seed % 4] ?? 60, requests: 120 },
        seed,
      );
      for (const certificate of overAdmissions(records)) {
        rules.add(certificate.rule);
        for (const dropped of certificate.exchanges) {
          const exchanges = certificate.exchanges.filter((ref) => ref !== dropped);
          const less = { ...certificate, exchanges, observed: exchanges.length };
          expect(
            verifies(
              less,
              rawHistory([less], foldedOf(records), () => records),
            ),
            `${certificate.rule} without ${dropped}`,
          ).toBe(false);
        }
      }
    }
    expect([...rules].sort()).toEqual([
      'interval-refill-density',
      'sliding-log-n-plus-1',
      'token-bucket-density',
      'universal-2N',
    ]);
  });

  it('that does not hold is a defect of the tool, and accuses nobody', () => {
    const records = journal(admitted(45, 1_000_000));
    const verdicts = judge(records);
    const slower = journal(admitted(45, 3_000_000));
    expect(() => verify(verdicts, foldedOf(slower), () => slower)).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_INVALID', exitCode: 1 }),
    );
  });
});

function overAdmissions(records: readonly JournalRecord[]): OverAdmission[] {
  return rateOf(records).readings.flatMap((one) =>
    one.state === 'refuted' && one.certificate.because === 'over-admission' && !('arcs' in one.certificate)
      ? [one.certificate]
      : [],
  );
}
