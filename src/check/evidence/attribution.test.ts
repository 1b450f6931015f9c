import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { Exchange, Header, JournalRecord } from '../../history/index.ts';
import { accepted, end, header, refused, us } from '../../testing/history/sample-records.ts';
import { type DrawnKind, drawnJournal, drawnKinds } from '../drawn.exam.ts';
import { judge } from '../index.ts';
import { weigh } from '../judging/weigh.ts';
import { simulate } from '../limits/simulated-service.exam.ts';
import { dayWorld, slotWorld } from '../limits/worlds.exam.ts';

/*
 * A service may have one code for all of its refusals. That it is the default of the profile's is nobody's word.
 */

const SECOND = 1_000_000;

const judged = (records: readonly JournalRecord[]) => judge(records, { infers: false });
/** What fails a run. */
const accusations = (records: readonly JournalRecord[]) =>
  weigh(judged(records), { accepted: [] }).proven.map(({ violation }) => violation);

/** Of 20 a minute, two slots and two messages a day, declared. */
function journal(exchanges: readonly Exchange[], errorCodes: object): JournalRecord[] {
  const profile = TargetProfileSchema.parse({
    errorCodes,
    limits: {
      rate: { reading: 'sliding-log' },
      concurrency: { reading: 'semaphore' },
      daily: { max: 2, day: 'utc' },
    },
  });
  const limits = {
    rate: { max: 20, windowUs: us(60 * SECOND), reading: 'sliding-log' },
    concurrency: { max: 2 },
    daily: { max: 2 },
  };
  return [header({ profile, limits }), ...exchanges, end({ exchanges: exchanges.length })];
}

/** The third of three at once, for which there is neither a slot nor a place in the day: refused rightly, but not by the rate limit. */
const third = (code: string) => [accepted(0, 't0', 0, 1_000), accepted(1, 't1', 0, 1_000), refused(2, 5_000, code)];
const one = (seq: number, code: string) => refused(seq, 6_000, code);

describe('the code of a refusal', () => {
  it.each(['rate_limited', 'concurrency_limited', 'daily_quota_exceeded'])(
    'may be the only one of a service, where the profile leaves it at its default: %s',
    (code) => {
      expect(accusations(journal(third(code), {}))).toEqual([]);
      expect(judged(journal(third(code), {})).refusals.wrongful).toEqual([]);
    },
  );

  it('is what the missing evidence points to, unless the profile has said whether each means one limit', () => {
    const missingOf = (errorCodes: object) => {
      const sent = [accepted(0, 't0', 0, 1_000), refused(1, 5_000, 'rate_limited')];
      const { limits } = judged(journal(sent, errorCodes));
      return limits.flatMap((limit) => (limit.limit === 'daily' && limit.verdict === 'undecided' ? limit.missing : []));
    };
    const uncertain = 'a refusal that is certainly by the daily limit: the refusals do not say which limit refused';
    expect(missingOf({})[0]).toBe(
      `${uncertain} for sure (if each error code means one limit only, write errorCodes: { known: true } in the profile)`,
    );
    expect(missingOf({ known: false })[0]).toBe(uncertain);
    expect(missingOf({ known: true })[0]).toBe('a refusal: the daily limit was not reached');
  });

  it('means one limit where the profile says so, or has written another', () => {
    expect(accusations(journal(third('rate_limited'), { known: true }))).toEqual(['rate']);
    expect(accusations(journal(third('slow_down'), { rate: ['slow_down'] }))).toEqual(['rate']);
    expect(accusations(journal(third('slow_down'), { rate: ['slow_down'], known: false }))).toEqual([]);
    // Written beside it, a default is one still.
    expect(accusations(journal(third('rate_limited'), { rate: ['rate_limited', 'slow_down'] }))).toEqual([]);
    expect(accusations(journal(third('other'), { known: true }))).toEqual([]);
  });

  it('means one limit where the history shows that the others have codes of their own', () => {
    const [slots, days] = ['concurrency_limited', 'daily_quota_exceeded'];
    const besides = (...codes: readonly string[]) =>
      accusations(journal([...third('rate_limited'), ...codes.map((code, i) => one(3 + i, code))], {}));
    expect(besides(slots)).toEqual([]);
    expect(besides(days)).toEqual([]);
    expect(besides(slots, days)).toEqual(['rate']);
    // A record that cannot be believed, or is there twice, shows nothing.
    const twice = [one(4, days), one(4, days)];
    const records = journal([...third('rate_limited'), one(3, slots), ...twice], {});
    expect(accusations([...records.slice(0, -1), end({ exchanges: 7 })])).toEqual([]);
  });

  it('may be lacking in refusals of the rate limit, where the profile says so', () => {
    const nameless = [accepted(0, 't0', 0, 1_000), accepted(1, 't1', 0, 1_000), refused(2, 5_000)];
    expect(accusations(journal(nameless, {}))).toEqual([]);
    expect(accusations(journal(nameless, { otherBodies: 'rate' }))).toEqual(['rate']);
    const refusalsOf = (exchanges: readonly Exchange[]) => judged(journal(exchanges, { otherBodies: 'rate' })).refusals;
    expect(refusalsOf(nameless)).toMatchObject({ attributed: { rate: 1, ambiguous: 0 }, unnamed: 0 });
    // Beside it, a default code is the others'.
    const both = [...nameless, refused(3, 6_000, 'concurrency_limited', { operation: 'readHistory' })];
    expect(refusalsOf(both).attributed).toMatchObject({ rate: 1, concurrency: 1 });
  });

  it('does not make a resend refused by the daily quota, of a service that has one for all', () => {
    const again = refused(1, 70 * SECOND, 'daily_quota_exceeded', {
      resend: 'same',
      message: { id: 'm-t0', digest: 'd-t0' },
    });
    const records = [accepted(0, 't0', 0, 1_000, { message: { id: 'm-t0', digest: 'd-t0' } }), again];
    const kinds = (errorCodes: object) => judged(journal(records, errorCodes)).findings.map(({ kind }) => kind);
    expect(kinds({})).not.toContain('replay-refused');
    expect(kinds({ known: true })).toContain('replay-refused');
  });

  it('is a contradiction of the profile only where that says what it means', () => {
    const first = [
      refused(0, 0, 'daily_quota_exceeded', { operation: 'readHistory' }),
      refused(1, 2_000, 'rate_limited'),
    ];
    const bases = (errorCodes: object) =>
      judged(journal(first, errorCodes)).findings.flatMap(({ kind, basis }) =>
        kind === 'mapping-contradicted' ? [basis] : [],
      );
    expect(bases({ known: true })).toEqual(['profile']);
    expect(bases({})).toEqual(['observation']);
  });
});

/** As its header would be, were the codes no more than defaults. */
const withDefaults = (record: JournalRecord): JournalRecord =>
  record.kind === 'header'
    ? ({ ...record, profile: { ...(record.profile as object), errorCodes: undefined } } as Header)
    : record;
const withOneCode =
  (code: string) =>
  (record: JournalRecord): JournalRecord =>
    record.kind === 'exchange' && record.outcome === 'refused'
      ? { ...record, error: { code, retryable: true, requestId: 'r' } }
      : record;

function provenIn(records: readonly JournalRecord[]) {
  const { limits, refusals } = judged(records);
  return {
    limits: limits.flatMap(({ limit, verdict }) => (verdict === 'violated' ? [limit] : [])),
    refusals: refusals.wrongful.map(({ exchange }) => exchange),
  };
}

describe('codes that are no more than defaults', () => {
  it.each(Object.entries(drawnKinds))('prove nothing that known ones do not: about %s', (_, kind: DrawnKind) => {
    let met = 0;
    for (let seed = 0; seed < 25; seed++) {
      const known = drawnJournal(kind, seed);
      const less = provenIn(known.map(withDefaults));
      // Nothing proves no more than whatever the others prove.
      if (less.limits.length === 0 && less.refusals.length === 0) continue;
      met += 1;
      const proven = provenIn(known);
      expect(proven.limits).toEqual(expect.arrayContaining(less.limits));
      expect(proven.refusals).toEqual(expect.arrayContaining(less.refusals));
    }
    expect(met).toBeGreaterThan(5);
  });

  it.each(['rate_limited', 'concurrency_limited', 'daily_quota_exceeded'])(
    'convict no honest service that has one for all: %s',
    (code) => {
      for (let seed = 0; seed < 12; seed++)
        for (const world of [slotWorld(seed), dayWorld(seed)]) {
          const records = simulate(world).map(withDefaults).map(withOneCode(code));
          expect({ seed, accused: accusations(records) }).toEqual({ seed, accused: [] });
        }
    },
  );
});
