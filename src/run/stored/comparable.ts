import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TransportChoice } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError, statIfThere } from '../../base/index.ts';
import { chosenTransport } from '../../client/index.ts';
import type { Header } from '../../history/index.ts';
import type { KnownTags } from '../../metrics/index.ts';
import { lackSentence } from '../../report/index.ts';
import { knownTags } from '../../scenario/index.ts';
import { invalidBecause } from '../validity.ts';
import { headerOf } from './read-header.ts';
import { summaryOf } from './read-summary.ts';

/** Differences that make two runs incomparable, unless allowed. */
export const differences = ['plan', 'limits', 'machine', 'generator', 'incomplete', 'invalid'] as const;
export type RunDifference = (typeof differences)[number];

/** The properties of a run that another must share. */
interface RunKind {
  readonly journal: string;
  readonly header: Header;
  /** From `run.json`; absent if that is missing. */
  readonly machine?: string;
  readonly complete: boolean;
  /** What it lacks, in a sentence; used if it is not complete. */
  readonly lack: string;
  /** Whether the scenario's deadline ended it, with all records present. */
  readonly byDeadline: boolean;
  /** Why its numbers must not be used; absent if they may. */
  readonly invalid?: string;
}

function kindOf(journal: string): RunKind {
  const summary = summaryOf(journal);
  const machine = machineOf(journal);
  const invalid = invalidBecause(summary, 'complete or not');
  return {
    journal,
    header: headerOf(journal),
    complete: summary.run.complete,
    lack: lackSentence(summary.run),
    byDeadline: summary.run.incompleteBecause === 'deadline',
    ...(machine !== undefined && { machine }),
    ...(invalid !== undefined && { invalid }),
  };
}

/** The machine of a run as one text. */
function machineOf(journal: string): string | undefined {
  try {
    const file = join(dirname(journal), 'run.json');
    // A pipe or a device, to which a folder from elsewhere may link, would never end.
    if (!statIfThere(file)?.isFile()) return undefined;
    const { machine } = JSON.parse(readFileSync(file, 'utf8')) as { machine?: unknown };
    return machine === undefined ? undefined : JSON.stringify(machine);
  } catch {
    return undefined;
  }
}

const planOf = ({ scenario, seed, warmUpUs, plan }: Header): string =>
  JSON.stringify([scenario, seed, warmUpUs, plan ?? null]);
/** How requests were sent, which influences the times: `1 worker over wire`. */
function sentBy({ workers = 1, profile }: Header): string {
  const { transport = 'auto', proxy } =
    (profile as { client?: { transport?: TransportChoice; proxy?: string } } | null)?.client ?? {};
  const used = chosenTransport(transport, proxy);
  return `${workers === 1 ? '1 worker' : `${workers} workers`} over ${used}`;
}

/** The numbers of the declared limits as one text. */
export const limitNumbers = ({ rate, concurrency, daily }: Header['limits']): string =>
  JSON.stringify([rate.max, rate.windowUs, concurrency.max, daily.max]);

/**
 * Checks in what a set of runs differs from the first of all, and what makes one unfit; anything not allowed is an error. Runs
 * that all ended by the deadline that they were given are as complete as planned.
 * @param base journals of the base, at least one
 * @param candidate journals of the candidate
 * @returns the differences that are allowed
 * @throws ConfigurationError with every difference that is not
 */
export function checkComparable(
  base: readonly string[],
  candidate: readonly string[],
  allowed: readonly RunDifference[],
): readonly RunDifference[] {
  const runs = [...new Set([...base, ...candidate])].map(kindOf);
  const [first] = runs;
  if (!first) return [];
  const areCutAlike = runs.every(({ byDeadline }) => byDeadline);
  const found = new Set<RunDifference>();
  const problems = runsOfBoth(base, candidate);
  const tell = (difference: RunDifference, { journal }: RunKind, message: string) => {
    if (!allowed.includes(difference)) {
      const hint = `compare runs in which it is the same, or add --allow ${difference}`;
      problems.push({ file: journal, path: '', message, hint });
    }
    found.add(difference);
  };
  for (const one of runs) {
    if (!one.complete && !areCutAlike) tell('incomplete', one, one.lack);
    if (one.invalid !== undefined) tell('invalid', one, `the run was invalid: ${one.invalid}`);
    if (one.machine === undefined) tell('machine', one, 'run.json does not say on which machine it ran');
    else if (first.machine !== undefined && one.machine !== first.machine)
      tell('machine', one, `ran on another machine than ${first.journal}`);
    if (planOf(one.header) !== planOf(first.header))
      tell('plan', one, `ran another plan than ${first.journal}: ${planDifference(one.header, first.header)}`);
    if (sentBy(one.header) !== sentBy(first.header))
      tell('generator', one, `was sent by ${sentBy(one.header)}, ${first.journal} by ${sentBy(first.header)}`);
    if (limitNumbers(one.header.limits) !== limitNumbers(first.header.limits))
      tell('limits', one, `declares other limits than ${first.journal}`);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return [...found];
}

/** Rejects a run that is in both sets: it would never be worse than itself, so a mistyped folder would look like a good result. */
const runsOfBoth = (base: readonly string[], candidate: readonly string[]): ConfigProblem[] =>
  runsAlsoOf(base, candidate, { whose: 'the base', hint: 'compare another run with it' });

/**
 * Rejects a run that two candidates contain: each comparison more raises what all have to show.
 * @param candidates journals of each
 * @throws ConfigurationError with every such run
 */
export function checkDistinct(candidates: readonly (readonly string[])[]): void {
  const problems = candidates.flatMap((journals, index) =>
    runsAlsoOf(candidates.slice(0, index).flat(), journals, {
      whose: 'another candidate',
      hint: 'name each candidate once',
    }),
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
}

function runsAlsoOf(
  others: readonly string[],
  journals: readonly string[],
  { whose, hint }: { readonly whose: string; readonly hint: string },
): ConfigProblem[] {
  const known = new Map(others.map((journal) => [headerOf(journal).runId, journal]));
  return journals.flatMap((file) => {
    const same = known.get(headerOf(file).runId);
    if (same === undefined) return [];
    return [{ file, path: '', message: `is also a run of ${whose}${same === file ? '' : `, as ${same}`}`, hint }];
  });
}

function planDifference(one: Header, other: Header): string {
  if (one.scenario !== other.scenario) return `${one.scenario} instead of ${other.scenario}`;
  if (one.seed !== other.seed) return `seed ${one.seed} instead of ${other.seed}`;
  return one.warmUpUs !== other.warmUpUs ? 'another warm-up' : 'journeys, load, caps or data differ';
}

/** The names that tags have in any of these runs: by a name that no run has, all numbers are equal, and nothing is compared. */
export function tagsIn(journals: readonly string[]): KnownTags {
  const headers = journals.map(headerOf);
  const union = (namesIn: (header: Header) => readonly string[] | undefined) => {
    const names = headers.map(namesIn);
    return names.every((one) => one !== undefined) ? [...new Set(names.flat())] : undefined;
  };
  return knownTags(
    union(({ journeys }) => journeys),
    union(({ applications }) => applications),
    union(({ stages = [] }) => stages.map(({ name }) => name)),
  );
}
