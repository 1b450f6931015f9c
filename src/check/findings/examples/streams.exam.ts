import type { StreamRecord } from '../../../history/index.ts';
import { exchange, poll, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';

const event = (
  name: StreamRecord['event'],
  at: number,
  sequence?: number,
  members: Partial<StreamRecord> = {},
): StreamRecord => ({
  kind: 'stream',
  turn: 't1',
  event: name,
  at: us(at),
  ...(sequence !== undefined && { sequence }),
  ...members,
});
const handshake = exchange({ seq: 5, operation: 'openStream', sentAt: us(1_000), status: 101, turn: { id: 't1' } });
const opened = event('opened', 2_000);

export const streamAndPollDisagree: Examples = {
  shown: [
    {
      because: 'a poll sent after the stream’s end finds the turn open',
      records: [handshake, opened, event('completed', 3_000, 1), poll(6, 't1', 'processing', 5_000, 5_900)],
      basis: 'observation',
      claim:
        'turn t1 had completed according to its stream, and was processing in the answer to request 6, which was sent 2.0 ms later',
      exchanges: [5, 6],
    },
    {
      because: 'later than the profile says that a poll may show what was so before',
      records: [handshake, opened, event('completed', 3_000, 1), poll(6, 't1', 'processing', 5_000, 5_900)],
      header: { profile: { turns: { staleFor: 1.9 } } },
      basis: 'observation',
      claim:
        'turn t1 had completed according to its stream, and was processing in the answer to request 6, which was sent 2.0 ms later',
      exchanges: [5, 6],
    },
    {
      because: 'the stream failed, the poll completed',
      records: [handshake, opened, event('failed', 3_000, 1), poll(6, 't1', 'completed', 2_000, 2_900)],
      basis: 'observation',
      claim: 'turn t1 had failed according to its stream, and was completed in the answer to request 6',
      exchanges: [5, 6],
    },
  ],
  notShown: [
    {
      because: 'the profile says that a poll may show what was so 2 ms before',
      records: [handshake, opened, event('completed', 3_000, 1), poll(6, 't1', 'processing', 5_000, 5_900)],
      header: { profile: { turns: { staleFor: 2 } } },
    },
    {
      because: 'the poll was under way when the stream ended',
      records: [handshake, opened, event('completed', 3_000, 1), poll(6, 't1', 'processing', 3_000, 5_900)],
    },
    {
      because: 'both completed',
      records: [handshake, opened, event('completed', 3_000, 1), poll(6, 't1', 'completed', 5_000, 5_900)],
    },
  ],
};

export const streamOutOfSequence: Examples = {
  shown: [
    {
      because: 'an event came twice',
      records: [handshake, opened, event('status', 3_000, 1), event('status', 3_100, 1), event('completed', 4_000, 2)],
      basis: 'observation',
      claim: 'event 1 of turn t1 came twice on one stream',
      exchanges: [5],
    },
    {
      because: 'a later one came first',
      records: [handshake, opened, event('delta', 3_000, 3), event('delta', 3_100, 2)],
      basis: 'observation',
      claim: 'event 2 of turn t1 came after event 3 on one stream',
      exchanges: [5],
    },
    {
      because: 'another worker has a connection of its own at the same time',
      records: [
        handshake,
        opened,
        event('opened', 2_500, undefined, { worker: 1 }),
        event('delta', 3_000, 3),
        event('delta', 3_050, 3, { worker: 1 }),
        event('delta', 3_100, 2),
      ],
      basis: 'observation',
      claim: 'event 2 of turn t1 came after event 3 on one stream',
      exchanges: [5],
    },
  ],
  notShown: [
    {
      because: 'where one stream ended and the next was opened is lost',
      records: [handshake, opened, event('delta', 3_000, 4), event('status', 3_300, 1)],
      lostStreams: 1,
    },
    { because: 'rising, with gaps', records: [handshake, opened, event('status', 3_000, 1), event('delta', 3_100, 4)] },
    {
      because: 'a second connection begins anew',
      records: [
        handshake,
        opened,
        event('delta', 3_000, 4),
        event('closed', 3_100),
        event('opened', 3_200),
        event('status', 3_300, 1),
      ],
    },
    {
      because: 'two connections at once: nobody can say whose event it is',
      records: [handshake, opened, event('delta', 3_000, 1), event('opened', 3_050), event('delta', 3_100, 1)],
    },
    {
      because: 'records out of order',
      records: [handshake, opened, event('delta', 3_100, 2), event('delta', 3_000, 1)],
    },
  ],
};

export const streamEventAfterEnd: Examples = {
  shown: [
    {
      because: 'a piece of the answer after the end',
      records: [handshake, opened, event('completed', 3_000, 3), event('delta', 3_100, 4)],
      basis: 'observation',
      claim: 'the stream of turn t1 sent another event after the one that ended the turn',
      exchanges: [5],
    },
  ],
  notShown: [
    {
      because: 'closed after the end',
      records: [handshake, opened, event('completed', 3_000, 3), event('closed', 3_100)],
    },
    {
      because: 'another connection tells it again',
      records: [
        handshake,
        opened,
        event('completed', 3_000, 3),
        event('closed', 3_000),
        event('opened', 4_000),
        event('status', 4_100, 1),
      ],
    },
    {
      because: 'at the same microsecond',
      records: [handshake, opened, event('completed', 3_000, 3), event('delta', 3_000, 4)],
    },
  ],
};
