import { type ConfigProblem, ConfigurationError, listed } from '../../base/index.ts';
import type { Header } from '../../history/index.ts';
import { invalidBecause } from '../validity.ts';
import { limitNumbers, type RunDifference } from './comparable.ts';
import { headerOf } from './read-header.ts';
import { summaryOf } from './read-summary.ts';
import { locateRun } from './results-folder.ts';

/** An earlier run that is judged together with another. */
export interface PooledRun {
  readonly journal: string;
  /** Flaws of the run that `allow` accepted, with the run's name, without a full stop; absent if it has none. */
  readonly allowed?: string;
}

/** Flaws of a pooled run that the user may allow; named as for `compare`. */
export type PoolFlaw = Extract<RunDifference, 'plan' | 'incomplete' | 'invalid'> | 'target';

/** Runs to judge together with another one, as named by the user. */
export interface PoolWanted {
  /** Folders, `latest`, or journal files. */
  readonly runs: readonly string[];
  /** Flaws that are allowed; default none. */
  readonly allow?: readonly PoolFlaw[];
}

/** What runs must have in common to be judged together. */
export interface Poolable {
  readonly runId?: string;
  readonly scenario: string;
  readonly limits: Header['limits'];
  /** Digest of the plan; absent in older journals. */
  readonly plan?: string;
  /** Base address of the service; absent for the embedded sandbox. */
  readonly target?: string;
}

/** @param header of the run's journal */
export const poolableOf = ({ runId, scenario, limits, plan, profile }: Header): Poolable => {
  const target = (profile as { baseUrl?: unknown } | null)?.baseUrl;
  return {
    runId,
    scenario,
    limits,
    ...(plan !== undefined && { plan }),
    ...(typeof target === 'string' && { target: target.replace(/\/+$/, '') }),
  };
};

/**
 * Finds runs to judge together with another one.
 * @throws ConfigurationError with every name that is not a run, and every run that has another scenario or other limits, is named
 *   twice, or has a flaw that is not allowed
 */
export function openPool({ runs, allow = [] }: PoolWanted, present: Header | Poolable): readonly PooledRun[] {
  const other = 'kind' in present ? poolableOf(present) : present;
  const problems: ConfigProblem[] = [];
  const found = runs.flatMap((run) => {
    try {
      const { journal } = locateRun(run);
      return [{ run, journal, header: headerOf(journal) }];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  const seen = new Set(other.runId === undefined ? [] : [other.runId]);
  const fit = found.flatMap(({ run, journal, header }): PooledRun[] => {
    const message = unlike(header, other) ?? (seen.has(header.runId) ? 'is already judged' : undefined);
    seen.add(header.runId);
    if (message !== undefined) {
      problems.push({ path: `--pool ${run}`, message, hint: 'pool other runs of the same scenario and limits' });
      return [];
    }
    const flaws = [...differencesOf(poolableOf(header), other), ...flawsOf(journal)];
    for (const { kind, because, wanted } of flaws) {
      const hint = `pool runs ${wanted}, or add --allow ${kind}`;
      if (!allow.includes(kind)) problems.push({ path: `--pool ${run}`, message: because, hint });
    }
    if (flaws.length === 0) return [{ journal }];
    return [{ journal, allowed: `${run}: ${flaws.map(({ because }) => because).join('; ')}` }];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return fit;
}

interface Flaw {
  readonly kind: PoolFlaw;
  readonly because: string;
  /** Which runs to pool instead: completes "pool runs …". */
  readonly wanted: string;
}

/** Samples of another plan or service have another distribution: no confidence bound holds for both together. */
function differencesOf({ plan, target }: Poolable, other: Poolable): readonly Flaw[] {
  const isOther = plan !== undefined && other.plan !== undefined && plan !== other.plan;
  const name = (address = 'the embedded sandbox') => address;
  return listed<Flaw>(
    isOther && {
      kind: 'plan',
      because: 'ran another plan: journeys, load, caps or data differ',
      wanted: 'of one plan',
    },
    target !== other.target && {
      kind: 'target',
      because: `ran against ${name(target)}, not ${name(other.target)}`,
      wanted: 'against one service',
    },
  );
}

/** Why the run is invalid or incomplete, as `check` would report it. */
function flawsOf(journal: string): readonly Flaw[] {
  const summary = summaryOf(journal);
  const invalid = invalidBecause(summary, 'complete or not');
  const because = invalid ?? invalidBecause(summary);
  if (because === undefined) return [];
  const kind = invalid === undefined ? 'incomplete' : 'invalid';
  return [{ kind, because: `the run was invalid: ${because}`, wanted: 'whose numbers may be used' }];
}

function unlike({ scenario, limits }: Header, other: Poolable): string | undefined {
  if (scenario !== other.scenario) return `is a run of the scenario ${scenario}, not of ${other.scenario}`;
  return limitNumbers(limits) === limitNumbers(other.limits) ? undefined : 'had other limits';
}
