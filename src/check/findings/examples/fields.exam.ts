import type { Examples } from '../finding.exam.ts';
import { read, toldBy } from './reads.exam.ts';

export const limitFieldMalformed: Examples = {
  shown: [
    {
      because: 'no structured field',
      records: [
        read(0, 0, { headers: { ratelimit: 'limit: 20' } }),
        read(1, 1, { headers: { ratelimit: '"minute";r=' } }),
      ],
      basis: 'observation',
      claim: 'the field ratelimit of 2 answers cannot be read (first: request 0)',
      exchanges: [0],
    },
  ],
  notShown: [
    { because: 'well formed', records: [toldBy(0, 0, 3)] },
    {
      because: 'well formed by an older draft',
      records: [
        read(0, 0, { headers: { ratelimit: 'limit=20, remaining=3, reset=50', 'ratelimit-policy': '20;w=60' } }),
      ],
    },
    { because: 'none', records: [read(0, 0)] },
  ],
};

export const limitFieldImpossible: Examples = {
  shown: [
    {
      because: 'more than the limit',
      records: [toldBy(0, 0, 21)],
      basis: 'observation',
      claim: 'in the answer to request 0, the policy minute says that 21 are left of a limit of 20',
      exchanges: [0],
    },
    {
      because: 'less than nothing, in the older field',
      records: [read(0, 0, { headers: { 'x-ratelimit-remaining': '-1' } })],
      basis: 'observation',
      claim: 'in the answer to request 0, the policy X-RateLimit says that -1 are left',
      exchanges: [0],
    },
    ...(
      [
        ['a limit of less than nothing', { 'ratelimit-policy': '"m";q=-1' }, 'a limit of -1'],
        ['a window of nothing', { 'ratelimit-policy': '"m";q=20;w=0' }, 'a window of 0 s'],
        ['in the past', { ratelimit: '"m";r=0;t=-1' }, 'that it resets in -1 s'],
      ] as const
    ).map(([because, headers, what]) => ({
      because,
      records: [read(0, 0, { headers })],
      basis: 'observation' as const,
      claim: `in the answer to request 0, the policy m says ${what}`,
      exchanges: [0],
    })),
  ],
  notShown: [
    { because: 'all of the limit, and nothing', records: [toldBy(0, 0, 20), toldBy(1, 1, 0)] },
    {
      because: 'nothing, of no limit, at once, in a window of a second',
      records: [read(0, 0, { headers: { ratelimit: '"m";r=0;t=0', 'ratelimit-policy': '"m";q=0;w=1' } })],
    },
    { because: 'malformed: ignored', records: [read(0, 0, { headers: { ratelimit: '"minute";r=-1;' } })] },
  ],
};

export const limitPolicyDiffers: Examples = {
  shown: [
    {
      because: 'another number, told twice',
      records: [
        read(0, 0, { headers: { 'ratelimit-policy': '"minute";q=30;w=60' } }),
        read(1, 1, { headers: { 'ratelimit-policy': '"minute";q=30;w=60, "day";q=50;w=86400' } }),
      ],
      basis: 'observation',
      claim: 'the policy minute in the answer to request 0 is 30 per 60 s; the declared rate limit is 20 per 60 s',
      exchanges: [0],
    },
    {
      because: 'another number, of an unknown window',
      records: [read(0, 0, { headers: { 'x-ratelimit-limit': '30' } })],
      basis: 'observation',
      claim: 'the policy X-RateLimit in the answer to request 0 is 30; the declared rate limit is 20 per 60 s',
      exchanges: [0],
    },
    {
      because: 'another number, by an older draft',
      records: [read(0, 0, { headers: { 'ratelimit-policy': '30;w=60', ratelimit: 'limit=30, remaining=29' } })],
      basis: 'observation',
      claim: 'the policy 30 per 60 s in the answer to request 0 is 30 per 60 s; the declared rate limit is 20 per 60 s',
      exchanges: [0],
    },
  ],
  notShown: [
    {
      because: 'of an unknown window, with the number of the day',
      records: [read(0, 0, { headers: { 'x-ratelimit-limit': '50' } })],
    },
    {
      because: 'as declared, by an older draft',
      records: [read(0, 0, { headers: { 'ratelimit-policy': '20;w=60', 'ratelimit-limit': '20' } })],
    },
    {
      because: 'as declared',
      records: [
        read(0, 0, {
          headers: {
            'ratelimit-policy': '"minute";q=20;w=60, "slots";q=2;qu="concurrent-requests", "day";q=50;w=86400',
          },
        }),
      ],
    },
    {
      because: 'of bytes',
      records: [read(0, 0, { headers: { 'ratelimit-policy': '"b";q=1000;qu="content-bytes";w=60' } })],
    },
  ],
};
