import { type ErrorCode, refusal } from '../replies.ts';
import type { Fault } from './fault.ts';
import { type Moment, moment } from './words.ts';

/**
 * An error answer in the envelope, in place of the true one.
 * @param usually whether the request was decided when the rule does not say so
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
