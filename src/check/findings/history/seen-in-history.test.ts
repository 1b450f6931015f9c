import { describe, expect, it } from 'vitest';
import type { Exchange, Header, JournalRecord } from '../../../history/index.ts';
import { accepted, end, exchange, header, us } from '../../../testing/history/sample-records.ts';
import { EvidenceFold } from '../../evidence-fold.ts';
import { LookGatherer } from '../look.ts';
import { acceptedUnseen } from './seen-in-history.ts';

const message = { id: 'm-1', digest: 'with place', textDigest: 'text' };

function unanswered(seq: number, at: number, outcome: 'failed' | 'censored' = 'failed'): Exchange {
  const { status, headersAt, ...sent } = exchange({
    seq,
    operation: 'sendMessage',
    conversation: 'c1',
    sentAt: us(at),
    message,
  });
  return { ...sent, outcome, failure: 'ECONNRESET' };
}
const page = (seq: number, at: number, role: string, digest: string) =>
  exchange({
    seq,
    conversation: 'c1',
    sentAt: us(at),
    history: { limit: 50, offset: 0, items: [{ id: 'i1', role, digest, createdAt: '2026-11-21T12:00:00Z' }] },
  });

function unseenIn(records: readonly JournalRecord[], members: Partial<Header> = {}) {
  const first = header(members);
  const fold = new EvidenceFold(first);
  const gatherer = new LookGatherer(first, fold.rows);
  for (const record of [...records, end({ exchanges: records.length })]) {
    fold.add(record);
    if (record.kind === 'exchange') gatherer.addExchange(record, fold.size - 1, fold.turnOf(record));
  }
  return [...acceptedUnseen(gatherer.finish(fold.finish(), {}))];
}

describe('a message without an answer', () => {
  it('was accepted when the history shows it, by the time that it does', () => {
    const found = [{ exchange: 0, beforeUs: 91_000, shownBy: 2 }];
    expect(unseenIn([unanswered(0, 0), page(2, 90_000, 'user', 'text')])).toEqual(found);
    expect(unseenIn([unanswered(0, 0, 'censored'), page(2, 90_000, 'user', 'text')])).toEqual(found);
  });

  const doubtful: [because: string, records: readonly JournalRecord[], members?: Partial<Header>][] = [
    ['the history does not show it', [unanswered(0, 0), page(2, 90_000, 'user', 'other')]],
    ['the assistant said it', [unanswered(0, 0), page(2, 90_000, 'assistant', 'text')]],
    ['it was shown before it was sent', [page(2, 0, 'user', 'text'), unanswered(0, 5_000)]],
    [
      'another attempt was accepted',
      [unanswered(0, 0), accepted(1, 't1', 5_000, 5_900, { message }), page(2, 90_000, 'user', 'text')],
    ],
    [
      'either of two attempts may have been it',
      [unanswered(0, 0), unanswered(1, 5_000), page(2, 90_000, 'user', 'text')],
    ],
    [
      'another message has its text',
      [
        unanswered(0, 0),
        exchange({
          seq: 1,
          operation: 'sendMessage',
          conversation: 'c1',
          status: 422,
          message: { ...message, id: 'm-2' },
        }),
        page(2, 90_000, 'user', 'text'),
      ],
    ],
    ['others may write', [unanswered(0, 0), page(2, 90_000, 'user', 'text')], { exclusive: false }],
  ];

  it.each(doubtful)('proves nothing when %s', (...[, records, members]) => {
    expect(unseenIn(records, members)).toEqual([]);
  });
});
