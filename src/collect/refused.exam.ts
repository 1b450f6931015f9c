import { exchange, us } from '../testing/history/sample-records.ts';

/** An exchange that was refused, with a code where the service gave one. */
export const refused = (seq: number, code: string | undefined, sentAt = 0) =>
  exchange({
    seq,
    sentAt: us(sentAt),
    status: 429,
    outcome: 'refused',
    ...(code !== undefined && { error: { code, retryable: true, requestId: 'r' } }),
  });
