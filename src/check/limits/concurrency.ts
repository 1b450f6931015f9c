import { z } from 'zod';
import { DurationText, usualProfile } from '../../api/index.ts';
import { coincident } from '../engines/cores.ts';
import { type Bounds, boundsOf } from '../evidence/bounds.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { type LimitCase, variant } from '../judging/limit-case.ts';
import { everyConcurrency } from '../readings/every.ts';
import { concurrencyReadings, readingNamed } from '../readings/index.ts';
import type { TurnSlice } from '../slots/turn-slice.ts';
import { turnSlices } from '../slots/turn-slices.ts';
import type { ScopeName } from './scope.ts';
import { scopedCase } from './scoped-case.ts';

const defaults = usualProfile().limits.concurrency;

/** What the header's profile says about the concurrency limit; an unreadable member gets its default alone. */
const DeclaredConcurrency = z
  .object({
    limits: z.object({
      concurrency: z.object({
        reading: z.string().catch(defaults.reading),
        scope: z.enum(['application', 'user', 'token', 'conversation']).catch(defaults.scope),
        scopeKnown: z.boolean().optional().catch(undefined),
        slot: z.enum(['accepted-to-finished', 'processing-only']).catch(defaults.slot),
        releaseGrace: z
          .union([z.number().min(0), DurationText])
          .optional()
          .catch(Number.POSITIVE_INFINITY),
      }),
    }),
  })
  .catch({ limits: { concurrency: defaults } });

const possibleScopes = ['conversation', 'token', 'user', 'application', 'address'] as const satisfies ScopeName[];

/** @param declared a reading to judge instead of the header's */
export function concurrencyCase(evidence: Evidence, declared?: string): LimitCase<TurnSlice> {
  const profile = DeclaredConcurrency.parse(evidence.header.profile).limits.concurrency;
  const named = declared ?? profile.reading;
  // If the profile has an unknown reading name, `slot` says which one it means.
  const reading =
    named === 'unknown'
      ? undefined
      : (readingNamed(concurrencyReadings, named) ?? readingNamed(concurrencyReadings, profile.slot));
  const bounds = slotBounds(evidence, profile.releaseGrace ?? 0);
  return scopedCase<TurnSlice>(
    {
      limit: 'concurrency',
      family: concurrencyReadings,
      every: everyConcurrency,
      bounds,
      wasSeenFull: ({ open }) => coincident(open, bounds.max) !== undefined,
    },
    reading,
    {
      declared: profile.scope,
      isKnown: profile.scopeKnown,
      possible: possibleScopes,
      narrowest: 'narrowest',
      slicesOf: (scope) => variant(scope, 'turns', () => turnSlices(evidence, scope)),
    },
  );
}

/** For this limit, the window is the time that a slot may stay taken after its turn has finished. */
function slotBounds({ header, timeline, complete }: Evidence, graceMs: number): Bounds {
  const known = Number.isFinite(graceMs);
  const windowUs = known ? graceMs * 1_000 : 0;
  const { max } = header.limits.concurrency;
  const bounds = boundsOf(header, timeline, { name: 'concurrency', max, windowUs }, complete);
  const missing = [
    ...(bounds.refusals.provable ? [] : bounds.refusals.missing),
    ...(header.flushed.concurrency ? [] : ['a start without turns in process (profile: flushed.concurrency)']),
    ...(known ? [] : ['a readable releaseGrace (profile: limits.concurrency)']),
  ];
  return missing.length === 0 ? bounds : { ...bounds, refusals: { provable: false, missing } };
}
