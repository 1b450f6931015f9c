import type { Exchange, JournalRecord } from '../../../history/index.ts';
import { exchange, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';

/** A readHistory of c1 at a second of the run; its decision within a millisecond. */
const read = (seq: number, second: number, members: Partial<Exchange> = {}) =>
  exchange({ seq, conversation: 'c1', token: 't1', sentAt: us(second * 1e6), ...members });
export const refusal = (seq: number, second: number, retryAfter?: string, members: Partial<Exchange> = {}) =>
  read(seq, second, {
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: 'r' },
    ...(retryAfter !== undefined && { retryAfter }),
    ...members,
  });
const unanswered = (seq: number, second: number): Exchange => {
  const { headersAt, status, ...rest } = read(seq, second);
  return { ...rest, outcome: 'failed', failure: 'ECONNRESET' };
};
const concurrency = { error: { code: 'concurrency_limited', retryable: true, requestId: 'r' } };

/** An hour into a run that began at noon, on a clock that may have lost or gained 1.8 s since. */
const anHourLater = (secondAfter: number) => ({
  header: { clock: { driftPpm: 500, granularityUs: us(0), maxServerDelayUs: us(1) } },
  records: [
    { kind: 'clock', at: us(0), serviceUs: us(Date.UTC(2026, 10, 21, 12) * 1_000), plusMinusUs: us(0), rate: 1 },
    refusal(0, 3_600, 'Sat, 21 Nov 2026 13:00:10 GMT'),
    refusal(1, 3_610 + secondAfter, 'Sat, 21 Nov 2026 13:00:20 GMT'),
  ] satisfies JournalRecord[],
});

export const retryAfterTooEarly: Examples = {
  shown: [
    {
      because: 'obeyed, nothing sent meanwhile, refused again',
      records: [refusal(0, 0, '10'), refusal(1, 10.1, '5')],
      basis: 'observation',
      claim:
        'request 1 obeyed the Retry-After of request 0, 10.1 s earlier, with nothing sent meanwhile, and the rate limit refused it again',
      exchanges: [0, 1],
    },
    {
      because: 'a date that has certainly passed',
      ...anHourLater(2),
      basis: 'observation',
      claim:
        'request 1 obeyed the Retry-After of request 0, 12 s earlier, with nothing sent meanwhile, and the rate limit refused it again',
      exchanges: [0, 1],
    },
  ],
  notShown: [
    { because: 'a date that may not have come on the clock of the service', ...anHourLater(1.7) },
    { because: 'not obeyed', records: [refusal(0, 0, '10'), refusal(1, 9.9, '5')] },
    {
      because: 'something was sent meanwhile',
      records: [refusal(0, 0, '10'), read(1, 5, { user: 'u2', conversation: 'c2' }), refusal(2, 10.1, '5')],
    },
    {
      because: 'something may have been decided meanwhile',
      records: [unanswered(0, -0.5 + 1), refusal(1, 2, '10'), refusal(2, 12.1, '5')],
    },
    { because: 'another limit', records: [refusal(0, 0, '10'), refusal(1, 10.1, '5', concurrency)] },
    {
      because: 'another conversation, which may have a bucket of its own',
      records: [refusal(0, 0, '10'), refusal(1, 10.1, '5', { conversation: 'c2' })],
    },
    {
      because: 'others may use the credentials',
      header: { exclusive: false },
      records: [refusal(0, 0, '10'), refusal(1, 10.1, '5')],
    },
    { because: 'the history is not whole', incomplete: true, records: [refusal(0, 0, '10'), refusal(1, 10.1, '5')] },
    {
      because: 'another policy of the limit refused',
      records: [
        refusal(0, 0, '1', { headers: { ratelimit: '"second";r=0;t=1' } }),
        refusal(1, 2, '50', { headers: { ratelimit: '"minute";r=0;t=50' } }),
      ],
    },
    {
      because: 'a clock that may run slow',
      header: { clock: { driftPpm: 20_000, granularityUs: us(0), maxServerDelayUs: us(1) } },
      records: [refusal(0, 0, '10'), refusal(1, 10.1, '5')],
    },
  ],
};

export const retryAfterTooLate: Examples = {
  shown: [
    {
      because: 'admitted half a minute before',
      records: [refusal(0, 0, '60'), read(1, 30)],
      basis: 'observation',
      claim:
        "request 1 was admitted 30 s before the time that the rate limit's Retry-After of 60 s in the answer to request 0 had named",
      exchanges: [0, 1],
    },
  ],
  notShown: [
    { because: 'within the rounding of whole seconds', records: [refusal(0, 0, '60'), read(1, 59.1)] },
    { because: 'admitted after', records: [refusal(0, 0, '60'), read(1, 60)] },
    { because: 'decided at the same time', records: [refusal(0, 0, '60'), read(1, 0.0005)] },
    { because: 'another conversation', records: [refusal(0, 0, '60'), read(1, 30, { conversation: 'c2' })] },
    { because: 'an error may not have passed the limit', records: [refusal(0, 0, '60'), read(1, 30, { status: 500 })] },
  ],
};

export const retryAfterLongerThanWindow: Examples = {
  shown: [
    {
      because: 'milliseconds',
      records: [refusal(0, 0, '60000')],
      basis: 'observation',
      claim:
        'the answer to request 0 advises to wait 60000 s, longer than the whole window of 60 s; it looks like milliseconds',
      exchanges: [0],
    },
    {
      because: 'seconds, too many',
      records: [refusal(0, 0, '240')],
      basis: 'observation',
      claim: 'the answer to request 0 advises to wait 240 s, longer than the whole window of 60 s',
      exchanges: [0],
    },
    {
      because: 'an instant, of whatever limit',
      records: [
        refusal(0, 0, '1795262400', {
          operation: 'sendMessage',
          error: { code: 'busy', retryable: true, requestId: 'r' },
        }),
      ],
      basis: 'observation',
      claim:
        'the answer to request 0 advises to wait 1795262400 s, longer than the whole window of 90000 s; it looks like seconds since 1970',
      exchanges: [0],
    },
  ],
  notShown: [
    { because: 'the whole window, rounded up', records: [refusal(0, 0, '61')] },
    { because: 'two windows of what may be a sliding counter', records: [refusal(0, 0, '121')] },
    { because: 'the concurrency limit has no window', records: [refusal(0, 0, '3600', concurrency)] },
    {
      because: 'a penalty may be longer than the window',
      header: {
        limits: {
          rate: { max: 20, windowUs: us(60e6), reading: 'fixed-window-block' },
          concurrency: { max: 2 },
          daily: { max: 50 },
        },
      },
      records: [refusal(0, 0, '600')],
    },
  ],
};

export const retryAfterDoesNotCountDown: Examples = {
  shown: [
    {
      because: 'the whole window, again and again',
      records: [refusal(0, 0, '60'), refusal(1, 10, '60')],
      basis: 'observation',
      claim:
        'the rate limit advised 60 s in the answer to request 0, and 60 s in the answer to request 1, 10 s later: it does not count down',
      exchanges: [0, 1],
    },
  ],
  notShown: [
    { because: 'counts down', records: [refusal(0, 0, '60'), refusal(1, 10, '50')] },
    { because: 'within the rounding', records: [refusal(0, 0, '60'), refusal(1, 1.5, '60')] },
    { because: 'another block', records: [refusal(0, 0, '5'), refusal(1, 10, '5')] },
    {
      because: 'something was admitted meanwhile',
      records: [refusal(0, 0, '60'), read(1, 5, { conversation: 'c2' }), refusal(2, 10, '60')],
    },
    { because: 'two limits', records: [refusal(0, 0, '60'), refusal(1, 10, '60', concurrency)] },
  ],
};

export const retryAfterUnreadable: Examples = {
  shown: [
    {
      because: 'negative',
      records: [refusal(0, 0, '-3')],
      basis: 'observation',
      claim: 'the Retry-After in the answer to request 0 is neither whole seconds nor a date',
      exchanges: [0],
    },
  ],
  notShown: [
    { because: 'seconds, and a date', records: [refusal(0, 0, '3'), refusal(1, 5, 'Sat, 21 Nov 2026 12:00:00 GMT')] },
    { because: 'none', records: [refusal(0, 0)] },
  ],
};

export const retryAfterAbsent: Examples = {
  shown: [
    {
      because: 'one of two has none',
      records: [refusal(0, 0, '60'), refusal(1, 10)],
      basis: 'observation',
      claim: '1 of 2 refusals by the rate limit have no Retry-After (first: request 1)',
      exchanges: [1],
    },
  ],
  notShown: [
    { because: 'all have one', records: [refusal(0, 0, '60')] },
    { because: 'the concurrency limit need not know', records: [refusal(0, 0, undefined, concurrency)] },
  ],
};

const toldBy = (seq: number, second: number, remaining: number, t = 50, members: Partial<Exchange> = {}) =>
  read(seq, second, {
    headers: { ratelimit: `"minute";r=${remaining};t=${t}`, 'ratelimit-policy': '"minute";q=20;w=60' },
    ...members,
  });

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
  ],
  notShown: [
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
  ],
};

export const mappingContradicted: Examples = {
  shown: [
    {
      because: 'the very first request',
      records: [refusal(0, 0, '60'), read(1, 70)],
      basis: 'profile',
      claim:
        'request 0 was refused with the code rate_limited, which the profile maps to the rate limit, before anything was sent that this limit counts',
      exchanges: [0],
    },
    {
      because: 'no message was ever sent',
      records: [read(0, 0), refusal(1, 1, '60', concurrency)],
      basis: 'profile',
      claim:
        'request 1 was refused with the code concurrency_limited, which the profile maps to the concurrency limit, before anything was sent that this limit counts',
      exchanges: [1],
    },
  ],
  notShown: [
    { because: 'something was sent before', records: [read(0, 0), refusal(1, 1, '60')] },
    { because: 'something was under way', records: [refusal(0, 0, '60'), read(1, 0.0005)] },
    {
      because: 'the window may not have been empty',
      header: { flushed: { rate: false, concurrency: true, daily: true } },
      records: [refusal(0, 0, '60')],
    },
    { because: 'others may use the credentials', header: { exclusive: false }, records: [refusal(0, 0, '60')] },
    { because: 'the history is not whole', incomplete: true, records: [refusal(0, 0, '60')] },
  ],
};

export const codeUnmapped: Examples = {
  shown: [
    {
      because: 'a code that nobody mapped, with what must not reach a terminal',
      records: [
        refusal(0, 0, '60', { error: { code: 'slow\u001bdown', retryable: true, requestId: 'r' } }),
        refusal(1, 5, '55', { error: { code: 'slow\u001bdown', retryable: true, requestId: 'r' } }),
      ],
      basis: 'observation',
      claim: "2 refusals have the code slow?down (first: request 0), which the profile's errorCodes map to no limit",
      exchanges: [0],
    },
  ],
  notShown: [{ because: 'mapped', records: [refusal(0, 0, '60')] }],
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
