import { TargetProfileSchema } from '../../../api/index.ts';
import type { ClockRecord, Exchange } from '../../../history/index.ts';
import { accepted, exchange, poll, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';

const message = { id: 'm-1', digest: 'd-1' };
const promising = (idempotency: object) => ({
  profile: TargetProfileSchema.parse({ idempotency: { scope: 'conversation', ...idempotency } }),
});

/** m-1 sent to c1: answered with a turn. */
const sent = (seq: number, turn: string, at: number, members: Partial<Exchange> = {}) =>
  accepted(seq, turn, at, at + 900, { message, ...members });

/** Another content under the same id. */
const other = (seq: number, turn: string, at: number, members: Partial<Exchange> = {}) =>
  sent(seq, turn, at, { message: { id: 'm-1', digest: 'd-2' }, ...members });

const refused = (seq: number, at: number, code: string, members: Partial<Exchange> = {}) =>
  exchange({
    seq,
    operation: 'sendMessage',
    conversation: 'c1',
    sentAt: us(at),
    outcome: 'refused',
    status: 429,
    message,
    error: { code, retryable: false, requestId: 'r' },
    ...members,
  });

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

export const replayRefused: Examples = {
  shown: [
    {
      because: 'the daily quota refuses what was accepted before',
      records: [sent(0, 't1', 0), refused(1, 5_000, 'daily_quota_exceeded')],
      basis: 'specification',
      claim:
        'request 1 sent message m-1 again, unchanged, after request 0 had been accepted, and the daily quota refused it; a resend does not count as a new message',
      exchanges: [0, 1],
    },
    {
      because: 'the slots refuse it, of which the specification says nothing',
      records: [sent(0, 't1', 0), refused(1, 5_000, 'concurrency_limited')],
      basis: 'observation',
      claim:
        'request 1 sent message m-1 again, unchanged, after request 0 had been accepted, and the concurrency limit refused it, although a resend opens no turn',
      exchanges: [0, 1],
    },
    {
      because: 'records are missing, perhaps that of another content under the identifier',
      incomplete: true,
      records: [sent(0, 't1', 0), refused(1, 5_000, 'daily_quota_exceeded')],
      basis: 'observation',
      claim:
        'request 1 sent message m-1 again, unchanged, after request 0 had been accepted, and the daily quota refused it; a resend does not count as a new message',
      exchanges: [0, 1],
    },
    {
      because: 'of a record between them nobody can believe anything, so it may be that of another content',
      records: [
        sent(0, 't1', 0),
        other(1, 't2', 3_000, { receivedAt: us(2_000) }),
        refused(2, 5_000, 'daily_quota_exceeded'),
      ],
      basis: 'observation',
      claim:
        'request 2 sent message m-1 again, unchanged, after request 0 had been accepted, and the daily quota refused it; a resend does not count as a new message',
      exchanges: [0, 2],
    },
    {
      because:
        'the identifier was used for another content meanwhile: what a resend of the first one is then, is nowhere said',
      records: [sent(0, 't1', 0), other(1, 't2', 5_000), refused(2, 9_000, 'daily_quota_exceeded')],
      basis: 'observation',
      claim:
        'request 2 sent message m-1 again, unchanged, after request 0 had been accepted, and the daily quota refused it; a resend does not count as a new message',
      exchanges: [0, 2],
    },
  ],
  notShown: [
    {
      because: 'sent before the acceptance was known: it may have been decided first',
      records: [sent(0, 't1', 0), refused(1, 900, 'daily_quota_exceeded')],
    },
    { because: 'the rate limit counts resends', records: [sent(0, 't1', 0), refused(1, 5_000, 'rate_limited')] },
    { because: 'the code says no limit', records: [sent(0, 't1', 0), refused(1, 5_000, 'too_many')] },
    {
      because: 'other content',
      records: [sent(0, 't1', 0), refused(1, 5_000, 'daily_quota_exceeded', { message: { id: 'm-1', digest: 'd-2' } })],
    },
    {
      because: 'another conversation',
      records: [sent(0, 't1', 0), refused(1, 5_000, 'daily_quota_exceeded', { conversation: 'c2' })],
    },
    {
      because: 'the first was never accepted',
      records: [sent(0, 't1', 0, { status: 200, bodyProblem: 'not-json' }), refused(1, 5_000, 'daily_quota_exceeded')],
    },
  ],
};

const asTwoTurns = 'message m-1, sent again with the same content, was accepted as 2 turns';

export const messageOfTwoTurns: Examples = {
  shown: [
    {
      because: 'the profile promises one turn',
      header: promising({ sameTurn: true }),
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000), sent(2, 't2', 9_000)],
      basis: 'profile',
      claim: asTwoTurns,
      exchanges: [0, 1],
    },
    {
      because: 'another content took the id meanwhile, of which nothing is promised',
      header: promising({ sameTurn: true }),
      records: [sent(0, 't1', 0), other(1, 't2', 5_000), sent(2, 't3', 9_000)],
      basis: 'observation',
      claim: asTwoTurns,
      exchanges: [0, 2],
    },
    {
      because: 'another content took the id in the microsecond of the second answer, of which nothing is promised',
      header: promising({ sameTurn: true }),
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000), other(2, 't3', 5_900)],
      basis: 'observation',
      claim: asTwoTurns,
      exchanges: [0, 1],
    },
    {
      because: 'another content may have taken the id meanwhile, as its answer is a gateway’s',
      header: promising({ sameTurn: true }),
      records: [
        sent(0, 't1', 0),
        other(1, 't2', 5_000, { status: 404, bodyProblem: 'not-json' }),
        sent(2, 't3', 9_000),
      ],
      basis: 'observation',
      claim: asTwoTurns,
      exchanges: [0, 2],
    },
    {
      because: 'records are missing, perhaps that of another content',
      header: promising({ sameTurn: true }),
      incomplete: true,
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000)],
      basis: 'observation',
      claim: asTwoTurns,
      exchanges: [0, 1],
    },
    {
      because: 'records are missing, and another content is promised to be refused',
      header: promising({ sameTurn: true, otherContent: 'refused' }),
      incomplete: true,
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000)],
      basis: 'profile',
      claim: asTwoTurns,
      exchanges: [0, 1],
    },
    {
      because: 'another content was sent under the id, and is promised to be ignored',
      header: promising({ sameTurn: true, otherContent: 'ignored' }),
      records: [sent(0, 't1', 0), other(1, 't1', 5_000), sent(2, 't3', 9_000)],
      basis: 'profile',
      claim: asTwoTurns,
      exchanges: [0, 2],
    },
    {
      because: 'another content took the id afterwards',
      header: promising({ sameTurn: true }),
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000), other(2, 't3', 9_000)],
      basis: 'profile',
      claim: asTwoTurns,
      exchanges: [0, 1],
    },
    {
      because: 'nothing is promised',
      records: [sent(0, 't1', 0), sent(1, 't2', 100)],
      basis: 'observation',
      claim: asTwoTurns,
      exchanges: [0, 1],
    },
  ],
  notShown: [
    { because: 'one turn', records: [sent(0, 't1', 0), sent(1, 't1', 5_000)] },
    {
      because: 'other content',
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000, { message: { id: 'm-1', digest: 'x' } })],
    },
    {
      because: 'ids are unique in a conversation only',
      header: promising({ sameTurn: true, scope: 'conversation' }),
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000, { conversation: 'c2' })],
    },
    {
      because: 'two users',
      header: promising({ sameTurn: true, scope: 'user' }),
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000, { user: 'u2' })],
    },
    {
      because: 'the second answer could not be read',
      records: [sent(0, 't1', 0), sent(1, 't2', 5_000, { bodyProblem: 'not-json' })],
    },
  ],
};

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

function withoutAnswer({ status, headersAt, ...rest }: Exchange): Exchange {
  return rest;
}

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

const of = (id: string) => ({ message: { id, digest: `d-${id}` } });
const three = {
  limits: {
    rate: { max: 20, windowUs: us(60_000_000), reading: 'unknown' },
    concurrency: { max: 2 },
    daily: { max: 3 },
  },
};
const messages = [sent(0, 't1', 0), sent(1, 't2', 10_000, of('m-2'))];
const quotaOut = (seq: number, at: number) => refused(seq, at, 'daily_quota_exceeded', of('m-9'));
const leftOfDay = (left: number): Partial<Exchange> => ({
  headers: { ratelimit: `"day";r=${left};t=9000`, 'ratelimit-policy': '"day";q=50;w=86400' },
});

export const replayCharged: Examples = {
  shown: [
    {
      because: 'a new message is refused after two of three, and one of them sent again',
      records: [...messages, sent(2, 't1', 20_000), quotaOut(3, 30_000)],
      header: three,
      basis: 'observation',
      claim:
        'message 3 was refused by the daily quota of 3 after at most 2 new messages; together with 1 resend, which should cost nothing, they reach the quota',
      exchanges: [2, 3],
    },
    {
      because: 'one is refused after one of three, and two sent again',
      records: [sent(0, 't1', 0), sent(1, 't1', 10_000), sent(2, 't1', 20_000), quotaOut(3, 30_000)],
      header: three,
      basis: 'observation',
      claim:
        'message 3 was refused by the daily quota of 3 after at most 1 new message; together with 2 resends, which should cost nothing, they reach the quota',
      exchanges: [1, 2, 3],
    },
    {
      because: 'less is left after a message was sent again, twice',
      records: [
        sent(0, 't1', 0, leftOfDay(49)),
        sent(1, 't1', 5_000, leftOfDay(48)),
        sent(2, 't1', 9_000, leftOfDay(47)),
      ],
      basis: 'observation',
      claim:
        'the answers to requests 1 and 2, which sent accepted messages again with nothing in between, say that 48 and then 47 are left of the policy day',
      exchanges: [1, 2],
    },
  ],
  notShown: [
    {
      because: 'three new messages are the quota',
      records: [...messages, sent(2, 't3', 20_000, of('m-3')), sent(3, 't1', 30_000), quotaOut(4, 40_000)],
      header: three,
    },
    {
      because: 'with those sent again, too, there are too few',
      records: [sent(0, 't1', 0), sent(1, 't1', 20_000), quotaOut(2, 30_000)],
      header: three,
    },
    {
      because: 'with those sent again, too, more were accepted than a quota has that counts them',
      records: [...messages, sent(2, 't1', 20_000), sent(3, 't2', 25_000, of('m-2')), quotaOut(4, 30_000)],
      header: three,
    },
    {
      because: 'others may have sent messages',
      records: [...messages, sent(2, 't1', 20_000), quotaOut(3, 30_000)],
      header: { ...three, exclusive: false },
    },
    {
      because: 'the history is not whole',
      records: [...messages, sent(2, 't1', 20_000), quotaOut(3, 30_000)],
      header: three,
      incomplete: true,
    },
    {
      because: 'sent again before the first was accepted, so that it may have been the first',
      records: [...messages, sent(2, 't1', 500), quotaOut(3, 30_000)],
      header: three,
    },
    {
      because: 'a service may tell what was left before the message',
      records: [
        sent(0, 't1', 0, leftOfDay(50)),
        sent(1, 't1', 5_000, leftOfDay(49)),
        sent(2, 't1', 9_000, leftOfDay(49)),
      ],
    },
    {
      because: 'an answer tells the quota and not what is left of it',
      records: [
        sent(0, 't1', 0, leftOfDay(49)),
        sent(1, 't1', 5_000, leftOfDay(49)),
        sent(2, 't1', 9_000, { headers: { 'ratelimit-policy': '"day";q=50;w=86400' } }),
        sent(3, 't1', 12_000, leftOfDay(48)),
      ],
    },
    {
      because: 'another message was sent between the two',
      records: [
        sent(0, 't1', 0, leftOfDay(49)),
        sent(1, 't1', 5_000, leftOfDay(49)),
        sent(2, 't2', 7_000, of('m-2')),
        sent(3, 't1', 9_000, leftOfDay(48)),
      ],
    },
  ],
};
