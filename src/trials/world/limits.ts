import {
  algorithmOfReading,
  bearerOperationIds as bearer,
  days,
  limitScopes,
  type OperationId,
  operationIds,
  type RateAlgorithm,
  rateAlgorithmNames,
  slidingCounterVariants,
} from '../../api/index.ts';
import { rateAlgorithms } from '../../api/limit-kinds.ts';
import { limitsWithReading, readingNames } from '../../check/index.ts';
import type { Draw } from '../draw.ts';
import type { Focus, Knowledge } from './knowledge.ts';

/* The three limits of a service, and what its profile says of each. */

const MANY = 100_000;
const without = (ids: readonly OperationId[], left: OperationId) => ids.filter((id) => id !== left);
/** What "20 requests" may mean to the API's readers. */
export const usualCountings: readonly (readonly OperationId[])[] = [
  bearer,
  bearer,
  without(bearer, 'openStream'),
  operationIds,
  without(operationIds, 'openStream'),
];
/** With two that a profile has to say. */
const countings: readonly (readonly OperationId[])[] = [
  ...usualCountings,
  ['sendMessage'],
  ['readHistory', 'sendMessage'],
];

export function drawRate(draw: Draw, focus: Focus, { draw: knowing, declares }: Knowledge) {
  const algorithm = draw.pick(rateAlgorithmNames);
  const max = focus === 'rate' || focus === 'all' ? draw.pick([1, 2, 3, 5, 8, 20]) : MANY;
  const windowMs = draw.pick([1_000, 10_000, 60_000]);
  const parameters: readonly string[] = rateAlgorithms[algorithm];
  const phase = parameters.includes('phase') && draw.chance(0.6) ? draw.whole(0, windowMs - 1) : 0;
  const variant = draw.pick(slidingCounterVariants);
  const scope = draw.chance(0.4) ? 'application' : draw.pick(limitScopes);
  const countsReplays = draw.chance(0.7);
  const counts = focus === 'rate' ? draw.pick(countings) : bearer;
  const [countsInvalid, countsRefusedLater] = [draw.chance(0.7), draw.chance(0.5)];
  const readings = rateReadingsOf(algorithm, phase);
  const declared = declares && readings.length > 0 ? knowing.pick(readings) : 'unknown';
  // Where the reading is unknown, so may the scope be, and what is written of it need not be true.
  const isScopeDeclared = declared !== 'unknown' || knowing.chance(0.8);
  return {
    algorithm,
    max,
    windowUs: windowMs * 1_000,
    phaseUs: phase * 1_000,
    settings: {
      algorithm,
      max,
      window: `${windowMs}ms`,
      ...(phase > 0 && { phase: `${phase}ms` }),
      ...(parameters.includes('variant') && { variant }),
      scope,
      operations: counts,
      countsInvalid,
      countsReplays,
      countsRefusedLater,
    },
    declared: {
      max,
      window: `${windowMs}ms`,
      reading: declared,
      scope: isScopeDeclared ? scope : knowing.pick(limitScopes),
      counts,
      countsReplays,
      ...(isScopeDeclared && knowing.chance(0.5) && { scopeKnown: true }),
    },
    truth: { readings, scope, counts, countsReplays },
  };
}

/** The judge's readings that describe an algorithm of the sandbox, by their own names and by the algorithm's. */
export function rateReadingsOf(algorithm: RateAlgorithm, phase: number): readonly string[] {
  const names = [algorithm, ...readingNames('rate').filter((name) => algorithmOfReading(name) === algorithm)];
  return [...new Set(names)].filter(
    (name) => limitsWithReading(name).includes('rate') && (phase === 0 || name !== 'fixed-window-aligned'),
  );
}

const slotScopes = ['application', 'application', 'user', 'token', 'conversation'] as const;

/** @param waits whether only turns in process hold slots */
export function drawSlots(draw: Draw, focus: Focus, { draw: knowing, declares }: Knowledge, waits: boolean) {
  const max = focus === 'slots' || focus === 'all' ? draw.pick([1, 2, 2, 3]) : MANY;
  const scope = draw.pick(slotScopes);
  const lease = draw.chance(0.2);
  const slot = waits ? 'processing-only' : 'accepted-to-finished';
  return {
    settings: {
      max,
      scope,
      retryAfter: draw.pick(['exact', 'absent'] as const),
      // Longer than any turn, so that it ends none.
      ...(waits && { slot }),
      ...(lease && !waits && { algorithm: 'lease', ttl: '30d' }),
    },
    declared: {
      max,
      scope,
      reading: declares ? slot : 'unknown',
      slot,
      releaseGrace: knowing.pick(['0', '0', '500ms']),
      ...knownBy(knowing),
    },
    truth: { readings: [slot], scope },
  };
}

/** Whether a profile says that its scope, which is the true one, is known. */
const knownBy = (knowing: Draw) => (knowing.chance(0.5) ? { scopeKnown: true } : {});

const dayScopes = ['application', 'application', 'user', 'token'] as const;

export function drawDays(draw: Draw, focus: Focus, { draw: knowing, declares }: Knowledge) {
  const max = focus === 'days' || focus === 'all' ? draw.pick([1, 2, 3, 5, 12]) : MANY;
  const day = draw.pick(days);
  const scope = draw.pick(dayScopes);
  const countsRefusedLater = false;
  return {
    settings: { max, day, scope, countsRefusedLater },
    declared: { max, day: declares ? day : 'unknown', scope, ...knownBy(knowing) },
    truth: { readings: [day], scope },
  };
}
