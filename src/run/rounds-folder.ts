import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../base/index.ts';
import { ROUNDS_FILE, type Rounds, readRounds } from '../report/index.ts';
import { JOURNAL, locateRun, RESULTS } from './results-folder.ts';

/** Runs that were named together: one, or the rounds of a folder. */
export interface NamedRuns {
  /** As the user named them. */
  readonly name: string;
  /** Journals in the order of their rounds. */
  readonly journals: readonly string[];
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
  const file = join(folder, ROUNDS_FILE);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const rounds = readRounds(readFileSync(file, 'utf8'));
  if (rounds) return { folder, rounds };
  throw new ConfigurationError([
    { file, path: '', message: 'is no list of rounds that this version can read', hint: 'run the rounds again' },
  ]);
}

function newestRounds(): string | undefined {
  if (!statSync(RESULTS, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  return readdirSync(RESULTS)
    .map((name) => join(RESULTS, name))
    .flatMap((folder) => {
      const file = statSync(join(folder, ROUNDS_FILE), { throwIfNoEntry: false });
      return file ? [{ folder, born: file.mtimeMs }] : [];
    })
    .sort((a, b) => b.born - a.born)[0]?.folder;
}

/** The runs of one side, in the order of their rounds. */
export function sideOf({ folder, rounds }: RoundsFolder, side: 'base' | 'candidate', name = folder): NamedRuns {
  const runs = rounds.runs.filter((run) => run.side === side).sort((a, b) => a.round - b.round);
  return { name, journals: runs.map((run) => join(folder, ...run.folder.split('/'), JOURNAL)) };
}

/**
 * What one argument of `compare` names: a run, or a folder of rounds of one side.
 * @throws ConfigurationError when it is neither, or rounds of two sides
 */
export function runsNamed(named: string): NamedRuns {
  const rounds = findRounds(named);
  if (!rounds) return { name: named, journals: [locateRun(named).journal] };
  if (rounds.rounds.targets.candidate === undefined) return sideOf(rounds, 'base');
  throw new ConfigurationError([
    { path: named, message: 'holds base and candidate both', hint: `compare it by itself: spillway compare ${named}` },
  ]);
}
