import type { Exchange, Header, JournalRecord, StreamRecord } from '../../history/index.ts';
import { accepted, header, us } from '../../testing/history/sample-records.ts';

export const SECOND = 1_000_000;

/** A journal: a header that declares slots from acceptance to finish and days of UTC, the records, and its end. */
export function journal(records: readonly JournalRecord[], members: Partial<Header> = {}): JournalRecord[] {
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  const profile = {
    errorCodes: { known: true },
    idempotency: { sameTurn: true },
    limits: { concurrency: { reading: 'semaphore' }, daily: { day: 'utc' } },
  };
  const limits = header().limits;
  const end = { kind: 'end', at: us(0), arrivals: 0, exchanges, streams: 0, drops: 0, complete: true } as const;
  return [header({ profile, limits: { ...limits, daily: { max: 2 } }, ...members }), ...records, end];
}

/** Messages accepted 10 ms apart, as a turn each. */
export const three = ['a', 'b', 'c'].map((turn, i) => accepted(i, turn, i * 10_000, i * 10_000 + 1_000));

export const unanswered = (seq: number, id: string, sentAt: number): Exchange => {
  const { headersAt: _, status: __, turn: ___, ...rest } = accepted(seq, id, sentAt, sentAt + SECOND);
  return { ...rest, outcome: 'failed', failure: 'ECONNRESET' };
};
export const event = (turn: string, says: StreamRecord['event'], at: number, status?: string): StreamRecord => ({
  kind: 'stream',
  turn,
  event: says,
  at: us(at),
  ...(status !== undefined && { status }),
});
