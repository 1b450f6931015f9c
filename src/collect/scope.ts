import type { LimitScope } from '../api/index.ts';
import type { Turn } from '../history/index.ts';

interface Labels {
  readonly application: string;
  readonly user: string;
  readonly token?: string;
  readonly conversation?: string;
}

/**
 * Name of the bucket in which something counts, of a limit of this scope; empty where all are counted together. Users are told
 * apart within applications, tokens and conversations within users, as the verdicts do: clients choose these names, and two may
 * choose the same.
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
      return `${application}/${user}/${token}`;
    case 'conversation':
      return `${application}/${user}/${conversation}`;
  }
}

/** The same of a turn. A turn's token is not known: of a limit per token its user's turns are taken, which are no fewer. */
export function slotsOf({ acceptance }: Turn, scope: LimitScope): string {
  return acceptance === undefined ? '' : bucketOf(scope === 'token' ? 'user' : scope, acceptance);
}
