import { type ErrorCode, refusal } from '../replies.ts';
import type { Fault } from './fault.ts';
import { type Moment, moment } from './words.ts';

/**
 * Replaces the true answer by an error in the envelope.
 * @param usually default: whether the request is decided (`after`) or not (`before`)
 */
export function status(code: ErrorCode, message: string, usually: Moment): Fault {
  const other = usually === 'after' ? 'before' : 'after';
  const { status: number } = refusal(code, message, '');
  return {
    says: `The answer is ${number} ${code} in the error envelope, ${usually} (default) or ${other} processing the request.`,
    parameters: '[:before|after]',
    target: 'request',
    read(words) {
      const when = moment(words, usually);
      if ('problem' in when) return when;
      return ({ next, freshRequestId }) => {
        if (when.value === 'after') next();
        return refusal(code, message, freshRequestId());
      };
    },
  };
}
