import type { Exchange } from '../../../history/index.ts';
import { exchange, us } from '../../../testing/history/sample-records.ts';

/** A readHistory of c1 at a second of the run; its decision within a millisecond. */
export const read = (seq: number, second: number, members: Partial<Exchange> = {}) =>
  exchange({ seq, conversation: 'c1', token: 't1', sentAt: us(second * 1e6), ...members });
export const refusal = (seq: number, second: number, retryAfter?: string, members: Partial<Exchange> = {}) =>
  read(seq, second, {
    outcome: 'refused',
    status: 429,
    error: { code: 'rate_limited', retryable: true, requestId: 'r' },
    ...(retryAfter !== undefined && { retryAfter }),
    ...members,
  });
export const concurrency = { error: { code: 'concurrency_limited', retryable: true, requestId: 'r' } };

export const toldBy = (seq: number, second: number, remaining: number, t = 50, members: Partial<Exchange> = {}) =>
  read(seq, second, {
    headers: { ratelimit: `"minute";r=${remaining};t=${t}`, 'ratelimit-policy': '"minute";q=20;w=60' },
    ...members,
  });
