import { describe, expect, it } from 'vitest';
import { operationIds, TargetProfileSchema } from '../../api/index.ts';
import { seededRandom } from '../../base/index.ts';
import type { Exchange, Header, JournalRecord } from '../../history/index.ts';
import { accepted, end, exchange, header, refused, us, written } from '../../testing/history/sample-records.ts';
import { runs } from '../../testing/share.ts';
import { judge } from '../index.ts';
import { honestLimiters } from '../readings/honest-limiters.exam.ts';
import { misplaced } from '../verify/places.ts';

/*
 * What a profile leaves out is unknown: under a declared reading, too, nothing is proven that depends on it. Each case has a history
 * that an honest service can produce, and the members of the profile without which it may.
 */

const SECOND = 1_000_000;

function journal(exchanges: readonly Exchange[], rate: object, others: object = {}): JournalRecord[] {
  return [
    header({
      profile: TargetProfileSchema.parse({
        errorCodes: { known: true },
        limits: { rate: { max: 3, reading: 'sliding-log', ...rate }, ...others },
      }),
      limits: {
        rate: { max: 3, windowUs: us(60 * SECOND), reading: 'sliding-log' },
        concurrency: { max: 20 },
        daily: { max: 2 },
      },
    }),
    ...exchanges.map((one, seq) => ({ ...one, seq })),
    end({ exchanges: exchanges.length }),
  ];
}

const times = (at: number) => ({ sentAt: us(at), headersAt: us(at + 10), receivedAt: us(at + 20) });
const read = (at: number, members: Partial<Exchange> = {}) =>
  exchange({ seq: 0, token: 't1', conversation: 'c1', ...times(at), ...members });
const token = (at: number) => exchange({ seq: 0, operation: 'issueToken', ...times(at) });
const sent = (at: number, turn: string) => accepted(0, turn, at, at + 10);

const { outcome, status, error } = refused(0, 0, 'rate_limited');
const refusal: Partial<Exchange> = { outcome, status, error } as Partial<Exchange>;
/** The profile has no such code. */
const uncoded: Partial<Exchange> = { error: { code: 'busy', retryable: true, requestId: 'r' } };
const refusedToken = (at: number) => refused(0, at, 'rate_limited', { operation: 'issueToken' });

/** Most pauses end about where windows of 60 s and a token in 20 s do. */
const GAPS_S = [0, 0, 1, 5, 19, 20, 39, 58, 60];
const SERVICES = runs(40, 12);

const limitOf = (records: readonly JournalRecord[], name: string) =>
  judge(records).limits.find(({ limit }) => limit === name);
const { scope, counts, countsReplays } = written.rate;

describe('under a declared reading of the rate', () => {
  const four = [read(0), read(SECOND), read(2 * SECOND), read(3 * SECOND, { token: 't2', user: 'u2' })];

  it('too many of two users are a violation only if the scope is written', () => {
    const judged = (rate: object) => limitOf(journal(four, { counts, countsReplays, ...rate }), 'rate');
    expect(judged({ scope })).toMatchObject({
      verdict: 'violated',
      because: 'over-admission',
      certificate: { scope: { application: 'a1' }, counts: 'bearer' },
    });
    expect(judged({ scopeKnown: true })?.verdict).toBe('violated');
    for (const open of [{}, { scope, scopeKnown: false }])
      expect(judged(open)).toMatchObject({
        verdict: 'undecided',
        declared: 'sliding-log',
        missing: [
          'the scope: counted per application, more was admitted than sliding-log allows, but the service may count more narrowly (if the scope is certain, write it in the profile)',
        ],
      });
  });

  it('too many in the narrowest bucket are a violation whatever the scope and whatever counts', () => {
    const records = journal(
      [0, 1, 2, 3].map((at) => read(at * SECOND)),
      {},
    );
    expect(limitOf(records, 'rate')).toMatchObject({
      verdict: 'violated',
      certificate: {
        reading: 'sliding-log',
        rule: 'sliding-log-n-plus-1',
        scope: { application: 'a1', user: 'u1', token: 't1', conversation: 'c1', operation: 'readHistory' },
        counts: 'bearer without openStream, replays free',
      },
    });
  });

  it('a refusal after a token request is wrong only if it is written that these do not count', () => {
    const attempts = [token(0), read(SECOND), read(2 * SECOND), refused(0, 3 * SECOND, 'rate_limited')];
    const judged = (rate: object) => limitOf(journal(attempts, { scope, countsReplays, ...rate }), 'rate');
    expect(judged({ counts })).toMatchObject({
      verdict: 'violated',
      because: 'wrongful-refusal',
      certificate: { counts: 'bearer', exchanges: [1, 2] },
    });
    expect(judged({ countsKnown: true })?.verdict).toBe('violated');
    expect(judged({})?.verdict).toBe('consistent');
    expect(judged({ counts, countsKnown: false })?.verdict).toBe('consistent');
    expect(limitOf(journal(attempts.slice(2), { scope, countsReplays }), 'rate')).toMatchObject({
      verdict: 'violated',
      certificate: { counts: 'all', exchanges: [0] },
    });
  });

  it.each([
    ['token request', token(0), refusedToken(SECOND)],
    [
      'handshake',
      read(0, { operation: 'openStream' }),
      read(SECOND, { ...refusal, ...uncoded, operation: 'openStream' }),
    ],
  ])('a refused %s is wrong only if it is written that it counts: it may have a limit of its own', (_, one, out) => {
    const charges = (exchanges: readonly Exchange[], rate: object) => {
      const { limits, refusals } = judge(journal(exchanges, { scope, countsReplays, ...rate }));
      return [limits.find(({ limit }) => limit === 'rate')?.verdict, refusals.wrongful.map(({ exchange: seq }) => seq)];
    };
    const all = { counts: operationIds };
    for (const open of [{}, { reading: 'unknown' }, { ...all, countsKnown: false }])
      expect(charges([one, out], open)).toEqual([expect.stringMatching(/undecided|consistent/), []]);
    expect(charges([one, out], all)).toEqual(['violated', [1]]);
    const coded = { ...out, error: refusal.error as NonNullable<Exchange['error']> };
    expect(charges([one, coded], {})[1]).toEqual(out.operation === 'openStream' ? [1] : []);
    // Beside it, another one is.
    const wrong = read(2 * SECOND, refusal);
    expect(charges([one, out, wrong], {})).toEqual(['violated', [2]]);
  });

  it.each(['fixed-window-anchored', 'fixed-window-penalty'])(
    'too many in a window of %s are a violation only if it is written that token requests begin none',
    (reading) => {
      const late = [token(0), ...[55, 56, 61, 62].map((at) => read(at * SECOND))];
      const judged = (rate: object) =>
        judge(journal(late, { scope, countsReplays, ...rate }), { declared: { rate: reading } }).limits[0];
      expect(judged({ counts })).toMatchObject({
        verdict: 'violated',
        certificate: { rule: 'fixed-window-anchored-since', counts: 'bearer', exchanges: [1, 2, 3, 4] },
      });
      // The token request, two reads before 60 s, and two in a window that begins at 61 s.
      expect(judged({})?.verdict).toBe('undecided');
      expect(judged({ counts, countsKnown: false })?.verdict).toBe('undecided');
      // Nor is a proof of what certainly counts taken for one of whatever counts.
      const sure = counts.filter((id) => id !== 'openStream');
      const declared = { declared: { rate: reading } };
      const verdicts = judge(journal(late, { scope, counts: sure, countsReplays }), declared);
      const headerOf = (rate: object) => journal(late, { scope, countsReplays, ...rate })[0] as Header;
      expect(misplaced(verdicts, headerOf({ counts: sure }))).toBeUndefined();
      expect(misplaced(verdicts, headerOf({}))).toMatchObject({ counts: 'bearer without openStream' });
    },
  );

  it('too many with a resend are a violation only if it is written that resends count', () => {
    const messages = [sent(0, 'a'), sent(SECOND, 'a'), read(2 * SECOND), read(3 * SECOND)];
    const judged = (rate: object) => limitOf(journal(messages, { scope, counts, ...rate }), 'rate');
    expect(judged({ countsReplays: true })?.verdict).toBe('violated');
    expect(judged({ countsReplays: false })?.verdict).toBe('undecided');
    expect(judged({})).toMatchObject({
      verdict: 'undecided',
      missing: [
        'what counts: of what may count (bearer), more was admitted than sliding-log allows, but the service may count less of it (if that is certain, write counts and countsReplays in the profile)',
      ],
    });
  });
});

describe.each(Object.entries(honestLimiters))('an honest %s', (_, { make, readings }) => {
  it('is not accused where it is not written that token requests count, or that they do not', () => {
    let refusals = 0;
    for (let seed = 0; seed < SERVICES; seed++) {
      const random = seededRandom(seed, 'left out');
      const [limiter, counted] = [make(3, 60 * SECOND, random.integer(60) * SECOND), random.next() < 0.7];
      let at = 0;
      const attempts = Array.from({ length: 12 }, (_, i) => {
        at += (GAPS_S[random.integer(GAPS_S.length)] ?? 0) * SECOND + 1_000;
        if (i === 0 || random.next() < 0.1) return !counted || limiter.decide(at) ? token(at) : refusedToken(at);
        return limiter.decide(at) ? read(at) : refused(0, at, 'rate_limited', { token: 't1', conversation: 'c1' });
      });
      refusals += attempts.filter(({ outcome }) => outcome === 'refused').length;
      for (const reading of readings)
        expect(
          judge(journal(attempts, { scope, countsReplays }), { declared: { rate: reading } }).limits[0]?.verdict,
          `${reading}, seed ${seed}`,
        ).not.toBe('violated');
    }
    expect(refusals).toBeGreaterThan(SERVICES / 2);
  });
});

describe('the other limits', () => {
  it('a day with too many of two users is a violation only if the scope is written', () => {
    const messages = [sent(0, 'a'), sent(SECOND, 'b'), { ...sent(2 * SECOND, 'c'), user: 'u2', token: 't2' }];
    const judged = (daily: object) =>
      limitOf(journal(messages, {}, { daily: { max: 2, day: 'rolling', ...daily } }), 'daily');
    expect(judged({ scope: 'application' })?.verdict).toBe('violated');
    expect(judged({ scopeKnown: true })?.verdict).toBe('violated');
    expect(judged({})?.verdict).toBe('undecided');
  });
});
