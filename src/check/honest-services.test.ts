import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../api/index.ts';
import type { Exchange, Header } from '../history/index.ts';
import { accepted, exchange, header, refused, us, written } from '../testing/history/sample-records.ts';
import { runs } from '../testing/share.ts';
import { judge, renderVerdicts } from './index.ts';
import { admitted, exact, journal, moments, rateIn, rateOf, refusal, service } from './rate-histories.exam.ts';
import { rateJournal } from './rate-service.exam.ts';
import { honestLimiters, rarerLimiters } from './readings/honest-limiters.exam.ts';
import { rateReadings } from './readings/index.ts';

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
        // Two windows, and the longest that a request from before may take.
        "a start with the limit unused (profile: flushed.rate), or a refusal 2 min 30 s or more after the run's start: until then, what was sent before it may count (a load may start that late)",
      ],
    });
    expect(refusedAfter(20, used).verdict).toBe('consistent');
    const quietUntil = (at: number) => [exchange({ seq: 0, ...moments(at) }), refusal(1, at + 100)];
    expect(rateOf(journal(quietUntil(149_999_000), used)).verdict).toBe('undecided');
    expect(rateOf(journal(quietUntil(150_000_000), used))).toMatchObject({ because: 'wrongful-refusal' });
  });

  it('are not accused for what an intermediary may have refused: a 429 whose body is none of theirs', () => {
    const { error: _, ...page } = { ...refusal(1, 5_000_000), bodyProblem: 'not-json' as const };
    const records = journal([exchange({ seq: 0, ...moments(0) }), page]);
    const { refusals } = judge(records);
    expect(rateOf(records)).toMatchObject({
      verdict: 'undecided',
      missing: [
        "a refusal that is certainly the service's: 1 has a body other than the specification's error (code, message, retryable, request_id), so an intermediary may have sent it (where the rate limit has such bodies, write errorCodes: { otherBodies: rate } in the profile and run again)",
      ],
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

  it('are not accused for regaining in steps, although each known reading is ruled out by a proof of its own', () => {
    // A bucket of 4 that gets 2 tokens at each half minute: it holds 4, 4, 4, 3 and 2 before these five groups.
    const seconds = [111, 142, 142, 153, 158, 166, 181, 181, 181, 216];
    const sent = seconds.map((second, seq) =>
      exchange({ seq, ...moments(second * 1e6 + seq * 100), token: 't1', conversation: 'c1' }),
    );
    const declaring = (reading: string, later: readonly Exchange[] = []) => {
      const profile = TargetProfileSchema.parse({ errorCodes: { known: true }, limits: { rate: written.rate } });
      const limits = { ...header().limits, rate: { max: 4, windowUs: us(60_000_000), reading } };
      return rateOf(journal([...sent, ...later], { profile, limits }));
    };
    const unknown = declaring('unknown');
    expect(unknown.readings.map(({ state }) => state)).toEqual(rateReadings.map(() => 'refuted'));
    expect(unknown).toMatchObject({
      ...{ verdict: 'undecided', overAdmission: 'not-proven' },
      missing: [expect.stringContaining('for example one that regains in steps')],
    });
    expect(declaring('fixed-window')).toMatchObject({ verdict: 'violated', because: 'over-admission' });
    // A refusal that may be another limit's, here of the turns, is none that only this one's fault explains.
    const open = [accepted(10, 't1', 390e6, 390e6 + 10), accepted(11, 't2', 391e6, 391e6 + 10)];
    expect(declaring('unknown', [...open, refused(12, 500e6)]).verdict).toBe('undecided');
    expect(declaring('unknown', [...open, refused(12, 500e6, 'rate_limited')]).verdict).toBe('violated');
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

  it('are not accused by several proofs of which each rules out a part; the scope is asked for where it is open', () => {
    const { limits } = header();
    const labels = { token: 't1', conversation: 'c1' };
    const records = [47, 92, 116].map((second, seq) => exchange({ seq, ...moments(second * 1e6), ...labels }));
    const refused = [155, 180].map((second, i) => ({ ...refusal(3 + i, second * 1e6), ...labels }));
    const missing = (rate: object) => {
      const profile = TargetProfileSchema.parse({ errorCodes: { known: true }, limits: { rate } });
      const three = { ...limits, rate: { ...limits.rate, max: 3, reading: 'unknown' } };
      const verdict = rateOf(journal([...records, ...refused], { profile, limits: three }));
      return verdict.verdict === 'undecided' && verdict.missing[0];
    };
    expect(missing({ scope: 'application', scopeKnown: true })).toMatch(/not all by one proof.*--declared\)$/);
    expect(missing({ scope: 'application' })).toMatch(
      /not all by one proof.*--declared, or the scope in the profile, with scopeKnown: true\)$/,
    );
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
