import { TargetProfileSchema } from '../../../api/index.ts';
import { accepted, poll } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';

export const turnWentBack: Examples = {
  shown: [
    {
      because: 'completed, then queued in an answer to a poll that was sent later',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'queued', 1_000, 1_900)],
      basis: 'specification',
      claim:
        'turn t1 was completed in the answer to request 0, and queued again in the answer to request 1, which was sent after that',
      exchanges: [0, 1],
    },
    {
      because: 'completed by another name, as the profile says',
      records: [poll(0, 't1', 'done', 0, 900), poll(1, 't1', 'queued', 1_000, 1_900)],
      header: { profile: { turns: { completed: ['done'] } } },
      basis: 'specification',
      claim:
        'turn t1 was done in the answer to request 0, and queued again in the answer to request 1, which was sent after that',
      exchanges: [0, 1],
    },
    {
      because: 'later than the profile says that a poll may show what was so before',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'queued', 1_000, 1_900)],
      header: { profile: { turns: { staleFor: 0.099 } } },
      basis: 'specification',
      claim:
        'turn t1 was completed in the answer to request 0, and queued again in the answer to request 1, which was sent after that',
      exchanges: [0, 1],
    },
    {
      because: 'what failed may be tried again, as nothing is said of it',
      records: [poll(0, 't1', 'failed', 0, 900), poll(1, 't1', 'processing', 1_000, 1_900)],
      basis: 'observation',
      claim:
        'turn t1 was failed in the answer to request 0, and processing again in the answer to request 1, which was sent after that',
      exchanges: [0, 1],
    },
    ...(['completed', 'failed'] as const).map((status) => ({
      because: `${status}, as was known first from the poll that was sent last`,
      records: [
        poll(0, 't1', status, 0, 1_500),
        poll(1, 't1', status, 100, 900),
        poll(2, 't1', status, 50, 1_200),
        poll(3, 't1', 'queued', 1_000, 1_900),
      ],
      basis: status === 'completed' ? ('specification' as const) : ('observation' as const),
      claim: `turn t1 was ${status} in the answer to request 1, and queued again in the answer to request 3, which was sent after that`,
      exchanges: [1, 3],
    })),
    {
      because: 'of two answers that came at once the first is named, and of two polls the last',
      records: [
        poll(2, 't1', 'completed', 100, 900),
        poll(1, 't1', 'completed', 200, 900),
        poll(3, 't1', 'completed', 100, 900),
        poll(5, 't1', 'processing', 2_000, 2_100),
        poll(6, 't1', 'queued', 2_000, 2_100),
        poll(4, 't1', 'queued', 1_000, 2_900),
      ],
      basis: 'specification',
      claim:
        'turn t1 was completed in the answer to request 1, and queued again in the answer to request 6, which was sent after that',
      exchanges: [1, 6],
    },
  ],
  notShown: [
    {
      because: 'the profile says that a poll may show what was so 100 µs before',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'queued', 1_000, 1_900)],
      header: { profile: { turns: { staleFor: 0.1 } } },
    },
    { because: 'forwards', records: [poll(0, 't1', 'queued', 0, 900), poll(1, 't1', 'completed', 1_000, 1_900)] },
    {
      because: 'the polls overlap',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'queued', 900, 1_900)],
    },
    { because: 'two turns', records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't2', 'queued', 1_000, 1_900)] },
    {
      because: 'a resend may be answered with a copy of the first answer',
      records: [poll(0, 't1', 'completed', 0, 900), accepted(1, 't1', 1_000, 1_900)],
    },
    {
      because: 'a word that the profile does not know',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'archived', 1_000, 1_900)],
    },
  ],
};

export const turnEndedTwice: Examples = {
  shown: [
    {
      because: 'failed when it was finished',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'failed', 901, 1_900)],
      basis: 'profile',
      claim: 'turn t1 was completed in the answer to request 0 and failed in the answer to request 1',
      exchanges: [0, 1],
    },
    {
      because: 'failed later than the profile says that a poll may show what was so before',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'failed', 1_001, 1_900)],
      header: { profile: { turns: { staleFor: 0.1 } } },
      basis: 'profile',
      claim: 'turn t1 was completed in the answer to request 0 and failed in the answer to request 1',
      exchanges: [0, 1],
    },
    {
      because: 'failed no later than the profile says that a poll may show what was so before',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'failed', 1_000, 1_900)],
      header: { profile: { turns: { staleFor: 0.1 } } },
      basis: 'observation',
      claim: 'turn t1 was completed in the answer to request 0 and failed in the answer to request 1',
      exchanges: [0, 1],
    },
    ...[0, 900, 2_000].map((sentAt) => ({
      because: `completed by a poll from ${sentAt} on: it may have failed first`,
      records: [poll(0, 't1', 'completed', sentAt, sentAt + 900), poll(1, 't1', 'failed', 900, 1_900)],
      basis: 'observation' as const,
      claim: 'turn t1 was completed in the answer to request 0 and failed in the answer to request 1',
      exchanges: [0, 1],
    })),
  ],
  notShown: [
    {
      because: 'completed twice',
      records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'completed', 1_000, 1_900)],
    },
    { because: 'two turns', records: [poll(0, 't1', 'completed', 0, 900), poll(1, 't2', 'failed', 1_000, 1_900)] },
  ],
};

export const turnWithoutResult: Examples = {
  shown: [
    {
      because: 'completed without a message',
      records: [poll(0, 't1', 'completed', 0, 900)],
      basis: 'observation',
      claim: 'turn t1 was completed without a message in the answer to request 0',
      exchanges: [0],
    },
    {
      because: 'failed without an error',
      records: [poll(0, 't1', 'failed', 0, 900)],
      basis: 'observation',
      claim: 'turn t1 was failed without an error in the answer to request 0',
      exchanges: [0],
    },
  ],
  notShown: [
    {
      because: 'both have what belongs to them',
      records: [
        poll(0, 't1', 'completed', 0, 900, {
          turn: { id: 't1', status: 'completed', userMessageId: 'a', assistantMessageId: 'b' },
        }),
        poll(1, 't2', 'failed', 0, 900, { turn: { id: 't2', status: 'failed', error: 'internal' } }),
      ],
    },
    {
      because: 'one message is named: the specification does not say that both must be',
      records: [
        poll(0, 't1', 'completed', 0, 900, { turn: { id: 't1', status: 'completed', assistantMessageId: 'b' } }),
      ],
    },
    { because: 'in process', records: [poll(0, 't1', 'queued', 0, 900)] },
    {
      because: 'a 202 carries no message',
      records: [accepted(0, 't1', 0, 900, { turn: { id: 't1', status: 'completed' } })],
    },
  ],
};

const withResult = (seq: number, at: number, user: string) =>
  poll(seq, 't1', 'completed', at, at + 900, {
    turn: { id: 't1', status: 'completed', userMessageId: user, assistantMessageId: 'b' },
  });

export const turnResultChanged: Examples = {
  shown: [
    {
      because: 'another user message',
      records: [withResult(0, 0, 'a'), withResult(1, 5_000, 'other')],
      basis: 'observation',
      claim: 'turn t1 has other messages as its result in the answer to request 1 than in the answer to request 0',
      exchanges: [0, 1],
    },
  ],
  notShown: [{ because: 'the same', records: [withResult(0, 0, 'a'), withResult(1, 5_000, 'a')] }],
};

const oneIdPerUser = { profile: TargetProfileSchema.parse({ idempotency: { scope: 'user' } }) };
/** The message of t1, sent to c2 as well. */
const sentElsewhere = accepted(1, 't1', 5_000, 5_900, {
  conversation: 'c2',
  turn: { id: 't1', status: 'queued', conversation: 'c1' },
});

export const turnOfAnotherConversation: Examples = {
  shown: [
    {
      because: 'a poll names another',
      records: [poll(0, 't1', 'queued', 0, 900, { turn: { id: 't1', status: 'queued', conversation: 'c2' } })],
      basis: 'observation',
      claim: 'turn t1 belongs to another conversation in the answer to request 0: c2',
      exchanges: [0],
    },
    {
      because:
        'a resend to another conversation names that of the first, where an id is one message within a conversation only',
      records: [accepted(0, 't1', 0, 900), sentElsewhere],
      basis: 'observation',
      claim: 'turn t1 belongs to another conversation in the answer to request 1: c1',
      exchanges: [1],
    },
    {
      because: 'one to which its message was never sent, though an id is one message in all of a user’s',
      header: oneIdPerUser,
      records: [
        accepted(0, 't1', 0, 900),
        poll(1, 't1', 'queued', 5_000, 5_900, { turn: { id: 't1', status: 'queued', conversation: 'c3' } }),
      ],
      basis: 'observation',
      claim: 'turn t1 belongs to another conversation in the answer to request 1: c3',
      exchanges: [1],
    },
  ],
  notShown: [
    { because: 'none is named but the one asked about', records: [poll(0, 't1', 'queued', 0, 900)] },
    {
      because: 'an id is one message in whichever conversations of a user',
      header: oneIdPerUser,
      records: [accepted(0, 't1', 0, 900), sentElsewhere],
    },
  ],
};
