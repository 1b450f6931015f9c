import { z } from 'zod';
import { type LimitName, type LimitScope, limitScopes } from '../../api/index.ts';

const Scope = z.object({ scope: z.enum(limitScopes).catch('application') }).catch({ scope: 'application' });
const Profile = z.object({ limits: z.object({ rate: Scope, concurrency: Scope, daily: Scope }) });
const specified = {
  limits: { rate: { scope: 'application' }, concurrency: { scope: 'application' }, daily: { scope: 'application' } },
} as const;

/** Whose requests share each limit, as the profile of a journal's header declares it; where it says nothing, an application's. */
export function scopesOf(profile: unknown): Readonly<Record<LimitName, LimitScope>> {
  const { rate, concurrency, daily } = Profile.catch(specified).parse(profile).limits;
  return { rate: rate.scope, concurrency: concurrency.scope, daily: daily.scope };
}
