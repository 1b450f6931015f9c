import type { Day, DefectId, RateAlgorithm } from '../../api/index.ts';
import { isRecord } from '../../base/index.ts';
import { chosenDefects } from './choice.ts';
import type { RateList, Requirement } from './defect.ts';
import { defects } from './registry.ts';

type Members = Readonly<Record<string, unknown>>;

/** Settings that defects assume if they are not given. */
export interface Assumed {
  readonly algorithm?: RateAlgorithm;
  readonly day?: Day;
  readonly rates?: RateList;
}

const requirementsOf = (ids: readonly DefectId[]): readonly Requirement[] =>
  ids.flatMap((id) => defects[id].requires ?? []);
const firstOf = <Value>(ids: readonly DefectId[], pick: (requirement: Requirement) => Value | undefined) =>
  requirementsOf(ids)
    .map(pick)
    .find((value) => value !== undefined);

/** The rate algorithm, the kind of day and the rate limits that the chosen defects need. The first defect with a need wins. */
export function assumedBy(ids: readonly DefectId[]): Assumed {
  const algorithm = firstOf(ids, (each) => each.algorithm?.[0]);
  const day = firstOf(ids, (each) => each.day?.[0]);
  const rates = firstOf(ids, (each) => each.rates);
  return { ...(algorithm && { algorithm }), ...(day && { day }), ...(rates && { rates }) };
}

/**
 * Adds what the chosen defects need, unless it is given.
 * @param settings unchecked; values of a wrong shape are left for the schema to report
 */
export function withAssumptions(settings: unknown): unknown {
  if (!isRecord(settings)) return settings;
  const ids = chosenDefects(settings.defects);
  if (requirementsOf(ids).length === 0) return settings;
  const { algorithm, day, rates } = assumedBy(ids);
  const limits = isRecord(settings.limits) ? settings.limits : {};
  const processing = firstOf(ids, (each) => each.processing);
  const failureShare = firstOf(ids, (each) => each.failureShare);
  return {
    ...settings,
    ...(failureShare !== undefined && { failureShare: settings.failureShare ?? failureShare }),
    ...(processing !== undefined && { latency: filled(settings.latency, { processing }) }),
    ...((settings.limits === undefined || isRecord(settings.limits)) && {
      limits: {
        ...limits,
        ...((algorithm ?? rates) && { rate: eachFilled(limits.rate ?? rates, algorithm && { algorithm }) }),
        ...(day && { daily: eachFilled(limits.daily, { day }) }),
      },
    }),
  };
}

const filled = (value: unknown, missing: Members | undefined): unknown =>
  value === undefined || isRecord(value) ? { ...missing, ...value } : value;

/** Adds settings to each limit. A limit is written as a number, an object or a list of objects. */
function eachFilled(limit: unknown, missing: Members | undefined): unknown {
  if (typeof limit === 'number') return { max: limit, ...missing };
  return Array.isArray(limit) ? limit.map((each) => filled(each, missing)) : filled(limit, missing);
}
