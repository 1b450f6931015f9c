import type { Examples } from '../finding.exam.ts';
import { other, promising, sent } from './message-one.exam.ts';

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
