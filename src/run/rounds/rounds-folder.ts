import { join } from 'node:path';
import { ConfigurationError, ExitCode, shellWord, statIfThere } from '../../base/index.ts';
import { ROUNDS_FILE, type RoundRun, type Rounds } from '../../report/index.ts';
import { JOURNAL, locateRun, newestResult } from '../stored/results-folder.ts';
import { isOfRounds, listOf, unfinished } from './rounds-state.ts';

/** The runs that one name stands for: a single run, or the rounds of a folder. */
export interface NamedRuns {
  /** As the user named them. */
  readonly name: string;
  /** Journals in the order of their rounds. */
  readonly journals: readonly string[];
  /** Number of rounds left out because one of their runs was invalid; absent for a single run. */
  readonly leftOut?: number;
}

interface RoundsFolder {
  readonly folder: string;
  readonly rounds: Rounds;
}

/**
 * Finds a folder of rounds: one with `rounds.json`; for `latest`, the newest such folder below results/.
 * @returns `undefined` if it is not a folder of rounds
 * @throws ConfigurationError if its list cannot be read
 */
export function findRounds(named: string): RoundsFolder | undefined {
  const folder = named === 'latest' ? newestResult(timeOfRounds) : named;
  if (folder === undefined) return undefined;
  if (!isOfRounds(folder)) return undefined;
  const rounds = listOf(folder);
  if (rounds) return { folder, rounds };
  const message = 'is not a list of rounds that this version can read';
  throw new ConfigurationError([{ file: join(folder, ROUNDS_FILE), path: '', message, hint: 'run the rounds again' }]);
}

const timeOfRounds = (folder: string) => statIfThere(join(folder, ROUNDS_FILE))?.mtimeMs;

/**
 * The runs of one side, in the order of their rounds. A round is left out if either side's run was invalid: an overloaded
 * generator says nothing about the service, and the sides are compared round by round.
 * @throws ConfigurationError if no round is left
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

/** If the rounds ended early, the hint blames the machine only if one of the finished runs was invalid. */
function noneIsValid(folder: string, rounds: Rounds): ConfigurationError {
  const why = whyNoMore(rounds);
  const isSlow = why === undefined || rounds.runs.some(({ exitCode }) => exitCode === ExitCode.invalidRun);
  const hint = `run the rounds again${isSlow ? ' on a less busy machine, or with less load' : ''}`;
  const message = `has no valid round${why === undefined ? '' : `: ${why}`}`;
  return new ConfigurationError([{ path: folder, message, hint }]);
}

/** Why not all rounds ran; undefined if all did. */
function whyNoMore(rounds: Rounds): string | undefined {
  const why = unfinished(rounds);
  return rounds.brokenOff ?? (why === undefined ? undefined : `they ${why}`);
}

function isOfValidRound({ runs }: Rounds): (run: RoundRun) => boolean {
  const invalid = new Set(runs.filter(isInvalid).map(({ round }) => round));
  return ({ round }) => !invalid.has(round);
}

/** Earlier versions wrote only the exit code. */
const isInvalid = ({ invalid, exitCode }: RoundRun): boolean => invalid === true || exitCode === ExitCode.invalidRun;

export const hasValidRound = ({ rounds }: RoundsFolder): boolean => rounds.runs.some(isOfValidRound(rounds));

/**
 * The runs that an argument of `compare` names: a single run, or a folder of rounds with one side.
 * @throws ConfigurationError if it is neither, or if the rounds have two sides
 */
export function runsNamed(named: string): NamedRuns {
  const rounds = findRounds(named);
  if (!rounds) return { name: named, journals: [locateRun(named).journal] };
  if (rounds.rounds.targets.candidate === undefined) return sideOf(rounds, 'base');
  throw new ConfigurationError([
    {
      path: named,
      message: 'contains both base and candidate',
      hint: `compare it by itself: spillway compare ${shellWord(named)}`,
    },
  ]);
}
