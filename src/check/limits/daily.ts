import { z } from 'zod';
import { usualProfile } from '../../api/index.ts';
import { DAY_US } from '../days/calendar.ts';
import { type DaySlice, daySlices } from '../days/message-slice.ts';
import { boundsOf } from '../evidence/bounds.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { type LimitCase, variant } from '../judging/limit-case.ts';
import { everyDaily } from '../readings/every.ts';
import { dailyReadings, readingNamed } from '../readings/index.ts';
import type { ScopeName } from './scope.ts';
import { scopedCase } from './scoped-case.ts';

const defaults = usualProfile().limits.daily;

/** What the header's profile says about the day quota; an unreadable member gets its default alone. */
const DeclaredDaily = z
  .object({
    limits: z.object({
      daily: z.object({
        reading: z.string().catch(defaults.reading),
        day: z.string().catch(defaults.day),
        scope: z.enum(['application', 'user', 'token']).catch(defaults.scope),
        scopeKnown: z.boolean().optional().catch(undefined),
      }),
    }),
  })
  .catch({ limits: { daily: defaults } });

const possibleScopes = ['token', 'user', 'application', 'address'] as const satisfies ScopeName[];

/** @param declared a reading to judge instead of the header's */
export function dailyCase(evidence: Evidence, declared?: string): LimitCase<DaySlice> {
  const { header, timeline, complete } = evidence;
  const profile = DeclaredDaily.parse(header.profile).limits.daily;
  const reading =
    declared === undefined
      ? (readingNamed(dailyReadings, profile.reading) ?? readingNamed(dailyReadings, profile.day))
      : readingNamed(dailyReadings, declared);
  const { max } = header.limits.daily;
  const bounds = boundsOf(header, timeline, { name: 'daily', max, windowUs: DAY_US }, complete);
  return scopedCase<DaySlice>({ limit: 'daily', family: dailyReadings, every: everyDaily, bounds }, reading, {
    declared: profile.scope,
    isKnown: profile.scopeKnown,
    possible: possibleScopes,
    // No known service counts days by conversation, and the profile cannot say so.
    narrowest: 'token',
    slicesOf: (scope) => variant(scope, 'new messages', () => daySlices(evidence, scope)),
  });
}
