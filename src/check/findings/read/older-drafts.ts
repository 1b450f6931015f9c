import { integer, parseList } from './structured-list.ts';
import type { Told } from './told.ts';

/*
 * The fields RateLimit-* before draft-ietf-httpapi-ratelimit-headers-08. Policies have no names, so the numbers of a policy stand
 * for it (`20 per 60 s`). What is left is told of one limit, of which only the quota is given. Many middlewares still send these.
 */

/** Name of a limit that cannot be told apart by its numbers. */
export const UNNAMED = 'RateLimit';

/** What is left, of the limit of that quota. */
export type OlderState = Omit<Told, 'policy'>;

/** `RateLimit: limit=20, remaining=19, reset=6` (draft 7). */
export function readOlderRateLimit(text: string): OlderState | undefined {
  const members = new Map<string, number>();
  for (const member of text.split(',')) {
    const [, name, number] = /^[ \t]*([a-z]+)=(-?\d{1,15})[ \t]*$/.exec(member) ?? [];
    if (name === undefined) return undefined;
    members.set(name, Number(number));
  }
  const [quota, remaining, resetSeconds] = [members.get('limit'), members.get('remaining'), members.get('reset')];
  if (remaining === undefined) return undefined;
  return { remaining, ...(quota !== undefined && { quota }), ...(resetSeconds !== undefined && { resetSeconds }) };
}

/** `RateLimit-Policy: 20;w=60, 50;w=86400`. */
export function readOlderPolicies(text: string): Told[] | undefined {
  const policies = parseList(text)?.map(({ value, parameters }): Told | undefined => {
    const [quota, windowSeconds] = [integer(value), integer(parameters.get('w'))];
    if (quota === undefined || windowSeconds === undefined) return undefined;
    return { policy: `${quota} per ${windowSeconds} s`, quota, windowSeconds };
  });
  return policies?.every((one) => one !== undefined) ? policies : undefined;
}

/** `RateLimit-Limit: 20`, until draft 5 with policies behind it: `20, 20;w=60`. */
export function readOlderLimit(text: string): { readonly quota: number; readonly policies: Told[] } | undefined {
  const [, quota, rest] = /^ *(-?\d{1,15}) *(?:,(.*))?$/.exec(text) ?? [];
  if (quota === undefined) return undefined;
  const policies = rest === undefined ? [] : readOlderPolicies(rest.trim());
  return policies && { quota: Number(quota), policies };
}

/** Says what is left of the only policy of its quota; of the unnamed limit if there is none, or if there are several. */
export function olderTold(state: OlderState, policies: readonly Told[]): Told[] {
  if (Object.keys(state).length === 0) return [...policies];
  const own = policies.filter(({ quota }) => quota === state.quota);
  const [only] = own;
  if (only === undefined || own.length > 1) return [{ policy: UNNAMED, ...state }, ...policies];
  return policies.map((one) => (one === only ? { ...one, ...state } : one));
}
