import type { Exchange } from '../../../history/index.ts';
import { accepted } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';
import { concurrency, read, refusal, toldBy } from './reads.exam.ts';

export const remainingNotHonoured: Examples = {
  shown: [
    {
      because: 'three are left, and the second is refused',
      records: [toldBy(0, 0, 3), read(1, 1), refusal(2, 2, '50')],
      basis: 'observation',
      claim:
        'the answer to request 0 said that 3 were left; request 2, number 2 of the requests sent after it, was refused by the rate limit',
      exchanges: [0, 2],
    },
  ],
  notShown: [
    { because: 'none was left', records: [toldBy(0, 0, 0), refusal(1, 1, '50')] },
    {
      because: 'others took them',
      records: [toldBy(0, 0, 1), read(1, 1, { user: 'u2', conversation: 'c2' }), refusal(2, 2, '50')],
    },
    { because: 'by another limit', records: [toldBy(0, 0, 3), refusal(1, 1, '50', concurrency)] },
    {
      because: "the older fields have the day's number",
      records: [
        read(0, 0, { headers: { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '49' } }),
        refusal(1, 1, '50'),
      ],
    },
    { because: 'of a window that has ended by then', records: [toldBy(0, 0, 3, 10), refusal(1, 11, '50')] },
    { because: 'or may have, its seconds being rounded', records: [toldBy(0, 0, 3, 10), refusal(1, 9.1, '50')] },
    { because: 'they overlap', records: [toldBy(0, 0, 3), refusal(1, 0.0005, '50')] },
    {
      because: 'of two policies one was used up',
      records: [
        read(0, 0, {
          headers: { ratelimit: '"m";r=3, "s";r=0', 'ratelimit-policy': '"m";q=20;w=60, "s";q=1;w=1' },
        }),
        refusal(1, 0.5, '1'),
      ],
    },
    {
      because: 'others may use the credentials',
      header: { exclusive: false },
      records: [toldBy(0, 0, 3), refusal(1, 1, '50')],
    },
  ],
};

const olderBy = (seq: number, second: number, remaining: number, limit: number) =>
  read(seq, second, { headers: { 'x-ratelimit-limit': `${limit}`, 'x-ratelimit-remaining': `${remaining}` } });
const ofAll = (seq: number, second: number, remaining: number) =>
  read(seq, second, {
    headers: { ratelimit: `"all";r=${remaining};t=50`, 'ratelimit-policy': '"all";q=1000;w=60' },
  });

const daily = (seq: number, second: number, remaining: number) =>
  accepted(seq, `t${seq}`, second * 1e6, second * 1e6 + 1_000, {
    headers: { ratelimit: `"day";r=${remaining};t=86400`, 'ratelimit-policy': '"day";q=50;w=86400' },
  });
const slots = (seq: number, second: number, remaining: number) =>
  read(seq, second, {
    headers: { ratelimit: `"slots";r=${remaining}`, 'ratelimit-policy': '"slots";q=2;qu="concurrent-requests"' },
  });
const leftAlone = (seq: number, second: number, remaining: number) =>
  read(seq, second, { headers: { 'x-ratelimit-remaining': `${remaining}` } });
const shortOne = (seq: number, second: number) =>
  read(seq, second, { headers: { ratelimit: '"b";r=0;t=10', 'ratelimit-policy': '"b";q=20;w=10' } });

export const remainingMiscounted: Examples = {
  shown: [
    {
      because: 'two at a time',
      records: [toldBy(0, 0, 10), toldBy(1, 1, 8)],
      basis: 'observation',
      claim:
        'the policy minute had 10 left in the answer to request 0 and 8 in the answer to request 1, 1 request later: it decreased by more than was sent',
      exchanges: [0, 1],
    },
    {
      because: 'it stands still',
      records: [toldBy(0, 0, 10), toldBy(1, 0.1, 10), toldBy(2, 0.2, 10)],
      basis: 'observation',
      claim:
        'the policy minute had 10 left in the answer to request 0 and 10 in the answer to request 2, 2 requests later: it does not decrease',
      exchanges: [0, 2],
    },
    {
      because: 'it stands still after it went down',
      records: [toldBy(0, 0, 10), toldBy(1, 0.1, 9), toldBy(2, 0.2, 9), toldBy(3, 0.3, 9)],
      basis: 'observation',
      claim:
        'the policy minute had 9 left in the answer to request 1 and 9 in the answer to request 3, 2 requests later: it does not decrease',
      exchanges: [1, 3],
    },
    {
      because: 'it stands still, longer after the start than what was sent before the run counts',
      header: { flushed: { rate: false, concurrency: true, daily: true } },
      records: [toldBy(0, 100, 10), toldBy(1, 100.1, 10), toldBy(2, 100.2, 10)],
      basis: 'observation',
      claim:
        'the policy minute had 10 left in the answer to request 0 and 10 in the answer to request 2, 2 requests later: it does not decrease',
      exchanges: [0, 2],
    },
  ],
  notShown: [
    { because: 'one at a time', records: [toldBy(0, 0, 10), toldBy(1, 0.1, 9), toldBy(2, 0.2, 8)] },
    { because: 'a bucket that refills', records: [toldBy(0, 0, 10), toldBy(1, 3, 10), toldBy(2, 6, 10)] },
    { because: 'a new window', records: [toldBy(0, 0, 10, 1), toldBy(1, 0.1, 19), toldBy(2, 0.2, 18)] },
    {
      because: 'others took one',
      records: [toldBy(0, 0, 10), read(1, 0.5, { user: 'u2', conversation: 'c2' }), toldBy(2, 1, 8)],
    },
    { because: 'at the same time', records: [toldBy(0, 0, 10), toldBy(1, 0.0001, 8), toldBy(2, 0.0002, 9)] },
    {
      because: 'what was sent before the run may be counted within it',
      header: { flushed: { rate: false, concurrency: true, daily: true } },
      records: [toldBy(0, 0, 10), toldBy(1, 0.1, 5)],
    },
    {
      because: 'reads may be copies, whose fields are those of what they are copies of',
      header: { profile: { turns: { staleFor: 2_000 } } },
      records: [toldBy(0, 0, 10), toldBy(1, 0.1, 5)],
    },
    {
      because: 'a sliding counter of which 0.9 are left, of the next one nearly none, and of one later -0.9',
      records: [toldBy(0, 0, 0), toldBy(1, 0.1, 0), toldBy(2, 0.5, 0)],
    },
    {
      because: 'the older fields tell of another limit in each answer',
      records: [olderBy(0, 0, 31, 50), olderBy(1, 0.1, 12, 20), olderBy(2, 0.2, 29, 50), olderBy(3, 0.3, 10, 20)],
    },
    {
      because: 'the limit is not a declared one: it may be that of all users together, and regain much in little time',
      records: [ofAll(0, 0, 900), ofAll(1, 0.1, 850), ofAll(2, 0.2, 850), ofAll(3, 0.3, 850)],
    },
    {
      because: 'a log that says when all of it is free again: what was sent a window ago comes back before',
      records: [
        ...[0, 0.1, 0.2, 0.3].map((second, i) => toldBy(i, second, 19 - i, 60)),
        toldBy(4, 59, 15, 60),
        ...[0.05, 0.15, 0.25].map((second, i) => toldBy(5 + i, 60 + second, 15, 60)),
      ],
    },
    {
      because: 'the same of a rolling day',
      records: [
        ...[0, 0.1, 0.2, 0.3].map((second, i) => daily(i, second, 49 - i)),
        daily(4, 86_399, 45),
        ...[0.05, 0.15, 0.25].map((second, i) => daily(5 + i, 86_400 + second, 45)),
      ],
    },
    {
      because: 'the same of what was sent before the run',
      header: { flushed: { rate: false, concurrency: true, daily: true } },
      records: [0, 0.1, 0.2, 0.3].map((second, i) => toldBy(i, 35 + second, 5, 60)),
    },
    {
      because: 'the limit has another window than the declared one, and regains more',
      records: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5].map((second, i) => shortOne(i, second)),
    },
    {
      because: 'turns that waited took their slots later',
      records: [accepted(0, 'a', 0, 1_000), accepted(1, 'b', 2_000, 3_000), slots(2, 1, 2), slots(3, 5, 0)],
    },
    {
      because: 'the older fields do not say of which limit: it may be another one in each answer',
      records: [leftAlone(0, 0, 19), leftAlone(1, 0.1, 48), leftAlone(2, 0.2, 17), leftAlone(3, 0.3, 46)],
    },
  ],
};

const policyOnly = (seq: number, second: number, members: Partial<Exchange> = {}) =>
  read(seq, second, { headers: { 'ratelimit-policy': '"minute";q=20;w=60' }, ...members });

export const remainingLeftOut: Examples = {
  shown: [
    {
      because: 'told while something is left, and not in a refusal',
      records: [toldBy(0, 0, 1), policyOnly(1, 1), policyOnly(2, 2, { outcome: 'refused', status: 429 })],
      basis: 'observation',
      claim: '2 answers name the policy minute without what is left of it, which 1 other gives (first: request 1)',
      exchanges: [1],
    },
  ],
  notShown: [
    { because: 'told to the end', records: [toldBy(0, 0, 1), toldBy(1, 1, 0)] },
    { because: 'never told', records: [policyOnly(0, 0), policyOnly(1, 1)] },
    { because: 'the answer names no policy', records: [toldBy(0, 0, 1), read(1, 1)] },
    {
      because: 'told, but it cannot be read',
      records: [
        toldBy(0, 0, 1),
        policyOnly(1, 1, { headers: { 'ratelimit-policy': '"minute";q=20;w=60', ratelimit: '"minute";r=x' } }),
      ],
    },
  ],
};
