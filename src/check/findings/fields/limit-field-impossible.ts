import { formatCount } from '../../../base/index.ts';
import { each } from '../gather/advice.ts';
import { kindOf, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import type { Told } from '../read/told.ts';
import { policyName } from './limit-told.ts';

type Data = { policy: string; what: string; request: string | number };

export const limitFieldImpossible = kindOf<Data>(
  'A header field about limits has impossible numbers, such as less than 0 left, or more left than the limit.',
  function* ({ advice, evidence }) {
    const { tellings, everTold } = advice;
    if (![...everTold].some((told) => impossible(told) !== undefined)) return;
    for (const { row, told } of each(tellings)) {
      const what = impossible(told);
      if (what === undefined) continue;
      const data = { policy: plainWord(policyName(told.policy)), what, request: evidence.refOf(row) };
      yield observed(evidence, [row], data);
    }
  },
  ({ policy, what, request }) => `in the answer to request ${request}, the policy ${policy} says ${what}`,
);

function impossible({ remaining, quota, windowSeconds, resetSeconds }: Told): string | undefined {
  if (remaining !== undefined && remaining < 0) return `that ${formatCount(remaining)} are left`;
  if (quota !== undefined && quota < 0) return `a limit of ${formatCount(quota)}`;
  if (remaining !== undefined && quota !== undefined && remaining > quota)
    return `that ${formatCount(remaining)} are left of a limit of ${formatCount(quota)}`;
  if (windowSeconds !== undefined && windowSeconds <= 0) return `a window of ${windowSeconds} s`;
  return resetSeconds !== undefined && resetSeconds < 0 ? `that it resets in ${resetSeconds} s` : undefined;
}
