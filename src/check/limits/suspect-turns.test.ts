import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { accepted, header, poll, refused, us } from '../../testing/history/sample-records.ts';
import { judgeOne } from './judging.exam.ts';
import { event, journal, SECOND, three } from './slots-and-days.exam.ts';

/*
 * Turns of which records say what cannot be: they explain and prove nothing.
 */

const [a, b, c] = three as [Exchange, Exchange, Exchange];

describe('a refusal beside a turn', () => {
  const later = (one: Exchange): Exchange => accepted(one.seq, one.turn?.id ?? '', one.sentAt + SECOND, 2 * SECOND);
  const wrongful = (...ends: JournalRecord[]) =>
    judgeOne(
      journal([
        later(a),
        later(b),
        ...ends,
        event('b', 'completed', 90 * SECOND),
        refused(8, 60 * SECOND, 'concurrency_limited'),
      ]),
      'concurrency',
    ).wrongful;

  it('is wrong if the end of the turn was seen before', () => {
    expect(wrongful(event('a', 'completed', 9 * SECOND))).toBe(1);
    expect(wrongful(poll(3, 'a', 'failed', 9 * SECOND, 9 * SECOND))).toBe(1);
  });

  it.each<[string, JournalRecord]>([
    ['before the run', event('a', 'completed', -1)],
    ['on a stream', event('a', 'failed', SECOND - 1)],
    ['by a poll', poll(3, 'a', 'completed', 0, SECOND - 1)],
  ])('is not, if the end was seen before the message was sent: %s', (_, end) => {
    expect(wrongful(end)).toBe(0);
  });

  it('is wrong if the message was sent again after the end', () => {
    const again = { ...accepted(4, 'a', 20 * SECOND, 21 * SECOND), resend: 'same' as const };
    expect(wrongful(event('a', 'completed', 9 * SECOND), again)).toBe(1);
  });

  it('is not, if another message was answered with the same turn: it may have had a slot of its own', () => {
    const other = { id: 'm-d', digest: 'd-d' };
    const end = event('a', 'completed', 9 * SECOND);
    expect(wrongful(end, accepted(4, 'a', 20 * SECOND, 21 * SECOND, { message: other }))).toBe(0);
    expect(wrongful(end, accepted(4, 'a', 5 * SECOND, 6 * SECOND, { message: other }))).toBe(0);
  });
});

it('each attempt at a message may hold a slot of its own, if a doubtful record names its turn', () => {
  const attempts = [a, { ...accepted(1, 'a', 2 * SECOND, 3 * SECOND), resend: 'same' as const }];
  const doubtful = poll(2, 'a', 'queued', -5, 4 * SECOND);
  const records = [...attempts, doubtful, refused(3, 60 * SECOND, 'concurrency_limited')];
  const limits = { ...header().limits, concurrency: { max: 4 } };
  expect(judgeOne(journal(records, { limits }), 'concurrency').certificates).toMatchObject([
    { observed: 2 },
    { observed: 2 },
  ]);
});

it('a turn of two messages shows no slot taken in between', () => {
  const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
  const verdictWith = (...others: Exchange[]) =>
    judgeOne(journal([a, b, c, ...polls, ...others]), 'concurrency').verdict;
  expect(verdictWith()).toMatchObject({ verdict: 'violated', because: 'over-admission' });
  const again = accepted(6, 'a', 45_000, 46_000, { message: { id: 'm-d', digest: 'd-d' } });
  expect(verdictWith(again)).toMatchObject({ overAdmission: 'not-proven' });
});

it('of two messages that were answered with one turn, only one may be charged to the day', () => {
  const twoADay = { limits: { ...header().limits, daily: { max: 2 } } };
  const clock = {
    kind: 'clock',
    at: us(0),
    serviceUs: us(1_795_262_400_000_000),
    plusMinusUs: us(0),
    rate: 1,
  } as const;
  const verdictOf = (turn: string) =>
    judgeOne(journal([clock, a, b, { ...c, turn: { id: turn } }], twoADay), 'daily', 'utc').verdict;
  expect(verdictOf('c')).toMatchObject({ verdict: 'violated', certificate: { observed: 3, possible: 2 } });
  expect(verdictOf('b')).toMatchObject({ overAdmission: 'not-proven' });
});
