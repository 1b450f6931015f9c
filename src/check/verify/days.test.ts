import { describe, expect, it } from 'vitest';
import type { ClockRecord, Exchange, Header, JournalRecord } from '../../history/index.ts';
import { accepted, end, header, us } from '../../testing/history/sample-records.ts';
import type { Certificate, ExchangeRef, OverAdmission, WrongfulRefusal } from '../certificate.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import { rawHistory } from '../verify.ts';
import { verifies } from './certificate.ts';

/*
 * Certificates about three messages a day, written by hand, at the edges of days. Times are hours of the run, which begins at
 * noon of a day in UTC, by a clock that is known exactly.
 */

const HOUR = 3_600_000_000;
const NOON = Date.UTC(2026, 10, 21, 12) * 1_000;
const exact = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(1_000) };
const clock: ClockRecord = { kind: 'clock', at: us(0), serviceUs: us(NOON), plusMinusUs: us(0), rate: 1 };

const sent = (seq: number, hour: number, members: Partial<Exchange> = {}) =>
  accepted(seq, `t${seq}`, hour * HOUR, hour * HOUR + 5, { token: 't1', ...members });
const days = (hours: readonly number[], members: Partial<Exchange> = {}) =>
  hours.map((hour, seq) => sent(seq, hour, members));

interface Otherwise {
  readonly heading?: Partial<Header>;
  readonly clocks?: readonly ClockRecord[];
  readonly complete?: boolean;
}

function holds(
  certificate: Certificate,
  messages: readonly JournalRecord[],
  { heading = {}, clocks = [clock], complete = true }: Otherwise = {},
): boolean {
  const limits = { ...header().limits, daily: { max: 3 } };
  const exchanges = messages.length;
  const records = [header({ clock: exact, limits, ...heading }), ...clocks, ...messages, end({ exchanges, complete })];
  return verifies(
    certificate,
    rawHistory([certificate], foldedOf(records), () => records),
  );
}

const common = { limit: 'daily', max: 3, windowUs: 24 * HOUR, fromUs: 0, toUs: 0, claim: '', counts: '' } as const;
const unflushed = { heading: { flushed: { rate: true, concurrency: true, daily: false } } };

const over = (exchanges: readonly ExchangeRef[], members: Partial<OverAdmission> = {}): OverAdmission => ({
  ...common,
  reading: 'utc',
  scope: { application: 'a1' },
  rule: 'daily-distinct-messages',
  because: 'over-admission',
  spanUs: 0,
  observed: exchanges.length,
  possible: 3,
  exchanges,
  ...members,
});

describe('more messages than days hold', () => {
  const proves = (reading: string, messages: readonly Exchange[], otherwise: Otherwise = {}) =>
    holds(
      over(
        messages.map(({ seq }) => seq),
        { reading },
      ),
      messages,
      otherwise,
    );

  it('from midnight to midnight: four on one, seven on two', () => {
    expect(proves('utc', days([0, 1, 2, 11]))).toBe(true);
    expect(proves('utc', days([0, 1, 2]))).toBe(false);
    expect(proves('utc', days([0, 1, 2, 12]))).toBe(false);
    expect(proves('utc', days([9, 10, 11, 12, 13, 14]))).toBe(false);
    expect(proves('utc', days([9, 10, 11, 12, 13, 14, 15]))).toBe(true);
    expect(proves('utc', days([9, 12.1, 13, 14, 35.9]))).toBe(true);
    expect(proves('utc', days([9, 12.1, 13, 14, 36]))).toBe(false);
    // The answer came after midnight.
    const late = sent(3, 11, { headersAt: us(12 * HOUR), receivedAt: us(12 * HOUR) });
    expect(proves('utc', [...days([0, 1, 2]), late])).toBe(false);
  });

  it('by a clock that is known less well', () => {
    const unsure = (hours: number) => ({ clocks: [{ ...clock, plusMinusUs: us(hours * HOUR) }] });
    expect(proves('utc', days([0, 1, 2, 10]), unsure(1))).toBe(true);
    expect(proves('utc', days([0, 1, 2, 11]), unsure(1))).toBe(false);
    expect(proves('utc', days([-11, 1, 2, 3].map((hour) => hour + 12)), unsure(1))).toBe(false);
    const coarse = { heading: { clock: { ...exact, granularityUs: us(HOUR) } } };
    expect(proves('utc', days([0, 1, 2, 10]), coarse)).toBe(true);
    expect(proves('utc', days([0, 1, 2, 11]), coarse)).toBe(false);
    const drifting = { heading: { clock: { ...exact, driftPpm: 100_000 } } };
    expect(proves('utc', days([0, 1, 2, 10]), drifting)).toBe(true);
    expect(proves('utc', days([0, 1, 2, 11]), drifting)).toBe(false);
    // Nobody saw it: one midnight may lie in every span.
    const unseen = { clocks: [] };
    expect(proves('utc', days([0, 1, 2, 3, 4, 5]), unseen)).toBe(false);
    expect(proves('utc', days([0, 1, 2, 3, 4, 5, 6]), unseen)).toBe(true);
    expect(proves('utc', days([0, 1, 2, 3, 4, 5, 24]), unseen)).toBe(false);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 21]), unseen)).toBe(true);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 22]), unseen)).toBe(false);
    expect(proves('utc', days([0, 1, 2, 3, 4, 5, 22]), unseen)).toBe(true);
  });

  it('of any 24 hours: four in one, seven in two', () => {
    expect(proves('rolling', days([5, 6, 7, 28]))).toBe(true);
    expect(proves('rolling', days([5, 6, 7, 29]))).toBe(false);
    expect(proves('rolling', days([5, 6, 7, 29, 30, 31]))).toBe(false);
    expect(proves('rolling', days([5, 6, 7, 29, 30, 31, 52]))).toBe(true);
    expect(proves('rolling', days([5, 6, 7, 29, 30, 31, 53]))).toBe(false);
    const drifting = { heading: { clock: { ...exact, driftPpm: 100_000 } } };
    expect(proves('rolling', days([5, 6, 7, 26]), drifting)).toBe(true);
    expect(proves('rolling', days([5, 6, 7, 27]), drifting)).toBe(false);
  });

  it('of 24 hours from first use: four since the first message of a bucket that is wholly known, else seven', () => {
    expect(proves('first-use', days([5, 6, 7, 28]))).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 29]))).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 28]), unflushed)).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 28]), { complete: false })).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 28]), { heading: { exclusive: false } })).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10]), unflushed)).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10, 11]), unflushed)).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10, 29]), unflushed)).toBe(false);
    // Another message, an hour before, may have begun the day.
    const named = days([5, 6, 7, 28]);
    const before = sent(9, 4);
    expect(holds(over([0, 1, 2, 3], { reading: 'first-use' }), [before, ...named])).toBe(false);
    expect(holds(over([0, 1, 2, 3], { reading: 'first-use' }), [...named, sent(9, 30)])).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10, 52]))).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 30, 53]))).toBe(false);
  });

  it('from midnight to midnight somewhere on earth', () => {
    // No zone has four of these on two days.
    expect(proves('token-timezone', days([0, 1, 2, 3]))).toBe(false);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5]))).toBe(false);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 6]))).toBe(true);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 30]))).toBe(false);
    // Four within less than a quarter of an hour lie on one day, wherever.
    expect(proves('token-timezone', days([0.01, 0.02, 0.03, 0.04]))).toBe(true);
    expect(proves('token-timezone', days([0.01, 0.02, 0.03, 0.26]))).toBe(false);
    // Of several tokens each may have a zone of its own.
    const two = (hours: readonly number[]) => hours.map((hour, seq) => sent(seq, hour, { token: `t${seq % 2}` }));
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]))).toBe(false);
    expect(proves('token-timezone', two([0.1, 1, 2, 3, 4, 5, 6]))).toBe(true);
    expect(proves('token-timezone', two([0.1, 1, 2, 3, 4, 5, 21.9]))).toBe(true);
    expect(proves('token-timezone', two([0.1, 1, 2, 3, 4, 5, 22]))).toBe(false);
    expect(proves('token-timezone', two([0, 1, 2, 3, 4, 5, 6]), { clocks: [] })).toBe(false);
    // They all have the same where one zone was asked for, or none.
    const told = (...timezones: readonly string[]) => ({ heading: { timezones } });
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), told())).toBe(true);
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), told('Europe/Paris'))).toBe(true);
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.26]), told())).toBe(false);
    expect(proves('token-timezone', two([0, 1, 2, 3, 4, 5, 6]), { clocks: [], ...told() })).toBe(true);
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), told('no', 'zone'))).toBe(false);
    // From noon in UTC it is another day in Tokyo after three hours, in Paris after eleven.
    const several = told('Asia/Tokyo', 'Europe/Paris');
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), several)).toBe(true);
    expect(proves('token-timezone', two([2.91, 2.92, 2.93, 2.99]), several)).toBe(true);
    expect(proves('token-timezone', two([3.01, 3.02, 3.03, 3.04]), several)).toBe(false);
    expect(proves('token-timezone', two([11.01, 11.02, 11.03, 11.04]), several)).toBe(true);
  });

  it('where clocks are set: a day of 23 hours', () => {
    // Three before and three behind 23:00 UTC, one at 22:03 on the day after: too many for days of 24 hours, wherever.
    const messages = days([10.95, 10.96, 10.97, 11.03, 11.04, 11.05, 34.05]);
    expect(proves('token-timezone', messages)).toBe(true);
    // In Paris 29 March lasts from 23:00 to 22:00 UTC.
    const march = { clocks: [{ ...clock, serviceUs: us(Date.UTC(2026, 2, 28, 12) * 1_000) }] };
    expect(proves('token-timezone', messages, march)).toBe(false);
    expect(proves('token-timezone', days([10.95, 10.96, 10.97, 11.03, 11.04, 11.05, 33.95]), march)).toBe(true);
    // A week later clocks are set in the south, where midnight is at other hours.
    const april = { clocks: [{ ...clock, serviceUs: us(Date.UTC(2026, 3, 14, 12) * 1_000) }] };
    expect(proves('token-timezone', messages, april)).toBe(true);
  });

  it('by a clock coarser than a day nothing is proven', () => {
    const coarse = { heading: { clock: { ...exact, granularityUs: us(25 * HOUR) } } };
    for (const reading of ['rolling', 'first-use', 'every'])
      expect(proves(reading, days([0, 1, 2, 3, 4, 5, 6]), coarse), reading).toBe(false);
  });

  it('of every kind', () => {
    expect(proves('every', days([0, 1, 2, 3, 4, 5, 21]))).toBe(true);
    expect(proves('every', days([0, 1, 2, 3, 4, 5, 22]))).toBe(false);
    expect(proves('every', days([0, 1, 2, 3, 4, 5]))).toBe(false);
    const two = days([0, 1, 2, 3, 4, 5, 6]).map((one) => ({ ...one, token: `t${one.seq % 2}` }));
    expect(proves('every', two)).toBe(false);
  });

  it('are surely new, accepted and different', () => {
    const four = days([0, 1, 2, 11]);
    const with4th = (members: Partial<Exchange>, ...more: Exchange[]) =>
      holds(over([0, 1, 2, 3]), [...four.slice(0, 3), { ...four[3], ...members } as Exchange, ...more]);
    const again = (members: Partial<Exchange>) => {
      const message = { id: 'm-t3', digest: 'd-t3' };
      return with4th({}, sent(9, 11.5, { turn: { id: 't3', status: 'queued' }, message, ...members }));
    };
    expect(with4th({})).toBe(true);
    expect(with4th({ status: 200 })).toBe(false);
    expect(with4th({ bodyProblem: 'cut' })).toBe(false);
    expect(with4th({ sentAt: us(-1) })).toBe(false);
    expect(with4th({ resend: 'sameContent' as never })).toBe(false);
    expect(with4th({ attempt: 2 })).toBe(false);
    expect(again({ attempt: 2 })).toBe(true);
    expect(with4th({ message: { id: 'm-t2', digest: 'd-t2' } })).toBe(false);
    expect(with4th({ application: 'a2' })).toBe(false);
    expect(again({})).toBe(true);
    expect(again({ sentAt: us(13 * HOUR), headersAt: us(13 * HOUR), receivedAt: us(13 * HOUR) })).toBe(true);
    expect(again({ token: 't9' })).toBe(false);
    // Within what an id is unique is nowhere said: the service may take both for one message, and which of them was first must be sure.
    expect(again({ conversation: 'c2' })).toBe(true);
    expect(again({ conversation: 'c2', sentAt: us(10.5 * HOUR) })).toBe(false);
    expect(again({ message: { id: 'm-t3', digest: 'other' } })).toBe(false);
    expect(again({ message: { id: 'm-t3', digest: 'other' }, status: 422 })).toBe(true);
    expect(again({ seq: 0 })).toBe(false);
    expect(again({ sentAt: us(-1) })).toBe(false);
    expect(holds(over([0, 1, 2, 3, 3]), four)).toBe(false);
    expect(holds(over([0, 1, 2, 8]), four)).toBe(false);
    expect(holds(over([0, 1, 2, 3], { max: 4 }), four)).toBe(false);
    expect(holds(over([0, 1, 2, 3], { scope: { application: 'a2' } }), four)).toBe(false);
    expect(holds(over([0, 1, 2, 3], { reading: 'sliding-log' }), four)).toBe(false);
    // Sent on the day before, and accepted on this one: nobody knows when it was charged.
    const {
      headersAt: _,
      status: __,
      turn: ___,
      ...lost
    } = sent(9, -0.5 + 12, { message: { id: 'm-t3', digest: 'd-t3' } });
    const later = days([13, 14, 15, 16]);
    expect(holds(over([0, 1, 2, 3]), later)).toBe(true);
    expect(holds(over([0, 1, 2, 3]), [{ ...lost, outcome: 'failed' }, ...later])).toBe(false);
  });
});

describe('days that begin with a message, each when the one before is over', () => {
  const four = [sent(0, 0), sent(1, 25), sent(2, 26), sent(3, 27), sent(4, 48.9)];
  const chain = (exchanges: readonly ExchangeRef[], members: Partial<OverAdmission> = {}): OverAdmission =>
    over(exchanges, { reading: 'first-use', rule: 'first-use-day-chain', ...members });
  const proves = (
    messages: readonly Exchange[],
    named: readonly ExchangeRef[] = [1, 2, 3, 4],
    otherwise: Otherwise = {},
  ) => holds(chain(named), messages, otherwise);
  const out = (seq: number, hour: number, code = 'daily_quota_exceeded') =>
    sent(seq, hour, { outcome: 'refused', status: 429, error: { code, retryable: false, requestId: '' } });

  it('hold no fourth of three', () => {
    expect(proves(four)).toBe(true);
    expect(proves(four, [1, 2, 3])).toBe(false);
    expect(proves(four, [0, 1, 2, 3])).toBe(false);
    expect(proves([...four.slice(0, 4), sent(4, 49)])).toBe(false);
    expect(holds(chain([1, 2, 3, 4], { reading: 'rolling' }), four)).toBe(false);
    expect(holds(chain([1, 2, 3, 4], { rule: 'daily-distinct-messages' }), four)).toBe(false);
    // The fourth of a day was sent before that began.
    expect(proves([sent(0, 0), sent(1, 23.9), ...four.slice(2, 4), sent(4, 49.9)])).toBe(false);
    expect(proves([sent(0, 0), sent(1, 24.001), ...four.slice(2, 4), sent(4, 47.9)])).toBe(true);
  });

  it('begin with whatever may have begun them, in a bucket that is wholly known from its start on', () => {
    expect(proves([...four, sent(9, 24.5, { status: 422 })])).toBe(false);
    expect(proves([...four, out(9, 24.5, 'concurrency_limited')])).toBe(false);
    expect(proves([...four, out(9, 24.5)])).toBe(true);
    expect(proves([...four, sent(9, 0.5, { status: 422 })])).toBe(true);
    expect(proves([...four, sent(9, 24.5, { application: 'a2' })])).toBe(true);
    expect(proves(four, undefined, unflushed)).toBe(false);
    expect(proves(four, undefined, { complete: false })).toBe(false);
    expect(proves(four, undefined, { heading: { exclusive: false } })).toBe(false);
    const scope = { application: 'a1', user: 'u1', token: 't1' };
    const { token: _, ...nameless } = sent(9, 20, { status: 404 });
    expect(holds(chain([1, 2, 3, 4], { scope }), four)).toBe(true);
    expect(holds(chain([1, 2, 3, 4], { scope }), [...four, nameless])).toBe(false);
    // By a clock that goes wrong by an hour in ten, the second day may begin at 22 h, and be over after 44.
    const drifting = { heading: { clock: { ...exact, driftPpm: 100_000 } } };
    expect(proves(four, undefined, drifting)).toBe(false);
    expect(proves([sent(0, 0), sent(1, 27), sent(2, 28), sent(3, 29), sent(4, 43)], undefined, drifting)).toBe(true);
  });

  const wrong = (members: Partial<WrongfulRefusal> = {}): WrongfulRefusal => ({
    ...common,
    reading: 'first-use',
    scope: { application: 'a1' },
    rule: 'wrongful-refusal-first-use-day',
    because: 'wrongful-refusal',
    refusal: 9,
    lookBackUs: 0,
    observed: 1,
    needed: 3,
    exchanges: [3],
    ...members,
  });
  const before = [sent(0, 0), sent(1, 22), sent(2, 23), sent(3, 24.5)];

  it('explain no refusal after the first of three', () => {
    expect(holds(wrong(), [...before, out(9, 25)])).toBe(true);
    expect(holds(wrong(), [...before, out(9, 23.9)])).toBe(false);
    expect(holds(wrong({ exchanges: [] }), [...before, out(9, 25)])).toBe(false);
    expect(holds(wrong({ rule: 'wrongful-refusal-daily' }), [...before, out(9, 25)])).toBe(false);
    expect(holds(wrong({ reading: 'rolling' }), [...before, out(9, 25)])).toBe(false);
    expect(holds(wrong({ exchanges: [3, 4] }), [...before, sent(4, 24.6), out(9, 25)])).toBe(true);
    expect(holds(wrong({ exchanges: [3, 4, 5] }), [...before, sent(4, 24.6), sent(5, 24.7), out(9, 25)])).toBe(false);
    expect(holds(wrong(), [...before, out(9, 25)], unflushed)).toBe(false);
    expect(holds(wrong(), [...before, out(9, 25, 'rate_limited')])).toBe(false);
    // Charged when the day began, or while the one before went on.
    const late = sent(3, 23.95, { headersAt: us(24.5 * HOUR), receivedAt: us(24.5 * HOUR) });
    expect(holds(wrong(), [...before.slice(0, 3), late, out(9, 25)])).toBe(true);
    const slow = out(9, 24);
    const during = { ...slow, sentAt: us(23.9 * HOUR), headersAt: us(24.1 * HOUR), receivedAt: us(24.1 * HOUR) };
    expect(holds(wrong({ exchanges: [] }), [...before.slice(0, 3), during])).toBe(false);
    // Nothing was open when it came.
    expect(holds(wrong({ exchanges: [] }), [...before.slice(0, 3), out(9, 24.1)])).toBe(true);
    expect(holds(wrong({ exchanges: [] }), [...before.slice(0, 3), sent(8, 1, { sentAt: us(-1) }), out(9, 24.1)])).toBe(
      false,
    );
  });
});

describe('a refusal although the quota was not used up', () => {
  const refusal = (members: Partial<WrongfulRefusal> = {}): WrongfulRefusal => ({
    ...common,
    reading: 'utc',
    scope: { application: 'a1' },
    rule: 'wrongful-refusal-daily',
    because: 'wrongful-refusal',
    refusal: 9,
    lookBackUs: 0,
    observed: 2,
    needed: 3,
    exchanges: [0, 1],
    ...members,
  });
  const refused = (hour: number, members: Partial<Exchange> = {}) =>
    sent(9, hour, {
      outcome: 'refused',
      status: 429,
      error: { code: 'daily_quota_exceeded', retryable: false, requestId: '' },
      ...members,
    });
  /** Refused at an hour, after messages at others, of which those before the third are named. */
  const proves = (reading: string, hours: readonly number[], at: number, otherwise: Otherwise = {}, members = {}) =>
    holds(refusal({ reading, ...members }), [...days(hours), refused(at)], otherwise);

  it('on a day of UTC: fewer than three since midnight', () => {
    expect(proves('utc', [0, 1], 5)).toBe(true);
    expect(proves('utc', [0, 1, 2], 5)).toBe(false);
    expect(proves('utc', [13, 14, 11], 20)).toBe(true);
    expect(proves('utc', [13, 14, 12], 20)).toBe(false);
    // Sent after it.
    expect(proves('utc', [0, 1, 6], 5)).toBe(true);
    // Two records of one number: nobody knows when either was sent, and each may have counted.
    const twice = [...days([0, 1]), { ...sent(1, 2), message: { id: 'm-t1', digest: 'd-t1' } }, refused(5)];
    expect(holds(refusal(), twice)).toBe(false);
    expect(holds(refusal(), [...days([0]), sent(1, 1), refused(5)])).toBe(true);
    expect(proves('utc', [0, 1], 5, {}, { exchanges: [0] })).toBe(false);
    // Before a midnight that the refusal may have lain behind.
    const across = refused(11.9, { headersAt: us(12.1 * HOUR), receivedAt: us(12.1 * HOUR) });
    expect(holds(refusal(), [...days([0, 1, 2]), across])).toBe(false);
    expect(holds(refusal(), [...days([0, 1]), across])).toBe(true);
  });

  it('within 24 hours before, rolling or from first use', () => {
    for (const reading of ['rolling', 'first-use']) {
      expect(proves(reading, [20, 21, 5], 30)).toBe(true);
      expect(proves(reading, [20, 21, 5.9], 30)).toBe(true);
      expect(proves(reading, [20, 21, 5.9], 29.8)).toBe(false);
      expect(proves(reading, [20, 21, 5], 29.1)).toBe(true);
      expect(proves(reading, [20, 21, 5], 28.9)).toBe(false);
    }
    // A request that began while it was decided, when the first was a day old.
    const slow = refused(28.9, { headersAt: us(29.5 * HOUR), receivedAt: us(29.5 * HOUR) });
    expect(holds(refusal({ reading: 'rolling', exchanges: [0, 1, 2] }), [...days([5, 20, 29.2]), slow])).toBe(true);
    expect(holds(refusal({ reading: 'rolling', exchanges: [0, 1, 2] }), [...days([5, 20, 28.95]), slow])).toBe(false);
  });

  it('wherever on earth', () => {
    expect(proves('token-timezone', [20, 21], 30)).toBe(true);
    expect(proves('token-timezone', [20, 21, 22], 30)).toBe(false);
    expect(proves('token-timezone', [20, 21, 5], 30)).toBe(true);
    expect(proves('token-timezone', [20, 21, 5], 28.9)).toBe(false);
    const two = (third: number, otherwise: Otherwise = {}) =>
      holds(
        refusal({ reading: 'token-timezone' }),
        [...days([60, 61, third]).map((one) => ({ ...one, token: `t${one.seq}` })), refused(70)],
        otherwise,
      );
    // At UTC + 14 h, the hour 22 begins a date that still is one at UTC − 12 h when it was refused.
    expect(two(21.9)).toBe(true);
    expect(two(22)).toBe(false);
    expect(two(19, { clocks: [] })).toBe(true);
    expect(two(21, { clocks: [] })).toBe(false);
    expect(proves('token-timezone', [60, 61, 43], 70, { clocks: [] })).toBe(true);
    expect(proves('token-timezone', [60, 61, 45], 70, { clocks: [] })).toBe(false);
    expect(proves('utc', [60, 61, 45], 70, { clocks: [] })).toBe(true);
    expect(proves('utc', [60, 61, 47], 70, { clocks: [] })).toBe(false);
  });

  it('where clocks are set: a day of 25 hours', () => {
    const october = { clocks: [{ ...clock, serviceUs: us(Date.UTC(2026, 9, 24, 12) * 1_000) }] };
    // In Paris 25 October lasts from 22:00 to 23:00 UTC on the day after.
    const early = [10.05, 10.06, 10.07];
    const all = { exchanges: [0, 1, 2] };
    expect(proves('token-timezone', early, 34.5, {}, all)).toBe(true);
    expect(proves('token-timezone', early, 34.5, october, all)).toBe(false);
    expect(proves('token-timezone', [9.95, 10.06, 10.07], 34.5, october, all)).toBe(true);
    // And till midnight in Troll, where clocks are set by two hours.
    expect(proves('token-timezone', early, 35.95, october, all)).toBe(false);
    expect(proves('token-timezone', early, 36.05, october, all)).toBe(true);
  });

  it('of every kind, as far back as it says, and that is far enough', () => {
    const back = (hours: number) => ({ lookBackUs: hours * HOUR });
    expect(proves('every', [60, 61, 43], 70, {}, back(26.01))).toBe(true);
    expect(proves('every', [60, 61, 45], 70, {}, back(26.01))).toBe(false);
    expect(proves('every', [60, 61, 43], 70, {}, back(26))).toBe(false);
    const unsure = { clocks: [{ ...clock, plusMinusUs: us(HOUR) }] };
    expect(proves('every', [60, 61], 70, unsure, back(30))).toBe(false);
    expect(proves('every', [60, 61], 70, unsure, back(30.1))).toBe(true);
    expect(proves('every', [60, 61], 70, { clocks: [] }, back(26))).toBe(true);
    expect(proves('every', [60, 61], 70, unflushed, back(26.01))).toBe(true);
    expect(proves('every', [30, 31], 49, unflushed, back(26.01))).toBe(false);
    expect(proves('every', [30, 31], 51, unflushed, back(26.01))).toBe(true);
    const two = [...days([60, 61]).map((one) => ({ ...one, token: `t${one.seq}` })), refused(70)];
    expect(holds(refusal({ reading: 'every', ...back(50) }), two)).toBe(false);
    expect(holds(refusal({ reading: 'every', ...back(50.01) }), two)).toBe(true);
  });

  it('needs a history that is whole and exclusive, and two days of it where it was not flushed', () => {
    expect(proves('utc', [0, 1], 5, { heading: { exclusive: false } })).toBe(false);
    expect(proves('utc', [0, 1], 5, { complete: false })).toBe(false);
    // And half a minute, in which messages from before may still be charged.
    for (const reading of ['utc', 'rolling', 'first-use']) {
      expect(proves(reading, [40, 41], 48, unflushed)).toBe(false);
      expect(proves(reading, [40, 41], 48.01, unflushed)).toBe(true);
    }
    expect(proves('token-timezone', [40, 41], 50, unflushed)).toBe(false);
    expect(proves('token-timezone', [40, 41], 50.01, unflushed)).toBe(true);
    expect(proves('token-timezone', [40, 41], 50, { ...unflushed, clocks: [] })).toBe(false);
    expect(proves('token-timezone', [40, 41], 50.01, { ...unflushed, clocks: [] })).toBe(true);
  });

  it('is a refusal by this limit, of a message of this scope', () => {
    const two = days([0, 1]);
    const error = { code: 'rate_limited', retryable: true, requestId: '' };
    expect(holds(refusal(), [...two, refused(5, { error })])).toBe(false);
    expect(holds(refusal(), [...two, refused(5, { operation: 'readTurn' })])).toBe(false);
    expect(holds(refusal(), [...two, refused(5, { application: 'a2' })])).toBe(false);
    expect(holds(refusal(), [...two, refused(5), refused(5)])).toBe(false);
    expect(holds(refusal({ refusal: 8 }), [...two, refused(5)])).toBe(false);
    expect(holds(refusal({ max: 4 }), [...two, refused(5)])).toBe(false);
    expect(holds(refusal({ limit: 'rate' }), [...two, refused(5)])).toBe(false);
  });

  it('is explained by whatever may have been charged', () => {
    const withThird = (members: Partial<Exchange>, ...more: Exchange[]) =>
      holds(refusal(), [...days([0, 1]), { ...sent(2, 2), ...members } as Exchange, ...more, refused(5)]);
    const { headersAt: _, status: __, turn: ___, ...lost } = sent(2, 2);
    expect(withThird({})).toBe(false);
    expect([401, 404, 413, 422, 500].map((status) => withThird({ status }))).toEqual([true, true, true, true, false]);
    expect(withThird({ status: 422, sentAt: us(-1) })).toBe(false);
    expect(holds(refusal(), [...days([0, 1]), { ...lost, outcome: 'failed' }, refused(5)])).toBe(false);
    const error = { code: 'rate_limited', retryable: true, requestId: '' };
    expect(withThird({ outcome: 'refused', status: 429, error })).toBe(true);
    // A message is charged once, however often it is sent, but with each of its contents.
    expect(withThird({ message: { id: 'm-t1', digest: 'd-t1' } })).toBe(true);
    expect(withThird({ message: { id: 'm-t1', digest: 'other' } })).toBe(false);
    expect(withThird({ message: { id: 'm-t1', digest: 'd-t1' }, conversation: 'c2' })).toBe(false);
    // And with the first again, which a service that keeps the last one only takes for new.
    const other = sent(2, 2, { message: { id: 'm-t0', digest: 'other' } });
    const again = (hour: number) => sent(3, hour, { message: { id: 'm-t0', digest: 'd-t0' } });
    expect(holds(refusal({ exchanges: [0, 2] }), [sent(0, 0), other, again(3), refused(5)])).toBe(false);
    expect(holds(refusal({ exchanges: [0, 2] }), [sent(0, 0), other, again(1), refused(5)])).toBe(true);
    // What was sent under the id to another conversation may have been taken under the same one.
    const elsewhere = { ...other, conversation: 'c2' };
    expect(holds(refusal({ exchanges: [0, 2] }), [sent(0, 0), elsewhere, again(3), refused(5)])).toBe(false);
    expect(holds(refusal({ exchanges: [0, 2] }), [sent(0, 0), elsewhere, again(1), refused(5)])).toBe(true);
    expect(holds(refusal(), [sent(0, 0), { ...elsewhere, status: 422 }, again(3), refused(5)])).toBe(true);
    // Without an id each is a message of its own.
    const nameless = [1, 2].map((seq) => {
      const { message: _, ...one } = sent(seq, seq);
      return one;
    });
    expect(holds(refusal(), [sent(0, 0), ...nameless, refused(5)])).toBe(false);
    expect(holds(refusal(), [sent(0, 0), ...nameless.slice(0, 1), refused(5)])).toBe(true);
  });

  it('counts a message when it may have been charged: at the latest when it was first accepted', () => {
    const message = { id: 'm-t2', digest: 'd-t2' };
    const { headersAt: _, status: __, turn: ___, ...open } = sent(5, 11, { message });
    const lost: Exchange = { ...open, outcome: 'failed', receivedAt: us(11.5 * HOUR) };
    const yesterday = (...attempts: Exchange[]) => holds(refusal(), [...days([13, 14]), ...attempts, refused(20)]);
    expect(yesterday(lost)).toBe(true);
    expect(yesterday(lost, sent(2, 14, { message }))).toBe(false);
    expect(yesterday(sent(6, 10, { message, turn: { id: 't2', status: 'queued' } }), sent(2, 14, { message }))).toBe(
      true,
    );
    expect(yesterday(lost, sent(2, 14, { message, status: 500 }))).toBe(false);
  });

  it('counts a message from when its first attempt may have been charged until its last may', () => {
    const message = { id: 'm-t2', digest: 'd-t2' };
    const lost = (seq: number, hour: number): Exchange => {
      const { headersAt: _, status: __, turn: ___, ...open } = sent(seq, hour, { message });
      return { ...open, outcome: 'failed' };
    };
    const today = (...attempts: Exchange[]) => holds(refusal(), [...days([13, 14]), ...attempts, refused(20)]);
    expect(today(lost(5, 10), lost(6, 11))).toBe(true);
    expect(today(lost(5, 11), lost(6, 21))).toBe(false);
    expect(today(lost(5, 11), lost(6, 14), lost(7, 21))).toBe(false);
    expect(today(lost(5, 14), lost(6, 21))).toBe(false);
    const rolling = (...attempts: Exchange[]) =>
      holds(refusal({ reading: 'rolling' }), [...days([13, 14]), ...attempts, refused(30)]);
    expect(rolling(lost(5, 2), lost(6, 5))).toBe(true);
    expect(rolling(lost(5, 2), lost(6, 31))).toBe(false);
    expect(rolling(lost(5, 2), lost(6, 8), lost(7, 31))).toBe(false);
  });
});
