import type { Examples } from '../finding.exam.ts';
import { concurrency, read, refusal } from './reads.exam.ts';

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

const unmapped = { code: 'slow', retryable: true, requestId: 'r' };

export const codeUnmapped: Examples = {
  shown: [
    {
      because: 'a code that nobody mapped, with what must not reach a terminal',
      records: [
        refusal(0, 0, '60', { error: { code: 'slow\u001bdown', retryable: true, requestId: 'r' } }),
        refusal(1, 5, '55', { error: { code: 'slow\u001bdown', retryable: true, requestId: 'r' } }),
      ],
      basis: 'observation',
      claim:
        "2 refusals have the code slow\\u{1b}down (first: request 0), which the profile's errorCodes map to no limit",
      exchanges: [0],
    },
    {
      because: 'two records of the first contradict one another: the others show it, too, and only they are counted',
      records: [
        refusal(0, 0, '60', { error: unmapped }),
        refusal(0, 1, '59', { error: unmapped }),
        refusal(2, 6, '54', { error: unmapped }),
        refusal(1, 5, '55', { error: unmapped }),
      ],
      basis: 'observation',
      claim: "2 refusals have the code slow (first: request 1), which the profile's errorCodes map to no limit",
      exchanges: [1],
    },
  ],
  notShown: [
    { because: 'mapped', records: [refusal(0, 0, '60')] },
    {
      because: 'its only records have the same number',
      records: [refusal(0, 0, '60', { error: unmapped }), refusal(0, 1, '59', { error: unmapped })],
    },
  ],
};
