import { formatCount } from '../../../base/index.ts';
import { each } from '../gather/advice.ts';
import { kindOf, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { policyName } from './limit-told.ts';

type Data = { policy: string; answers: number; told: number; first: string | number };

/**
 * Reported once per policy. A field may be left out of any answer; but a service that gives the remaining number everywhere
 * except where it is 0 confuses 0 with absence.
 */
export const remainingLeftOut = kindOf<Data>(
  'Answers named the policy of a limit without what is left of it, although others gave it.',
  function* ({ advice, evidence }) {
    const { tellings, everTold, malformed } = advice;
    if (malformed.has('ratelimit') || ![...everTold].some(({ remaining }) => remaining === undefined)) return;
    const policies = new Map<string, { told: number; without: number; first: number }>();
    for (const { row, told } of each(tellings)) {
      const seen = policies.get(told.policy) ?? { told: 0, without: 0, first: row };
      policies.set(told.policy, seen);
      if (told.remaining !== undefined) seen.told += 1;
      else {
        const isEarlier = (evidence.sentAt[row] as number) < (evidence.sentAt[seen.first] as number);
        if (seen.without === 0 || isEarlier) seen.first = row;
        seen.without += 1;
      }
    }
    for (const [policy, { told, without, first }] of policies) {
      if (told === 0 || without === 0) continue;
      const data = { policy: plainWord(policyName(policy)), answers: without, told, first: evidence.refOf(first) };
      yield observed(evidence, [first], data);
    }
  },
  ({ policy, answers, told, first }) =>
    `${formatCount(answers)} ${answers === 1 ? 'answer names' : 'answers name'} the policy ${policy} without what is left of it, which ${formatCount(told)} ${told === 1 ? 'other gives' : 'others give'} (first: request ${first})`,
);
