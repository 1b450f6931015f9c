import type { LimitScope } from '../../api/index.ts';
import { MADE_UP_TOKEN } from '../../base/index.ts';
import type { Turn } from '../../history/index.ts';

interface Labels {
  readonly application: string;
  readonly user: string;
  readonly token?: string;
  readonly conversation?: string;
}

/**
 * Name of the bucket of a limit with this scope; empty if everything is counted together. Users are distinguished within
 * applications, conversations and tokens that are made up within users, as in the verdicts: clients choose these names, and two
 * may choose the same.
 */
export function bucketOf(scope: LimitScope, { application, user, token = '', conversation = '' }: Labels): string {
  switch (scope) {
    case 'address':
      return '';
    case 'application':
      return application;
    case 'user':
      return `${application}/${user}`;
    case 'token':
      return token === '' || token === MADE_UP_TOKEN ? `${application}/${user}/${token}` : token;
    case 'conversation':
      return `${application}/${user}/${conversation}`;
  }
}

/** What turns are told apart by. A turn's token is unknown: for a limit per token all turns of its user are taken, which are no fewer. */
export const slotScopeOf = (scope: LimitScope): LimitScope => (scope === 'token' ? 'user' : scope);

/** The same for a turn. */
export function slotsOf({ acceptance }: Turn, scope: LimitScope): string {
  return acceptance === undefined ? '' : bucketOf(slotScopeOf(scope), acceptance);
}
