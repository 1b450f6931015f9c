import { describe, expect, it } from 'vitest';
import type { Micros } from '../base/index.ts';
import type { Exchange, Header, JournalRecord } from '../history/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { runs } from '../testing/share.ts';
import type { OverAdmission } from './certificate.ts';
import { judge, renderVerdicts } from './index.ts';
import { foldedOf } from './limits/judging.exam.ts';
import { type RateService, rateJournal } from './rate-service.exam.ts';
import {
  honestLimiters,
  honestSlidingLog,
  honestTokenBucket,
  type MakeHonest,
  rarerLimiters,
} from './readings/honest-limiters.exam.ts';
import type { Verdicts } from './verdict.ts';
import { verifies } from './verify/certificate.ts';
import { rawHistory, verify } from './verify.ts';

const service: RateService = { max: 5, windowUs: 60_000, pressure: 8, requests: 60, code: 'rate_limited' };
const rateIn = ({ limits }: Verdicts) => {
  const verdict = limits.find(({ limit }) => limit === 'rate');
  if (!verdict) throw new Error('the rate limit was not judged');
  return verdict;
};
const rateOf = (records: readonly JournalRecord[]) => rateIn(judge(records));

describe('honest services', () => {
  it.each(Object.entries({ ...honestLimiters, ...rarerLimiters }))(
    '%s: never accused, declared or not, whatever it counts by',
    (_, one) => {
      for (let seed = 0; seed < runs(12, 2); seed++) {
        const scope = (['application', 'user', 'token', 'address'] as const)[seed % 4] ?? 'application';
        const code = seed % 3 === 0 ? {} : { code: 'rate_limited' };
        const { code: __, ...uncoded } = service;
        const unknown = judge(rateJournal(one.make, { ...uncoded, ...code, scope }, seed));
        expect(rateIn(unknown).verdict, `seed ${seed}`).not.toBe('violated');
        expect(unknown.refusals.wrongful).toEqual([]);
        const [reading] = one.readings;
        if (reading === undefined) continue;
        const declared = rateJournal(one.make, { ...uncoded, ...code, scope, reading }, seed);
        expect(rateOf(declared).verdict, `seed ${seed}`).not.toBe('violated');
      }
    },
  );

  it('are not accused for refusing when others may use the credentials, or when the history is not whole', () => {
    const refusals = Array.from({ length: 5 }, (_, seq) => refusal(seq, seq * 200_000_000));
    // Nor is a limit said to be kept of which nothing was seen but refusals.
    expect(rateOf(journal(refusals, { exclusive: false }))).toMatchObject({
      verdict: 'undecided',
      missing: ['an admitted request: refusals alone show no limit'],
    });
    expect(rateOf(journal(refusals))).toMatchObject({ verdict: 'violated', because: 'wrongful-refusal' });
    expect(rateOf(journal(refusals).slice(0, -1)).verdict).toBe('undecided');
  });

  it('are not said to keep a limit whose number was not seen: the history may not contain what used the rest of it', () => {
    const refusedAfter = (count: number, headerOf: Partial<Header>) =>
      rateOf(journal([...admitted(count, 1_000_000), refusal(99, 40_000_000)], headerOf));
    const others = { exclusive: false };
    const rest =
      '20 requests admitted within 60.0 s: refusals after fewer may be due to requests that the history does not contain';
    expect(refusedAfter(12, others)).toMatchObject({
      verdict: 'undecided',
      missing: [rest, 'exclusive use of the credentials (profile: exclusive)'],
    });
    // Some readings leave one of N.
    expect([18, 19, 20].map((count) => refusedAfter(count, others).verdict)).toEqual([
      'undecided',
      'consistent',
      'consistent',
    ]);
    const used = { flushed: { ...header().flushed, rate: false } };
    expect(refusedAfter(12, used)).toMatchObject({
      verdict: 'undecided',
      missing: [
        rest,
        'a start with the limit unused (profile: flushed.rate), or two windows of requests before the refusal',
      ],
    });
    expect(refusedAfter(20, used).verdict).toBe('consistent');
  });

  it('are not accused for what an intermediary may have refused: a 429 whose body is none of theirs', () => {
    const { error: _, ...page } = { ...refusal(1, 5_000_000), bodyProblem: 'not-json' as const };
    const records = journal([exchange({ seq: 0, ...moments(0) }), page]);
    const { refusals } = judge(records);
    expect(rateOf(records)).toMatchObject({
      verdict: 'undecided',
      missing: ['a refusal: the rate limit was not reached'],
    });
    expect(refusals).toMatchObject({ total: 1, unnamed: 1, attributed: { rate: 0, ambiguous: 1 }, wrongful: [] });
    expect(renderVerdicts(judge(records))).toContain('refusals: 1 (ambiguous 1); 1 of them without a code');
  });

  it('are not accused for blocking after a refusal, whatever they count by, where nothing else is declared', () => {
    // A log of 20 a minute that refuses everything for a minute after a refusal: 20, one too many, and one more 50 s later.
    const blocking = [...admitted(20, 1_000), refusal(20, 30_000), refusal(21, 50_000_000), refusal(22, 85_000_000)];
    const declaring = (reading: string) => {
      const { limits } = header();
      return rateOf(journal(blocking, { limits: { ...limits, rate: { ...limits.rate, reading } } })).verdict;
    };
    expect(declaring('unknown')).not.toBe('violated');
    expect(judge(journal(blocking)).refusals.wrongful).toEqual([]);
    expect(declaring('sliding-log')).toBe('violated');
    // The first refusal of all has no other to be blocked by.
    expect(rateOf(journal([...admitted(18, 1_000_000), refusal(99, 40_000_000)])).verdict).toBe('violated');
  });

  it('are held to the scope that the profile knows, whatever they count by', () => {
    // One request in each of 60 conversations, and a refusal of the next.
    const apart = admitted(60, 1_000).map((one, i) => ({ ...one, conversation: `c${i}` }));
    const { limits } = header();
    const told = (rate: object) =>
      rateOf(
        journal([...apart, { ...refusal(60, 70_000), conversation: 'c60' }], {
          limits,
          profile: { errorCodes: { known: true }, limits: { rate } },
        }),
      );
    // Where each conversation is counted by itself, none came near 20: what was refused, for whatever reason, shows no limit kept.
    expect(told({ scope: 'application' })).toMatchObject({
      verdict: 'undecided',
      missing: [expect.stringMatching(/^the scope: counted per application, more was admitted than any reading/)],
    });
    // Nor where they were many, but never in one window: fifteen a minute in each of four, for three minutes.
    const steady = admitted(180, 1_000_000).map((one, i) => ({ ...one, conversation: `c${i % 4}` }));
    const stray = { ...refusal(180, 181_000_000), conversation: 'c9' };
    const spread = journal([...steady, stray], {
      limits,
      profile: { errorCodes: { known: true }, limits: { rate: { scope: 'application' } } },
    });
    expect(rateOf(spread).verdict).toBe('undecided');
    // Without a refusal, it was not reached only if each conversation is counted by itself.
    const unrefused = rateOf(
      journal(apart, { limits, profile: { errorCodes: { known: true }, limits: { rate: { scope: 'application' } } } }),
    );
    expect(unrefused).toMatchObject({
      verdict: 'undecided',
      missing: [expect.stringMatching(/^the scope: counted per application, more was admitted than any reading/)],
    });
    expect(told({ scope: 'application', scopeKnown: true })).toMatchObject({
      verdict: 'violated',
      declared: 'unknown',
      because: 'over-admission',
      certificate: { rule: 'universal-2N', scope: { application: 'a1' }, observed: 41, possible: 40 },
    });
    expect(told({ scope: 'conversation', scopeKnown: true }).overAdmission).toBe('not-proven');
  });

  it('are not said to keep a limit by refusals that it cannot have been: of what it does not count, or that nothing explains', () => {
    const refusedBy = (code: string, operation: Exchange['operation']) => {
      const error = { code, retryable: true, requestId: '' };
      const told = [exchange({ seq: 0, ...moments(0) }), { ...refusal(1, 5_000_000), operation, error }];
      return judge(journal(told)).limits.map(({ verdict }) => verdict);
    };
    expect(refusedBy('concurrency_limited', 'readHistory')).toEqual(['undecided', 'undecided', 'undecided']);
    expect(refusedBy('daily_quota_exceeded', 'readHistory')).toEqual(['undecided', 'undecided', 'undecided']);
    // Where it is not known what counts, each reading that counts requests for a token cannot explain it, and others do not judge it.
    expect(refusedBy('rate_limited', 'issueToken')).toEqual(['undecided', 'undecided', 'undecided']);
  });

  const unflushed = { flushed: { rate: false, concurrency: false, daily: false } };

  it('need not be flushed once two windows of traffic lie before a refusal in which nothing from before the run was decided', () => {
    expect(rateOf(journal([refusal(0, 149_000_000)], unflushed)).verdict).toBe('undecided');
    expect(rateOf(journal([refusal(0, 151_000_000)], unflushed)).verdict).toBe('violated');
  });

  it('may decide within the run what was sent before it: a token taken half a minute after the start', () => {
    const limits = {
      rate: { max: 2, windowUs: us(60_000_000), reading: 'token-bucket' },
      concurrency: { max: 2 },
      daily: { max: 50 },
    };
    // Empty at the start, and again at 30 s: 61 s leave a hundredth of a token beside the one that is taken, 122 s as much of it.
    const taken = [61, 91, 121].map((second, seq) => exchange({ seq, ...moments(second * 1_000_000) }));
    const delay = { ...exact, maxServerDelayUs: us(31_000_000) };
    const records = journal([...taken, refusal(3, 122_000_000)], { ...unflushed, limits, clock: delay });
    expect(rateOf(records).verdict).not.toBe('violated');
    // Where nothing takes so long, all is known after two windows.
    const soon = journal([...taken, refusal(3, 122_000_000)], {
      ...unflushed,
      limits,
      clock: { ...exact, maxServerDelayUs: us(0) },
    });
    expect(rateOf(soon)).toMatchObject({ verdict: 'violated', because: 'wrongful-refusal' });
  });
});

/** Limits that are not what they are declared to be. */
const unlimited: MakeHonest = () => ({ decide: () => true, copy: () => unlimited(0, 0, 0) });
const faulty = {
  unlimited,
  'one too many': (max: number, windowUs: number, phase: number) => honestSlidingLog(max + 1, windowUs, phase),
  'a short window': (max: number, windowUs: number, phase: number) => honestSlidingLog(max, windowUs * 0.6, phase),
  'one too few': (max: number, windowUs: number, phase: number) => honestSlidingLog(max - 1, windowUs, phase),
  'a long window': (max: number, windowUs: number, phase: number) => honestSlidingLog(max, windowUs * 3, phase),
} satisfies Record<string, MakeHonest>;

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

/** `count` requests, `every` µs apart, all admitted. */
const admitted = (count: number, every: number): Exchange[] =>
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
const moments = (at: number) => ({ sentAt: us(at), headersAt: us(at + 10), receivedAt: us(at + 20) });
const refusal = (seq: number, at: number): Exchange =>
  exchange({
    seq,
    ...moments(at),
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: '' },
  });
const exact = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(30_000_000) };
const journal = (exchanges: readonly JournalRecord[], members: Parameters<typeof header>[0] = {}): JournalRecord[] => [
  header({ clock: exact, ...members }),
  ...exchanges,
  end({ exchanges: exchanges.filter(({ kind }) => kind === 'exchange').length }),
];

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
        claim: '41 requests were admitted within 40 s; no reading of 20 per 60 s admits more than 40',
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

describe('doubtful records', () => {
  const flood = admitted(45, 100_000);

  it('support no accusation, and are named', () => {
    const reversed = flood.map((one) => ({ ...one, headersAt: us(one.sentAt - 5) }));
    const verdicts = judge(journal(reversed));
    expect(verdicts.limits[0]?.verdict).toBe('undecided');
    expect(verdicts.soundness.skipped).toEqual({ 'received before it was sent': 45 });
  });

  it('of one sequence number are all doubted', () => {
    const verdicts = judge(journal([...flood, ...flood]));
    expect(verdicts.limits[0]?.verdict).toBe('undecided');
    expect(verdicts.soundness.skipped).toEqual({ 'duplicate sequence number': 90 });
  });

  it('leave the rest to be judged', () => {
    const negative = exchange({ seq: 99, sentAt: us(-5), headersAt: us(5), receivedAt: us(6) });
    expect(rateOf(journal([negative, ...flood])).verdict).toBe('violated');
  });

  it('count against the proof of a wrongful refusal', () => {
    const late = refusal(100, 10_000_000);
    const alone = rateOf(journal([...admitted(1, 1), late]));
    expect(alone).toMatchObject({ verdict: 'violated', because: 'wrongful-refusal' });
    const doubtful = Array.from({ length: 20 }, (_, i) => exchange({ seq: 200 + i, sentAt: us(-5) }));
    expect(rateOf(journal([...admitted(1, 1), late, ...doubtful])).verdict).toBe('consistent');
    const lost: JournalRecord = { kind: 'sent', seq: 7, operation: 'readTurn', at: 3 as Micros };
    expect(rateOf(journal([...admitted(1, 1), lost, late])).verdict).toBe('undecided');
  });

  it('in any order give the same verdicts', () => {
    const records = rateJournal(honestTokenBucket, service, 3);
    const [first, ...rest] = records;
    if (!first) throw new Error('no records');
    const states = (verdicts: ReturnType<typeof judge>) =>
      verdicts.limits.map(({ verdict, readings }) => [verdict, ...readings.map(({ state }) => state)]);
    expect(states(judge([first, ...rest.reverse()]))).toEqual(states(judge(records)));
  });
});

describe('refusals without a code', () => {
  const uncoded = (seq: number, operation: Exchange['operation'], at: number) =>
    exchange({
      seq,
      operation,
      sentAt: us(at),
      headersAt: us(at + 10),
      receivedAt: us(at + 20),
      outcome: 'refused',
      status: 429,
    });

  it('of a poll can only be by the rate limit; of a message by any', () => {
    const { refusals } = judge(
      journal([uncoded(0, 'readTurn', 0), uncoded(1, 'sendMessage', 1_000)], { exclusive: false }),
    );
    expect(refusals).toEqual({
      total: 2,
      unnamed: 2,
      attributed: { rate: 1, concurrency: 0, daily: 0, ambiguous: 1 },
      wrongful: [],
    });
  });

  it('are wrongful when no limit explains them, with a proof for each', () => {
    const { refusals } = judge(journal([uncoded(0, 'sendMessage', 0)]));
    expect(refusals.wrongful).toHaveLength(1);
    expect(new Set(refusals.wrongful[0]?.certificates.map(({ limit }) => limit))).toEqual(
      new Set(['rate', 'concurrency', 'daily']),
    );
  });
});

describe('a large history of which no reading is declared', () => {
  /** A window of a minute that admits the first 20 of 25; every request in another conversation. */
  const minutes = (count: number, max: number) => {
    const records = Array.from({ length: count * 25 }, (_, seq) => {
      const at = Math.floor(seq / 25) * 60_000_000 + (seq % 25) * 2_400_000;
      const conversation = `c${seq % 7}`;
      return seq % 25 < 20
        ? exchange({ seq, conversation, sentAt: us(at), headersAt: us(at + 900), receivedAt: us(at + 950) })
        : { ...refusal(seq, at), conversation };
    });
    const rate = { max, windowUs: 60_000_000 as Micros, reading: 'unknown' };
    return rateOf(journal(records, { limits: { rate, concurrency: { max: 2 }, daily: { max: 50 } } }));
  };
  const waysOf = ({ readings }: ReturnType<typeof minutes>, name: string) =>
    readings.filter(({ reading }) => reading === name).map(({ scope, state }) => `${scope} ${state}`);

  it('is judged as declared, and under the extremes: other ways cannot turn a verdict that a surviving reading decides', () => {
    const [small, large] = [minutes(20, 20), minutes(805, 20)];
    expect([small.verdict, large.verdict]).toEqual(['consistent', 'consistent']);
    expect(waysOf(large, 'fixed-window')).toEqual(['application survives']);
    expect(waysOf(large, 'token-bucket')).toEqual(waysOf(small, 'token-bucket'));
    expect(waysOf(small, 'sliding-log-counting-refused')).toEqual(['application refuted', 'narrowest survives']);
    expect(waysOf(large, 'sliding-log-counting-refused')).toEqual(['application refuted']);
    // Refuted as declared alone, it is neither ruled out nor told to be possible.
    const told = [...(large.inference?.possible ?? []), ...(large.inference?.ruledOut ?? [])];
    expect(told.map(({ reading }) => reading)).not.toContain('sliding-log-counting-refused');
  });

  it('is judged in every way where none survives', () => {
    const [small, large] = [minutes(40, 23), minutes(805, 23)];
    for (const verdict of [small, large])
      expect(verdict).toMatchObject({ verdict: 'violated', because: 'wrongful-refusal' });
    expect(waysOf(large, 'fixed-window')).toEqual(waysOf(small, 'fixed-window'));
  });
});

describe('verdicts for people', () => {
  it('say the claim, the interval, who was in it and how to see it again', () => {
    const text = renderVerdicts(judge(journal(admitted(45, 1_000_000))), 'results/tour');
    const lines = text.split('\n');
    expect(lines[0]).toBe('rate: violated (over-admission)');
    expect(lines[1]).toMatch(
      /^ {2}41 requests were admitted within 40 s; no reading of 20 per 60 s admits more than 40$/,
    );
    expect(lines[3]).toMatch(/^ {2}between \d+\.000 s and \d+\.000 s of the run$/);
    expect(lines[4]).toMatch(/^ {2}exchanges: (\d+ ?){41}$/);
    expect(lines[5]).toBe('  show it again: spillway check results/tour');
  });
});
