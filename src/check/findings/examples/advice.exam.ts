import type { Exchange, JournalRecord } from '../../../history/index.ts';
import { us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';
import { concurrency, read, refusal } from './reads.exam.ts';

const unanswered = (seq: number, second: number): Exchange => {
  const { headersAt, status, ...rest } = read(seq, second);
  return { ...rest, outcome: 'failed', failure: 'ECONNRESET' };
};

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
      because: 'obeyed after less than a second',
      records: [refusal(0, 0, '0'), refusal(1, 0.252, '5')],
      basis: 'observation',
      claim:
        'request 1 obeyed the Retry-After of request 0, 252 ms earlier, with nothing sent meanwhile, and the rate limit refused it again',
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
      claim: 'the Retry-After of 1 of 1 refusals is neither whole seconds nor a date (first: request 0)',
      exchanges: [0],
    },
    {
      because: 'fractions, in two of three',
      records: [refusal(0, 0, '5'), refusal(2, 2, '3.25'), refusal(1, 1, '4.5')],
      basis: 'observation',
      claim: 'the Retry-After of 2 of 3 refusals is neither whole seconds nor a date (first: request 1)',
      exchanges: [1],
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
