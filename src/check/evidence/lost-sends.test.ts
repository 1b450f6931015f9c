import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { accepted, end, header, us } from '../../testing/history/sample-records.ts';
import { judge } from '../check-journal.ts';

const SECOND = 1_000_000;

/** One message a day of UTC, of which nothing else is known; midnight is at three seconds of run time. */
const ofOneADay = header({
  profile: { errorCodes: { known: true }, limits: { daily: { day: 'utc', reading: 'utc' } } },
  limits: { ...header().limits, daily: { max: 1 } },
});
const clock: JournalRecord = {
  kind: 'clock',
  at: us(0),
  serviceUs: us(Date.parse('2026-11-20T23:59:57.000Z') * 1_000),
  plusMinusUs: us(1_000),
  rate: 1,
};
const sent = (seq: number, at: number, worker?: number): JournalRecord => ({
  kind: 'sent',
  seq,
  operation: 'sendMessage',
  at: us(at),
  ...(worker !== undefined && { worker }),
});
const daily = (...records: readonly JournalRecord[]) =>
  judge([ofOneADay, clock, ...records]).limits.find(({ limit }) => limit === 'daily')?.verdict;

describe('a message that is sent after a request of which no record is left', () => {
  // Either may be the replay of the one that was lost, and that was charged the day before.
  const two: readonly Exchange[] = [accepted(1, 'a', 4 * SECOND, 5 * SECOND), accepted(2, 'b', 6 * SECOND, 7 * SECOND)];

  it('proves nothing where the history is broken off', () => {
    expect(daily(...two, end({ exchanges: 2 }))).toBe('violated');
    expect(daily(sent(0, 2 * SECOND), ...two)).toBe('undecided');
    expect(daily(...two)).toBe('undecided');
  });

  it('proves what it did where it was sent before', () => {
    const later = sent(2, 8 * SECOND);
    const before = two.map((one) => ({ ...one, seq: one.seq - 1 }));
    expect(daily(...before, later)).toBe('violated');
    // Its resend is sent after the lost one, and it is no less the same message.
    const again = { ...accepted(3, 'b', 9 * SECOND, 10 * SECOND), resend: 'same' as const };
    expect(daily(...before, later, again)).toBe('violated');
  });

  it('is told apart by time where another worker sent what is lost', () => {
    const ofWorker = (worker: number) => two.map((one) => ({ ...one, seq: one.seq - 1, worker }));
    const early = { ...accepted(0, 'c', SECOND, 2 * SECOND), conversation: 'c9' };
    // The first worker's last record is of the day before; what it sent afterwards nobody knows.
    expect(daily(early, ...ofWorker(1))).toBe('undecided');
    const late = { ...accepted(0, 'c', 8 * SECOND, 9 * SECOND), conversation: 'c9' };
    expect(daily(late, ...ofWorker(1), sent(2, 9 * SECOND, 1))).toBe('violated');
  });
});
