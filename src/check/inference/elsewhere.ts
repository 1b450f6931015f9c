import { isScopeOpen, type LimitCase } from '../judging/limit-case.ts';
import type { Judged } from '../reading.ts';
import type { Possible } from './inference.ts';
import { canBeFitted } from './outcome.ts';
import { whoseOf } from './words.ts';

/**
 * If the scope is open, and no reading explains everything in buckets as declared: what that leaves unsaid; empty otherwise. Declared
 * numbers were tried in all buckets, others as declared alone: narrow buckets with any number explain nearly everything.
 */
export function elsewhereOnly<S extends Judged>(about: LimitCase<S>, possible: readonly Possible[]): string {
  const { asDeclared, declared } = about;
  const whose = whoseOf(asDeclared.scope);
  if (!isScopeOpen(about) || whose === '' || possible.some(({ scope }) => scope === asDeclared.scope)) return '';
  const flag = declared === 'unknown' ? 'scopeKnown: true' : '';
  if (possible.length > 0)
    return `; counted${whose}, no known reading with the declared numbers does (if that is the scope, write scope: ${asDeclared.scope}${flag && ` and ${flag}`} in the profile)`;
  return canBeFitted(about)
    ? `; other numbers were tried as counted${whose} alone (if the scope is another, write it in the profile${flag && `, with ${flag}`})`
    : '';
}
