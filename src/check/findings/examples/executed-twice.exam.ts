import type { ClockRecord, Exchange } from '../../../history/index.ts';
import { exchange, poll, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';
import { message, other, promising, sent } from './message-one.exam.ts';

const page = (seq: number, at: number, items: readonly (readonly [id: string, role: string, digest: string])[]) =>
  exchange({
    seq,
    conversation: 'c1',
    sentAt: us(at),
    history: {
      limit: 50,
      offset: 0,
      items: items.map(([id, role, digest], i) => ({ id, role, digest, createdAt: `2026-11-21T12:00:0${i}.000Z` })),
    },
  });
/** The service's clock as it was when the run began, a second before the first message of a page. */
const clockAt = (time: string): ClockRecord => ({
  kind: 'clock',
  at: us(0),
  serviceUs: us(Date.parse(`2026-11-21T${time}Z`) * 1_000),
  plusMinusUs: us(1_000),
  rate: 1,
});
const result = (user: string) => ({ userMessageId: user, assistantMessageId: `answer-to-${user}` });

function withoutAnswer({ status, headersAt, ...rest }: Exchange): Exchange {
  return rest;
}

export const messageExecutedTwice: Examples = {
  shown: [
    {
      because: 'the history has them on different pages, of which it was shown others, too',
      records: [
        sent(0, 't1', 0),
        sent(1, 't2', 5_000),
        poll(2, 't1', 'completed', 20_000, 20_900, { turn: { id: 't1', status: 'completed', ...result('i1') } }),
        poll(3, 't2', 'completed', 21_000, 21_900, { turn: { id: 't2', status: 'completed', ...result('i2') } }),
        page(4, 29_000, [['i9', 'user', 'd-9']]),
        page(5, 30_000, [['i1', 'user', 'd-1']]),
        page(6, 31_000, [['i2', 'user', 'd-1']]),
      ],
      basis: 'observation',
      claim: 'message m-1 is in the history 2 times, as separate messages',
      exchanges: [0, 1, 5, 6],
    },
    {
      because: 'both turns name a user message, and the history has both',
      header: { exclusive: false },
      records: [
        sent(0, 't1', 0),
        sent(1, 't2', 5_000),
        poll(2, 't1', 'completed', 20_000, 20_900, { turn: { id: 't1', status: 'completed', ...result('i1') } }),
        poll(3, 't2', 'completed', 21_000, 21_900, { turn: { id: 't2', status: 'completed', ...result('i2') } }),
        page(4, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ],
      basis: 'observation',
      claim: 'message m-1 is in the history 2 times, as separate messages',
      exchanges: [0, 1, 4],
    },
    {
      because: 'the first attempt had no answer, and was executed all the same',
      header: promising({ sameTurn: true }),
      records: [
        exchange({
          seq: 0,
          operation: 'sendMessage',
          conversation: 'c1',
          message,
          outcome: 'failed',
          failure: 'ECONNRESET',
        }),
        sent(1, 't2', 5_000, { attempt: 2 }),
        page(2, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ].flatMap((record) => (record.seq === 0 ? [clockAt('11:59:59'), withoutAnswer(record)] : [record])),
      basis: 'profile',
      claim: 'message m-1 is in the history 2 times, as separate messages',
      exchanges: [0, 1, 2],
    },
    {
      because: 'the id may have been given to another content meanwhile',
      header: promising({ sameTurn: true }),
      records: [
        clockAt('11:59:59'),
        sent(0, 't1', 0),
        other(1, 't2', 5_000),
        sent(2, 't1', 9_000),
        page(3, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ],
      basis: 'observation',
      claim: 'message m-1 is in the history 2 times, as separate messages',
      exchanges: [0, 2, 3],
    },
    {
      because: 'the same text may have been sent under another id, in a record that is missing',
      header: promising({ sameTurn: true, otherContent: 'refused' }),
      incomplete: true,
      records: [
        clockAt('11:59:59'),
        sent(0, 't1', 0),
        sent(1, 't1', 5_000),
        page(3, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ],
      basis: 'observation',
      claim: 'message m-1 is in the history 2 times, as separate messages',
      exchanges: [0, 1, 3],
    },
    {
      because: 'other ids were sent with other text, or elsewhere',
      records: [
        sent(0, 't1', 0),
        sent(1, 't1', 5_000),
        sent(2, 't2', 9_000, { message: { id: 'm-2', digest: 'd-2' } }),
        sent(3, 't3', 9_500, { conversation: 'c2', message: { id: 'm-2', digest: 'd-1' } }),
        page(4, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ],
      basis: 'observation',
      claim: 'message m-1 is in the history 2 times, as separate messages',
      exchanges: [0, 1, 4],
    },
  ],
  notShown: [
    {
      because: 'the same text was sent under another id, too',
      records: [
        sent(0, 't1', 0),
        sent(1, 't1', 5_000),
        sent(2, 't2', 9_000, { message: { id: 'm-2', digest: 'd-1' } }),
        page(3, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ],
    },
    {
      because: 'the conversation may have held it before the run',
      header: promising({ sameTurn: true }),
      records: [
        clockAt('12:00:00.500'),
        sent(0, 't1', 0),
        sent(1, 't1', 5_000),
        page(2, 30_000, [
          ['of-before', 'user', 'd-1'],
          ['i1', 'user', 'd-1'],
        ]),
      ],
    },
    {
      because: 'once',
      records: [sent(0, 't1', 0), sent(1, 't1', 5_000), page(2, 30_000, [['i1', 'user', 'd-1']])],
    },
    {
      because: 'somebody else may write to the conversation',
      header: { exclusive: false },
      records: [
        sent(0, 't1', 0),
        sent(1, 't1', 5_000),
        page(2, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ],
    },
    {
      because: 'two messages of one text',
      records: [
        sent(0, 't1', 0),
        sent(1, 't2', 5_000, { message: { id: 'm-2', digest: 'd-1' } }),
        page(2, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'user', 'd-1'],
        ]),
      ],
    },
    {
      because: 'the assistant repeats what the user said',
      records: [
        sent(0, 't1', 0),
        sent(1, 't1', 5_000),
        page(2, 30_000, [
          ['i1', 'user', 'd-1'],
          ['i2', 'assistant', 'd-1'],
        ]),
      ],
    },
  ],
};
