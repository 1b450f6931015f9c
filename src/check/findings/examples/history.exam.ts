import { TargetProfileSchema } from '../../../api/index.ts';
import { exchange, historyNames, poll, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';
import { answer, done, type Item, page, userMessage } from './history-pages.exam.ts';

const many = (count: number) => Array.from({ length: count }, (_, i): Item => [`i${i}`, 'user', `d-${i}`]);

export const historyPageTooLong: Examples = {
  shown: [
    {
      because: 'three messages, where two were asked for',
      records: [page(0, 0, many(3), { limit: 2 })],
      basis: 'profile',
      claim: 'the answer to request 0, a page of the history of conversation c1, has 3 messages instead of at most 2',
      exchanges: [0],
    },
    {
      because: 'more than a page may have',
      records: [page(0, 0, many(101), { limit: 20 })],
      basis: 'specification',
      claim:
        'the answer to request 0, a page of the history of conversation c1, has more than 100 messages instead of at most 20',
      exchanges: [0],
    },
    {
      because: 'the size may not have been asked for',
      records: [page(0, 0, many(21), { limit: 20 })],
      header: {
        profile: TargetProfileSchema.parse({
          errorCodes: { known: true },
          history: { ...historyNames, defaultLimit: 20 },
        }),
      },
      basis: 'observation',
      claim: 'the answer to request 0, a page of the history of conversation c1, has 21 messages instead of at most 20',
      exchanges: [0],
    },
    {
      because: 'the service may know the size by another name',
      records: [page(0, 0, many(3), { limit: 2 })],
      header: { profile: TargetProfileSchema.parse({ errorCodes: { known: true } }) },
      basis: 'observation',
      claim: 'the answer to request 0, a page of the history of conversation c1, has 3 messages instead of at most 2',
      exchanges: [0],
    },
  ],
  notShown: [
    { because: 'it is full', records: [page(0, 0, many(2), { limit: 2 })] },
    { because: 'a page may have 100', records: [page(0, 0, many(100), { limit: 100 })] },
    { because: 'it is no success', records: [page(0, 0, many(3), { limit: 2, status: 500 })] },
    { because: 'a gateway may have said it', records: [page(0, 0, many(3), { limit: 2, bodyProblem: 'not-json' })] },
  ],
};

export const historyMessageTwice: Examples = {
  shown: [
    {
      because: 'in one page',
      records: [page(2, 10_000, [userMessage, answer, userMessage])],
      basis: 'observation',
      claim: 'message i1 occurs more than once in the answer to request 2, a page of the history of conversation c1',
      exchanges: [2],
    },
  ],
  notShown: [
    {
      because: 'in two pages',
      records: [page(2, 10_000, [userMessage]), page(3, 20_000, [userMessage], { offset: 1 })],
    },
    { because: 'two messages alike', records: [page(2, 10_000, [userMessage, ['i2', 'user', 'd-t1']])] },
  ],
};

const at = (createdAt: readonly string[]) =>
  exchange({
    seq: 2,
    conversation: 'c1',
    history: {
      limit: 50,
      offset: 0,
      items: createdAt.map((instant, i) => ({ id: `i${i}`, role: 'user', digest: 'd', createdAt: instant })),
    },
  });

const clockAt = (at: number, iso: string) =>
  ({ kind: 'clock', at: us(at), serviceUs: us(Date.parse(iso) * 1_000), plusMinusUs: us(1_000), rate: 1 }) as const;

export const historyOutOfOrder: Examples = {
  shown: [
    {
      because: 'the second is older, in another time zone',
      records: [at(['2026-11-21T12:00:00.003Z', '2026-11-21T13:00:00.001+01:00'])],
      basis: 'specification',
      claim:
        'message 2 in the answer to request 2 is older than one before it; the history of conversation c1 is not in chronological order',
      exchanges: [2],
    },
  ],
  notShown: [
    {
      because: 'the second is of a node whose clock is as far behind as the profile grants',
      records: [at(['2026-11-21T12:00:00.002Z', '2026-11-21T12:00:00.001Z'])],
    },
    {
      because: 'the clock was set back by a minute in between',
      records: [
        clockAt(0, '2026-11-21T12:00:00Z'),
        clockAt(10_000, '2026-11-21T11:59:00Z'),
        at(['2026-11-21T12:00:00.002Z', '2026-11-21T11:59:00.001Z']),
      ],
    },
    { because: 'rising', records: [at(['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.001Z'])] },
    { because: 'at the same millisecond', records: [at(['2026-11-21T12:00:00.001Z', '2026-11-21T12:00:00.001Z'])] },
    {
      because: 'text as an earlier one, but a later instant',
      records: [at(['2026-11-21T13:00:00+01:00', '2026-11-21T12:30:00Z'])],
    },
    { because: 'no instants', records: [at(['2', '1'])] },
  ],
};

export const historyRole: Examples = {
  shown: [
    {
      because: 'a user’s message as the assistant’s',
      records: [...done, page(2, 10_000, [['i1', 'assistant', 'd-t1'], answer])],
      basis: 'observation',
      claim: 'message i1 of turn t1 has the role assistant in the answer to request 2',
      exchanges: [2],
    },
    {
      because: 'the assistant’s message as a user’s',
      records: [...done, page(2, 10_000, [userMessage, ['a1', 'user', 'x']])],
      basis: 'observation',
      claim: 'message a1 of turn t1 has the role user in the answer to request 2',
      exchanges: [2],
    },
  ],
  notShown: [
    { because: 'as they should be', records: [...done, page(2, 10_000, [userMessage, answer])] },
    {
      because: 'one message is the user’s of a turn and the assistant’s of another',
      records: [
        ...done,
        poll(3, 't2', 'completed', 6_000, 6_900, {
          turn: { id: 't2', status: 'completed', userMessageId: 'a1', assistantMessageId: 'i1' },
        }),
        page(2, 10_000, [userMessage, answer]),
      ],
    },
    { because: 'whose message it is, nobody knows', records: [page(2, 10_000, [['i1', 'assistant', 'd']])] },
  ],
};
