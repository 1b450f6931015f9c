import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigurationError,
  ExitCode,
  nearest,
  nearestBeside,
  SpillwayError,
  statIfThere,
  whyNotWritten,
} from '../../base/index.ts';
import { ROUNDS_FILE } from '../../report/index.ts';
import { makeFolder, notWritable } from '../disk.ts';
import { isOfRounds, listOf, runsBelow, unfinished } from '../rounds/rounds-state.ts';

/** Folder of all runs, relative to the working directory. */
const RESULTS = 'results';
export const JOURNAL = 'history.ndjson';

/** The folder of a run. */
export interface ResultsFolder {
  readonly path: string;
  /** False: it existed before the run and is never deleted. */
  readonly isNew: boolean;
}

/**
 * Creates the folder of a run: `results/<scenario>-<UTC time>`, or the one that the user names, which must be new or empty.
 * @throws SpillwayError RESULTS_NOT_WRITABLE or RESULTS_NOT_EMPTY (exit 12)
 */
export function createResultsFolder(scenario: string, startedAt: Date, out: string | undefined): ResultsFolder {
  const stamp = startedAt.toISOString().replace(/[-:]|\.\d+/g, '');
  try {
    if (out !== undefined) return createNamed(out);
    for (let attempt = 1; ; attempt++) {
      const folder = join(RESULTS, `${scenario}-${stamp}${attempt === 1 ? '' : `-${attempt}`}`);
      makeFolder(RESULTS);
      if (createNew(folder)) return { path: folder, isNew: true };
    }
  } catch (error) {
    if (error instanceof SpillwayError) throw error;
    const why = whyNotWritten(error);
    throw notWritable(`the results folder cannot be written: ${why}; choose another with --out`, error);
  }
}

function createNew(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function createNamed(folder: string): ResultsFolder {
  const isNew = makeFolder(folder);
  requireUnused(folder);
  return { path: folder, isNew };
}

/**
 * Checks that a folder is new or empty, before the user is asked to confirm the price. Other problems are reported when the folder
 * is created.
 * @throws SpillwayError RESULTS_NOT_EMPTY (exit 12)
 */
export function checkUnused(folder: string): void {
  try {
    if (existsSync(folder)) requireUnused(folder);
  } catch (error) {
    if (error instanceof SpillwayError) throw error;
  }
}

/** @throws SpillwayError RESULTS_NOT_EMPTY (exit 12) */
function requireUnused(folder: string): void {
  if (readdirSync(folder).length > 0) {
    throw new SpillwayError(
      'RESULTS_NOT_EMPTY',
      `${folder} is not empty, and a run never overwrites files; name another folder`,
      ExitCode.targetUnusable,
    );
  }
}

/** Removes the folder of a run that recorded nothing; if it existed before, only its content. Never throws. */
export function removeResultsFolder({ path, isNew }: ResultsFolder): void {
  try {
    for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
    if (isNew) rmdirSync(path);
  } catch {
    // The caller reports the error that led here; a left-over folder is less important.
  }
}

/** Removes empty folders in order, until one of them cannot be removed. Never throws. */
export function removeEmptyFolders(...folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // It is not empty, or does not exist.
  }
}

/** A run on disk. */
export interface RunLocation {
  readonly folder: string;
  readonly journal: string;
}

/**
 * Finds a run: a folder, `latest` (the newest below results/), or a journal file.
 * @throws ConfigurationError if it is not a run
 */
export function locateRun(run: string): RunLocation {
  const folder = run === 'latest' ? latest() : run;
  const stats = statIfThere(folder);
  if (stats?.isFile()) return { folder: join(folder, '..'), journal: folder };
  const journal = join(folder, JOURNAL);
  // Otherwise the error names a file in it that the user did not mention.
  if (stats?.isDirectory()) accessSync(folder, constants.X_OK);
  if (stats?.isDirectory() && isOfRounds(folder)) throw ofRounds(run, folder);
  if (stats?.isDirectory() && statIfThere(journal)?.isFile()) return { folder, journal };
  const isSpecial = stats !== undefined && !stats.isDirectory();
  throw new ConfigurationError([{ path: run, ...(isSpecial ? readOnce : noJournal(run, journal)) }]);
}

const readOnce = {
  message: 'is not a run: neither a folder nor a file',
  hint: 'a journal is read more than once: write what a pipe delivers into a file',
};

const noJournal = (run: string, journal: string) => ({
  message: `is not a run: ${journal} does not exist`,
  hint: meant(run) ?? 'name a folder below results/, "latest", or a journal file',
});

/** Checks a name before anything is read. @throws ConfigurationError if it is not a run */
export const requireRun = (run: string): void => void locateRun(run);

/** What a mistyped name of a run resembles. */
function meant(run: string): string | undefined {
  const near = nearest(run, ['latest']) ?? (statIfThere(run) ? undefined : nearestBeside(run));
  return near === undefined ? undefined : `did you mean ${near}?`;
}

/** The error for a folder of rounds where a run is expected. @param named the name that the user typed */
function ofRounds(named: string, folder: string): ConfigurationError {
  const list = listOf(folder);
  const state = list && (list.brokenOff === undefined ? unfinished(list) : `were broken off: ${list.brokenOff}`);
  const what = `is a folder of rounds${state === undefined ? '' : ` that ${state}`}`;
  const message = named === folder ? what : `${folder} ${what}`;
  const [run] = runsBelow(folder, JOURNAL);
  const ways = [
    ...(run === undefined ? ['none of them is recorded: run them again'] : [`name one of its runs, such as ${run}`]),
    ...(existsSync(join(folder, 'summary.md')) ? ['the results of all of them are in its summary.md'] : []),
  ];
  return new ConfigurationError([{ path: named, message, hint: ways.join('; ') }]);
}

function latest(): string {
  const newest = newestResult((folder) => {
    const journal = statIfThere(join(folder, isOfRounds(folder) ? ROUNDS_FILE : JOURNAL));
    return journal && (journal.birthtimeMs || journal.mtimeMs);
  });
  if (newest !== undefined) return newest;
  throw new ConfigurationError([
    {
      path: 'latest',
      message: `there is no run below ${RESULTS}/`,
      hint: 'run a scenario first: spillway run scenarios/tour.yaml',
    },
  ]);
}

/** The newest folder below results/, if any. @param timeOf ms; undefined leaves the folder out */
export function newestResult(timeOf: (folder: string) => number | undefined): string | undefined {
  const names = statIfThere(RESULTS)?.isDirectory() ? readdirSync(RESULTS) : [];
  const folders = names.map((name) => join(RESULTS, name)).map((folder) => ({ folder, time: timeOf(folder) }));
  const dated = folders.filter(({ time }) => time !== undefined);
  return dated.sort((a, b) => (b.time ?? 0) - (a.time ?? 0))[0]?.folder;
}
