import { TargetProfileSchema } from '../../../api/index.ts';
import type { Exchange } from '../../../history/index.ts';
import { accepted, exchange, us } from '../../../testing/history/sample-records.ts';

/*
 * Attempts to send message m-1, of which the examples of idempotency tell.
 */

export const message = { id: 'm-1', digest: 'd-1' };
export const promising = (idempotency: object) => ({
  profile: TargetProfileSchema.parse({ idempotency: { scope: 'conversation', ...idempotency } }),
});

/** m-1 sent to c1: answered with a turn. */
export const sent = (seq: number, turn: string, at: number, members: Partial<Exchange> = {}) =>
  accepted(seq, turn, at, at + 900, { message, ...members });

/** Another content under the same id. */
export const other = (seq: number, turn: string, at: number, members: Partial<Exchange> = {}) =>
  sent(seq, turn, at, { message: { id: 'm-1', digest: 'd-2' }, ...members });

export const refused = (seq: number, at: number, code: string, members: Partial<Exchange> = {}) =>
  exchange({
    seq,
    operation: 'sendMessage',
    conversation: 'c1',
    sentAt: us(at),
    outcome: 'refused',
    status: 429,
    message,
    error: { code, retryable: false, requestId: 'r' },
    ...members,
  });
