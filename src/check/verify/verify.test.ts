import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { Exchange, Header, JournalRecord } from '../../history/index.ts';
import { accepted, end, exchange, header, poll, us, written } from '../../testing/history/sample-records.ts';
import type { Certificate, WrongfulRefusal } from '../certificate.ts';
import { claimOf } from '../claim.ts';
import { Answer, type Evidence, Replay } from '../evidence.ts';
import { judgeEvidence } from '../judge.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import type { Verdicts } from '../verdict.ts';
import { rawHistory, verify } from '../verify.ts';
import { verifies } from './certificate.ts';

const SECOND = 1_000_000;

/** A service of 20 a minute and 3 messages a day, whose clock is exact. */
function journal(exchanges: readonly Exchange[], rate: object = {}): JournalRecord[] {
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

const read = (at: number, members: Partial<Exchange> = {}) =>
  exchange({
    seq: 0,
    sentAt: us(at * SECOND),
    headersAt: us(at * SECOND + 10),
    receivedAt: us(at * SECOND + 20),
    ...members,
  });
const reads = (count: number, from = 0, members: Partial<Exchange> = {}) =>
  Array.from({ length: count }, (_, i) => read(from + i, members));
const refused = (at: number, members: Partial<Exchange> = {}) =>
  read(at, {
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: '' },
    ...members,
  });
const message = (seq: number, at: number) => accepted(seq, `t${seq}`, at * SECOND, at * SECOND + 10);

/** Verdicts of evidence in which something went wrong, verified against the records. */
function judgedWith(
  records: readonly JournalRecord[],
  spoil: (evidence: Evidence) => Partial<Evidence>,
): () => Verdicts {
  const { evidence, ledger } = foldedOf(records);
  const spoilt = { ...evidence, ...spoil(evidence) };
  return () => {
    const verdicts = judgeEvidence(spoilt);
    verify(verdicts, { evidence: spoilt, ledger }, () => records);
    return verdicts;
  };
}
const untouched = () => ({});
const invalid = expect.objectContaining({ code: 'CERTIFICATE_INVALID', exitCode: 1 });
const violated = (verdicts: Verdicts) => verdicts.limits.filter(({ verdict }) => verdict === 'violated');

describe('an accusation that rests on wrong evidence is a defect of the tool, and accuses nobody', () => {
  const slow = journal(reads(30).map((one, i) => read(3 * i, { seq: one.seq })));
  const twoApplications = journal([...reads(15), ...reads(15, 0, { application: 'a2' })]);
  const kept = journal([...reads(20), ...Array.from({ length: 5 }, (_, i) => refused(25 + i)), ...reads(5, 80)]);
  const replays = journal(
    Array.from({ length: 25 }, (_, seq) => message(Math.min(seq, 2), seq)),
    { countsReplays: false },
  );

  it.each<[string, JournalRecord[], (evidence: Evidence) => Partial<Evidence>]>([
    ['times', slow, ({ from, to }) => ({ from: from.map((at) => at / 2), to: to.map((at) => at / 2) })],
    [
      'stamps',
      slow,
      ({ from, to, sentAt }) => ({
        from: from.map((at) => at / 2),
        to: to.map((at) => at / 2),
        sentAt: sentAt.map((at) => at / 2),
      }),
    ],
    ['places', twoApplications, ({ place }) => ({ place: place.map(() => 1) })],
    [
      'answers',
      kept,
      ({ answer, refusedBy }) => ({ answer: answer.map(() => Answer.admitted), refusedBy: refusedBy.map(() => 0) }),
    ],
    [
      'operations',
      journal([...reads(15), ...reads(15, 0, { operation: 'issueToken', status: 201 })]),
      ({ operation }) => ({ operation: operation.map(() => operation[0] as number) }),
    ],
    ['what may be a replay', replays, ({ replay }) => ({ replay: replay.map(() => Replay.no) })],
    ['how many were there', kept, ({ order }) => ({ order: order.filter((row) => row > 10) })],
    [
      'numbers of messages',
      journal(Array.from({ length: 6 }, (_, seq) => message(seq % 3, 70 * seq))),
      ({ message: numbers }) => ({ message: numbers.map((_, row) => row + 1) }),
    ],
  ])('%s', (_, records, spoil) => {
    expect(violated(judgedWith(records, untouched)())).toEqual([]);
    const spoilt = judgedWith(records, spoil);
    expect(spoilt).toThrow(invalid);
  });

  it('times of turns', () => {
    // Each turn ends before the next begins; as if nobody had seen their ends.
    const records = journal(
      [0, 1, 2].flatMap((turn) => [
        message(turn, 10 * turn),
        poll(0, `t${turn}`, 'processing', 10 * turn * SECOND + 100, 10 * turn * SECOND + 200),
        poll(0, `t${turn}`, 'completed', (10 * turn + 5) * SECOND, (10 * turn + 5) * SECOND + 100),
      ]),
    );
    expect(violated(judgedWith(records, untouched)())).toEqual([]);
    const open = judgedWith(records, ({ turns }) => ({
      turns: {
        ...turns,
        sighted: (turn) => {
          const seen = turns.sighted(turn);
          return seen?.open && { ...seen, open: { ...seen.open, at: 60 * SECOND } };
        },
      },
    }));
    expect(open).toThrow(invalid);
  });
});

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
