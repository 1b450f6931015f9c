import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError, ExitCode, statIfThere } from '../base/index.ts';
import { ROUNDS_FILE, type RoundRun, type Rounds } from '../report/index.ts';
import { JOURNAL, locateRun, RESULTS } from './results-folder.ts';
import { isOfRounds, listOf, unfinished } from './rounds-state.ts';

/** Runs that were named together: one, or the rounds of a folder. */
export interface NamedRuns {
  /** As the user named them. */
  readonly name: string;
  /** Journals in the order of their rounds. */
  readonly journals: readonly string[];
  /** Rounds that are left out, as a run of them was invalid; absent of a run by itself. */
  readonly leftOut?: number;
}

/** A folder of rounds. */
export interface RoundsFolder {
  readonly folder: string;
  readonly rounds: Rounds;
}

/**
 * Finds a folder of rounds: one with `rounds.json`, or for `latest` the newest such below results/.
 * @returns `undefined` when it is none
 */
export function findRounds(named: string): RoundsFolder | undefined {
  const folder = named === 'latest' ? newestRounds() : named;
  if (folder === undefined) return undefined;
  if (!isOfRounds(folder)) return undefined;
  const rounds = listOf(folder);
  if (rounds) return { folder, rounds };
  const message = 'is not a list of rounds that this version can read';
  throw new ConfigurationError([{ file: join(folder, ROUNDS_FILE), path: '', message, hint: 'run the rounds again' }]);
}

function newestRounds(): string | undefined {
  if (!statIfThere(RESULTS)?.isDirectory()) return undefined;
  return readdirSync(RESULTS)
    .map((name) => join(RESULTS, name))
    .flatMap((folder) => {
      const file = statIfThere(join(folder, ROUNDS_FILE));
      return file ? [{ folder, born: file.mtimeMs }] : [];
    })
    .sort((a, b) => b.born - a.born)[0]?.folder;
}

/**
 * The runs of one side, in the order of their rounds. Rounds in which a run, of whichever side, was invalid are left out: what
 * the generator could not keep up with says nothing of the service, and sides are compared round by round.
 * @throws ConfigurationError when no round is left
 */
export function sideOf({ folder, rounds }: RoundsFolder, side: 'base' | 'candidate', name = folder): NamedRuns {
  if (rounds.runs.length === 0) throw noneIsOver(folder, rounds);
  const runs = rounds.runs.filter((run) => run.side === side).sort((a, b) => a.round - b.round);
  const valid = runs.filter(isOfValidRound(rounds));
  if (valid.length === 0) throw noneIsValid(folder, rounds);
  const journals = valid.map((run) => join(folder, ...run.folder.split('/'), JOURNAL));
  return { name, journals, leftOut: runs.length - valid.length };
}

function noneIsOver(folder: string, rounds: Rounds): ConfigurationError {
  return new ConfigurationError([
    { path: folder, message: `has no finished round: ${whyNoMore(rounds)}`, hint: 'run the rounds again' },
  ]);
}

/** Where the rounds came to an end before their time, the machine is blamed only for those that it spoilt until then. */
function noneIsValid(folder: string, rounds: Rounds): ConfigurationError {
  const why = whyNoMore(rounds);
  const isSlow = why === undefined || rounds.runs.some(({ exitCode }) => exitCode === ExitCode.invalidRun);
  const hint = `run the rounds again${isSlow ? ' on a quieter machine, or ask for less' : ''}`;
  const message = `has no valid round${why === undefined ? '' : `: ${why}`}`;
  return new ConfigurationError([{ path: folder, message, hint }]);
}

/** Why there are no more rounds than there are; undefined where these are all that there were to be. */
function whyNoMore(rounds: Rounds): string | undefined {
  const why = unfinished(rounds);
  return rounds.brokenOff ?? (why === undefined ? undefined : `they ${why}`);
}

function isOfValidRound({ runs }: Rounds): (run: RoundRun) => boolean {
  const invalid = new Set(runs.filter(isInvalid).map(({ round }) => round));
  return ({ round }) => !invalid.has(round);
}

/** Earlier versions wrote the exit code alone. */
const isInvalid = ({ invalid, exitCode }: RoundRun): boolean => invalid === true || exitCode === ExitCode.invalidRun;

export const hasValidRound = ({ rounds }: RoundsFolder): boolean => rounds.runs.some(isOfValidRound(rounds));

/**
 * What one argument of `compare` names: a run, or a folder of rounds of one side.
 * @throws ConfigurationError when it is neither, or rounds of two sides
 */
export function runsNamed(named: string): NamedRuns {
  const rounds = findRounds(named);
  if (!rounds) return { name: named, journals: [locateRun(named).journal] };
  if (rounds.rounds.targets.candidate === undefined) return sideOf(rounds, 'base');
  throw new ConfigurationError([
    {
      path: named,
      message: 'contains both base and candidate',
      hint: `compare it by itself: spillway compare ${named}`,
    },
  ]);
}
