import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ConfigProblem, ConfigurationError } from '../base/index.ts';
import { type Header, readJournalSync } from '../history/index.ts';
import { headerOf } from './gate-fold.ts';

/** What two runs must have in common, unless somebody says otherwise. */
export const differences = ['plan', 'limits', 'machine', 'incomplete'] as const;
export type RunDifference = (typeof differences)[number];

/** What a run is, as far as another must be the same. */
interface RunKind {
  readonly journal: string;
  readonly header: Header;
  /** Of `run.json`; absent where that is missing. */
  readonly machine?: string;
  readonly complete: boolean;
}

function kindOf(journal: string): RunKind {
  let complete = false;
  let exchanges = 0;
  for (const record of readJournalSync(journal)) {
    if (record.kind === 'exchange') exchanges++;
    if (record.kind === 'end') complete = record.complete && record.exchanges === exchanges;
  }
  const machine = machineOf(journal);
  return { journal, header: headerOf(journal), complete, ...(machine !== undefined && { machine }) };
}

/** The machine of a run as one text. */
function machineOf(journal: string): string | undefined {
  try {
    const { machine } = JSON.parse(readFileSync(join(dirname(journal), 'run.json'), 'utf8')) as { machine?: unknown };
    return machine === undefined ? undefined : JSON.stringify(machine);
  } catch {
    return undefined;
  }
}

const planOf = ({ scenario, seed, warmUpUs, plan }: Header): string =>
  JSON.stringify([scenario, seed, warmUpUs, plan ?? null]);
const limitsOf = ({ limits }: Header): string =>
  JSON.stringify([limits.rate.max, limits.rate.windowUs, limits.concurrency.max, limits.daily.max]);

/**
 * In what a set of runs differs from the first of all; a difference that is not allowed is an error.
 * @param base journals of the base, at least one
 * @param candidate journals of the candidate
 * @returns what differs and is allowed
 * @throws ConfigurationError with every difference that is not
 */
export function checkComparable(
  base: readonly string[],
  candidate: readonly string[],
  allowed: readonly RunDifference[],
): readonly RunDifference[] {
  const [first, ...others] = [...base, ...candidate].map(kindOf);
  if (!first) return [];
  const found = new Set<RunDifference>();
  const problems: ConfigProblem[] = [];
  const tell = (difference: RunDifference, { journal }: RunKind, message: string) => {
    if (!allowed.includes(difference)) {
      const hint = `compare runs that have it in common, or say --allow ${difference}`;
      problems.push({ file: journal, path: '', message, hint });
    }
    found.add(difference);
  };
  for (const one of [first, ...others]) {
    if (!one.complete) tell('incomplete', one, 'the history is incomplete');
    if (one.machine === undefined) tell('machine', one, 'run.json does not say on which machine it ran');
    else if (first.machine !== undefined && one.machine !== first.machine)
      tell('machine', one, `ran on another machine than ${first.journal}`);
    if (planOf(one.header) !== planOf(first.header))
      tell('plan', one, `ran another plan than ${first.journal}: ${planDifference(one.header, first.header)}`);
    if (limitsOf(one.header) !== limitsOf(first.header))
      tell('limits', one, `declares other limits than ${first.journal}`);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return [...found];
}

function planDifference(one: Header, other: Header): string {
  if (one.scenario !== other.scenario) return `${one.scenario} instead of ${other.scenario}`;
  if (one.seed !== other.seed) return `seed ${one.seed} instead of ${other.seed}`;
  return one.warmUpUs !== other.warmUpUs ? 'another warm-up' : 'journeys, load, caps or data differ';
}
