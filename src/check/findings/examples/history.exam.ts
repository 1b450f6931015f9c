import { TargetProfileSchema } from '../../../api/index.ts';
import type { Exchange } from '../../../history/index.ts';
import { accepted, exchange, historyNames, poll, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';

type Item = readonly [id: string, role: string, digest: string, second?: number];

const page = (
  seq: number,
  at: number,
  items: readonly Item[],
  members: Partial<Exchange> & { limit?: number; offset?: number } = {},
) => {
  const { limit = 50, offset = 0, ...rest } = members;
  return exchange({
    seq,
    conversation: 'c1',
    sentAt: us(at),
    history: {
      limit,
      offset,
      items: items.map(([id, role, digest, second = 0], i) => ({
        id,
        role,
        digest,
        createdAt: `2026-11-21T12:0${i}:0${second}.000Z`,
      })),
    },
    ...rest,
  });
};
const userMessage: Item = ['i1', 'user', 'd-t1'];
const answer: Item = ['a1', 'assistant', 'x'];
const done = [
  accepted(0, 't1', 0, 900),
  poll(1, 't1', 'completed', 5_000, 5_900, {
    turn: { id: 't1', status: 'completed', userMessageId: 'i1', assistantMessageId: 'a1' },
  }),
];
const claimOf = (what: string) =>
  `the ${what} is not in the history of conversation c1, which was read completely after its turn had ended`;
/** The same id and content, sent by two users to conversations of their own, and answered with one turn. */
const shared = [
  ...done,
  accepted(2, 't1', 6_000, 6_900, { user: 'u2', conversation: 'c2' }),
  page(3, 10_000, [answer], { user: 'u2', conversation: 'c2' }),
];
const claimOfShared =
  'the message of request 2, i1, is not in the history of conversation c2, which was read completely after its turn had ended';
const promising = (idempotency: object) => ({
  profile: TargetProfileSchema.parse({
    errorCodes: { known: true },
    history: { ...historyNames, keptFor: '7d' },
    idempotency: { scope: 'conversation', ...idempotency },
  }),
});
const newest = {
  profile: TargetProfileSchema.parse({
    errorCodes: { known: true },
    history: { ...historyNames, offsetFrom: 'newest', keptFor: '7d' },
  }),
};

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

export const historyMessageMissing: Examples = {
  shown: [
    {
      because: 'the whole history in one page, without the message',
      records: [...done, page(2, 10_000, [answer])],
      basis: 'profile',
      claim: claimOf('message of request 0, i1,'),
      exchanges: [0, 1, 2],
    },
    {
      because: 'in two pages, without the answer, counted from the newest',
      header: newest,
      records: [
        ...done,
        page(2, 10_000, [['z', 'user', 'z']], { limit: 1 }),
        page(3, 20_000, [userMessage], { limit: 1, offset: 1 }),
        page(4, 30_000, [], { limit: 1, offset: 2 }),
      ],
      basis: 'profile',
      claim: claimOf('answer to the message of request 0, a1,'),
      exchanges: [0, 1, 2, 3, 4],
    },
    ...[{ limitParameter: 'limit' }, { offsetParameter: 'offset' }].map((names) => ({
      because: `of a service of whose parameters only the ${Object.keys(names)} is known`,
      header: {
        profile: TargetProfileSchema.parse({ errorCodes: { known: true }, history: { keptFor: '7d', ...names } }),
      },
      records: [
        ...done,
        page(2, 10_000, [['z', 'user', 'z']], { limit: 1 }),
        page(3, 20_000, [userMessage], { limit: 1, offset: 1 }),
        page(4, 30_000, [], { limit: 1, offset: 2 }),
      ],
      basis: 'observation' as const,
      claim: claimOf('answer to the message of request 0, a1,'),
      exchanges: [0, 1, 2, 3, 4],
    })),
    {
      because: 'of a service that promises nothing of its histories',
      header: { profile: TargetProfileSchema.parse({}) },
      records: [...done, page(2, 10_000, [answer])],
      basis: 'observation',
      claim: claimOf('message of request 0, i1,'),
      exchanges: [0, 1, 2],
    },
    {
      because: 'of one that has forgotten it, perhaps, as it promised to keep it for less time',
      header: {
        profile: TargetProfileSchema.parse({
          errorCodes: { known: true },
          history: { ...historyNames, keptFor: '10ms' },
        }),
      },
      records: [...done, page(2, 10_000, [answer])],
      basis: 'observation',
      claim: claimOf('message of request 0, i1,'),
      exchanges: [0, 1, 2],
    },
    {
      because: 'a size that may be the service’s default is the profile’s word only',
      records: [...done, page(2, 10_000, [answer], { limit: 20 })],
      basis: 'observation',
      claim: claimOf('message of request 0, i1,'),
      exchanges: [0, 1, 2],
    },
    {
      because: 'answered with the turn of another user’s message, where an id is unique in a conversation',
      header: promising({ sameTurn: true }),
      records: shared,
      basis: 'profile',
      claim: claimOfShared,
      exchanges: [2, 1, 3],
    },
    {
      because: 'answered with the turn of another user’s message, where nobody says what an id is unique in',
      records: shared,
      basis: 'observation',
      claim: claimOfShared,
      exchanges: [2, 1, 3],
    },
  ],
  notShown: [
    {
      because: 'the history may be a copy from before the end, as polls may be, of a service that says so',
      header: {
        profile: TargetProfileSchema.parse({
          errorCodes: { known: true },
          history: { ...historyNames, keptFor: '7d' },
          turns: { staleFor: '5ms' },
        }),
      },
      records: [...done, page(2, 10_000, [answer])],
    },
    {
      because: 'its identifier is written in other letters',
      records: [...done, page(2, 10_000, [['I1', 'user', 'd-t2'], answer])],
    },
    {
      because: 'it may be the resend of another place’s message, where an id is unique in more than a conversation',
      header: promising({ scope: 'application', sameTurn: true }),
      records: shared,
    },
    {
      because: 'nobody says whether an id is unique in more than a conversation',
      header: promising({ scope: undefined, sameTurn: true }),
      records: shared,
    },
    {
      because:
        'it may stand where it was sent first, without an answer, where an id is unique in more than a conversation',
      header: promising({ scope: 'user', sameTurn: true }),
      records: [
        exchange({
          seq: 0,
          operation: 'sendMessage',
          conversation: 'c2',
          message: { id: 'm-t1', digest: 'd-t1' },
          outcome: 'failed',
          failure: 'ECONNRESET',
        }),
        ...done.map((record) => ({ ...record, seq: record.seq + 1, sentAt: us(record.sentAt + 2_000) })),
        page(3, 10_000, [answer]),
      ],
    },
    { because: 'both are there', records: [...done, page(2, 10_000, [userMessage, answer])] },
    { because: 'read before the turn was known to be completed', records: [...done, page(2, 5_500, [])] },
    { because: 'a full page: there may be more', records: [...done, page(2, 10_000, [answer], { limit: 1 })] },
    {
      because: 'the next page was refused',
      records: [
        ...done,
        page(2, 10_000, [answer], { limit: 1 }),
        exchange({ seq: 3, conversation: 'c1', sentAt: us(20_000), outcome: 'refused', status: 429 }),
        page(4, 30_000, [], { limit: 1, offset: 2 }),
      ],
    },
    { because: 'read from an offset', records: [...done, page(2, 10_000, [], { offset: 1 })] },
    { because: 'another conversation', records: [...done, page(2, 10_000, [], { conversation: 'c2' })] },
    { because: 'the turn goes on', records: [accepted(0, 't1', 0, 900), page(2, 10_000, [])] },
    {
      because: 'under another id, with its content',
      records: [...done, page(2, 10_000, [['other', 'user', 'd-t1'], answer])],
    },
    {
      because: 'more than was asked for',
      records: [...done, page(2, 10_000, [answer, ['z', 'user', 'z']], { limit: 1 })],
    },
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

export const historyOutOfOrder: Examples = {
  shown: [
    {
      because: 'the second is older, in another time zone',
      records: [at(['2026-11-21T12:00:00.002Z', '2026-11-21T13:00:00.001+01:00'])],
      basis: 'specification',
      claim:
        'message 2 in the answer to request 2 is older than the one before it; the history of conversation c1 is not in chronological order',
      exchanges: [2],
    },
  ],
  notShown: [
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
