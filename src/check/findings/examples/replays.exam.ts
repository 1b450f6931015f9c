import type { Exchange } from '../../../history/index.ts';
import { us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';
import { other, refused, sent } from './message-one.exam.ts';

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
        'the message of request 3 was refused by the daily quota of 3 after at most 2 new messages; together with 1 resend, which should cost nothing, they reach the quota',
      exchanges: [2, 3],
    },
    {
      because: 'one is refused after one of three, and two sent again',
      records: [sent(0, 't1', 0), sent(1, 't1', 10_000), sent(2, 't1', 20_000), quotaOut(3, 30_000)],
      header: three,
      basis: 'observation',
      claim:
        'the message of request 3 was refused by the daily quota of 3 after at most 1 new message; together with 2 resends, which should cost nothing, they reach the quota',
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
