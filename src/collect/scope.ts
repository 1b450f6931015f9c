import type { Exchange, ProfileWords, Turn } from '../history/index.ts';

/** Label of whom a request is counted for, by the rate limit's scope; empty where all are counted together. */
export function counterOf(exchange: Exchange, scope: ProfileWords['scopes']['rate']): string {
  if (scope === 'address') return '';
  return exchange[scope] ?? '';
}

/** The same of a turn. A turn's token is not known: of a limit per token its user's turns are taken, which are no fewer. */
export function slotsOf({ acceptance }: Turn, scope: ProfileWords['scopes']['concurrency']): string {
  return acceptance?.[scope === 'token' ? 'user' : scope] ?? '';
}
