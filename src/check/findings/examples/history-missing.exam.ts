import { TargetProfileSchema } from '../../../api/index.ts';
import { accepted, exchange, historyNames, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';
import { aged, answer, done, page, userMessage } from './history-pages.exam.ts';

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

const keeping = {
  profile: TargetProfileSchema.parse({ errorCodes: { known: true }, history: { ...historyNames, keptFor: '7d' } }),
};
const noonUs = Date.UTC(2026, 10, 21, 12) * 1_000;
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
      because: 'first sent before the run, perhaps: the service has kept it for as long as it promised',
      header: keeping,
      records: [
        ...done.map((record) => (record.seq === 0 ? { ...record, attempt: 2 } : record)),
        page(2, 10_000, [answer]),
      ],
      basis: 'observation',
      claim: claimOf('message of request 0, i1,'),
      exchanges: [0, 1, 2],
    },
    {
      because: 'first sent in a record that is missing, perhaps, and to another conversation',
      header: keeping,
      incomplete: true,
      records: [...done.map((record) => ({ ...record, seq: record.seq + 1 })), page(3, 10_000, [answer])],
      basis: 'observation',
      claim: claimOf('message of request 1, i1,'),
      exchanges: [1, 2, 3],
    },
    ...[
      { forgets: 'may have forgotten one of an earlier page meanwhile, so that it moved up', firstCreated: 14 },
      { forgets: 'has forgotten none meanwhile', firstCreated: 15 },
    ].map(({ forgets, firstCreated }) => ({
      because: `in two pages, counted from the oldest, of a service that ${forgets}`,
      header: keeping,
      records: [
        { kind: 'clock', at: us(0), serviceUs: us(noonUs), plusMinusUs: us(0), rate: 1 } as const,
        ...done,
        aged(page(2, 10_000, [['z', 'user', 'z']], { limit: 1 }), firstCreated),
        aged(page(3, 20_000, [answer], { limit: 1, offset: 1 }), 21),
        page(4, 30_000, [], { limit: 1, offset: 2 }),
      ],
      basis: firstCreated === 14 ? ('observation' as const) : ('profile' as const),
      claim: claimOf('message of request 0, i1,'),
      exchanges: [0, 1, 2, 3, 4],
    })),
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
      because: 'under another id, perhaps: an item without a text may be any',
      records: [...done, page(2, 10_000, [['m1', 'user', undefined], answer])],
    },
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
