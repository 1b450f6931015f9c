import { accepted, exchange, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';
import { other, promising, sent } from './message-one.exam.ts';

export const otherContentAccepted: Examples = {
  shown: [
    {
      because: 'the profile says that it is refused',
      header: promising({ otherContent: 'refused' }),
      records: [sent(0, 't1', 0), other(1, 't1', 5_000)],
      basis: 'profile',
      claim:
        'other content under the used id m-1 was answered with the earlier turn; the profile says that it is refused',
      exchanges: [0, 1],
    },
    {
      because: 'the profile says that it is ignored',
      header: promising({ otherContent: 'ignored' }),
      records: [sent(0, 't1', 0), other(1, 't2', 5_000)],
      basis: 'profile',
      claim: 'other content under the used id m-1 was accepted as a separate turn; the profile says that it is ignored',
      exchanges: [0, 1],
    },
    {
      because: 'the profile says that it is refused, and nobody saw the turn of the first content',
      header: promising({ otherContent: 'refused' }),
      records: [
        sent(0, 't1', 0),
        sent(1, 't1', 2_000, { outcome: 'failed', failure: 'ECONNRESET' }),
        other(2, 't2', 5_000),
      ],
      basis: 'profile',
      claim: 'other content under the used id m-1 was accepted; the profile says that it is refused',
      exchanges: [0, 2],
    },
    {
      because: 'the profile says nothing',
      records: [sent(0, 't1', 0), other(1, 't2', 5_000)],
      basis: 'observation',
      claim: 'other content under the used id m-1 was accepted as a separate turn',
      exchanges: [0, 1],
    },
  ],
  notShown: [
    {
      because: 'refused',
      header: promising({ otherContent: 'refused' }),
      records: [
        sent(0, 't1', 0),
        exchange({
          seq: 1,
          operation: 'sendMessage',
          conversation: 'c1',
          sentAt: us(5_000),
          status: 422,
          message: { id: 'm-1', digest: 'd-2' },
        }),
      ],
    },
    {
      because: 'ignored, as the profile says',
      header: promising({ otherContent: 'ignored' }),
      records: [sent(0, 't1', 0), other(1, 't1', 5_000)],
    },
    {
      because: 'ignored, and answered in the microsecond in which the first content was sent',
      header: promising({ otherContent: 'ignored' }),
      records: [sent(0, 't1', 0), accepted(1, 't1', 0, 0, { message: { id: 'm-1', digest: 'd-2' } })],
    },
    {
      because: 'ignored, and answered with the second turn that the message was given, as no promise forbids',
      header: promising({ otherContent: 'ignored' }),
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000), other(2, 't2', 9_000)],
    },
    {
      because: 'ignored, and answered with a turn that the message was given, perhaps, in a record that is missing',
      header: promising({ otherContent: 'ignored' }),
      incomplete: true,
      records: [sent(0, 't1', 0), other(2, 't2', 9_000)],
    },
    {
      because: 'the same content',
      header: promising({ otherContent: 'refused' }),
      records: [sent(0, 't1', 0), sent(1, 't1', 5_000)],
    },
    {
      because: 'another conversation, where the id is new',
      header: promising({ otherContent: 'refused' }),
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000, { conversation: 'c2', message: { id: 'm-1', digest: 'd-2' } })],
    },
  ],
};

export const turnOfAnotherMessage: Examples = {
  shown: [
    {
      because: 'another user sends the same id and is answered with the first one’s turn',
      records: [sent(0, 't1', 0), sent(1, 't1', 5_000, { user: 'u2', conversation: 'c2' })],
      basis: 'observation',
      claim: 'two messages with the id m-1, from different users or conversations, were both answered with turn t1',
      exchanges: [0, 1],
    },
    {
      because: 'two ids, one turn',
      records: [sent(0, 't1', 0), sent(1, 't1', 5_000, { message: { id: 'm-2', digest: 'd-2' } })],
      basis: 'observation',
      claim: 'messages m-1 and m-2 were both answered with turn t1',
      exchanges: [0, 1],
    },
  ],
  notShown: [
    { because: 'a resend', records: [sent(0, 't1', 0), sent(1, 't1', 5_000)] },
    {
      because: 'the profile says that ids are unique in an application',
      header: promising({ scope: 'application' }),
      records: [sent(0, 't1', 0), sent(1, 't1', 5_000, { user: 'u2', conversation: 'c2' })],
    },
  ],
};
