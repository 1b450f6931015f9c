import { type LimitName, limitNames } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError, nearest } from '../../base/index.ts';
import { isReadingOf, type JudgeOptions, limitsWithReading, readingNames } from '../../check/index.ts';
import { measure } from '../../collect/index.ts';
import type { GatesDocument } from '../../gates/index.ts';
import { readJournalSync } from '../../history/index.ts';
import type { Gate } from '../../metrics/index.ts';
import type { VerdictsDocument } from '../../report/index.ts';
import { failedBecause } from '../exit-code.ts';
import { judgedTogether } from '../rounds/rounds-state.ts';
import { invalidBecause } from '../validity.ts';
import { checkLabels, gateFold } from './gate-fold.ts';
import { judgeJournal } from './judge-journal.ts';
import { openPool, type PooledRun, type PoolWanted } from './pool.ts';
import { headerOf } from './read-header.ts';
import { locateRun, type RunLocation } from './results-folder.ts';

export interface CheckOutcome extends RunLocation {
  readonly document: VerdictsDocument;
  readonly gates: GatesDocument;
  /** Runs that were judged with it. */
  readonly pooled: readonly PooledRun[];
  /** For a round: where its gates are judged, or why they are not; without a full stop. */
  readonly together?: string;
  /** The result of the run itself, beside the gates; sentences without a full stop. */
  readonly run: {
    /** Why its numbers must not be used; absent if they may. */
    readonly invalid?: string;
    /** Why it still failed, apart from gates; absent if it did not. */
    readonly failed?: string;
    /** Why its history is incomplete; absent if it is complete. */
    readonly incompleteBecause?: string;
    /** Service seconds per run second, of a clock that runs visibly faster or slower; absent otherwise. */
    readonly clockRate?: number;
  };
}

export interface CheckOptions extends JudgeOptions {
  /** Gates beside those of the run. */
  readonly gates?: readonly Gate[];
  /** Runs to judge the gates together with. */
  readonly pool?: PoolWanted;
}

/**
 * Judges a run's journal; changes nothing on the disk.
 * @param run a folder, `latest`, or a journal file
 * @throws ConfigurationError if there is no such run, or the journal cannot be judged
 * @throws SpillwayError CERTIFICATE_INVALID (exit 1): a proof did not hold, and nothing is accused
 */
export function checkRun(run: string, { gates = [], pool = { runs: [] }, ...options }: CheckOptions): CheckOutcome {
  const location = locateRun(run);
  const { journal } = location;
  const header = headerOf(journal);
  checkLabels(gates, header);
  const pooled = openPool(pool, header);
  const fold = gateFold({ gates, pool: pooled });
  const document = judgeJournal(journal, options);
  const measurements = measure();
  for (const record of readJournalSync(journal)) {
    fold.add(record);
    measurements.add(record);
  }
  const summary = measurements.summary();
  const invalid = invalidBecause(summary);
  // That nothing was checked says no more than that the run is invalid.
  const failed = invalid === undefined || summary.expectations.unmet > 0 ? failedBecause(summary) : undefined;
  const { clockRate, incompleteBecause } = summary.run;
  const judged = fold.judge(document);
  const together = judgedTogether(location.folder, judged);
  return {
    ...location,
    document,
    gates: judged,
    pooled,
    ...(together !== undefined && { together }),
    run: {
      ...(invalid !== undefined && { invalid }),
      ...(failed !== undefined && { failed }),
      ...(incompleteBecause !== undefined && { incompleteBecause }),
      ...(clockRate !== undefined && { clockRate }),
    },
  };
}

const UNKNOWN = 'unknown';

/**
 * Parses readings as typed: `sliding-log`, or `rate=sliding-log`; `rate=unknown` for none of them, `unknown` for none of any limit that
 * no other word names.
 * @throws ConfigurationError for every name that is no reading of its limit, and for a second reading of one limit
 */
export function readingsNamed(words: readonly string[]): NonNullable<JudgeOptions['declared']> {
  const declared: Partial<Record<LimitName, string>> = {};
  const problems: ConfigProblem[] = [];
  for (const word of words.filter((one) => one !== UNKNOWN)) {
    const [first = '', ...rest] = word.split('=');
    const name = rest.length === 0 ? first : rest.join('=');
    const isGiven = (limit: LimitName) => limit === first && (name === UNKNOWN || isReadingOf(limit, name));
    const wanted = rest.length === 0 ? limitsWithReading(name) : limitNames.filter(isGiven);
    if (wanted.length === 0) problems.push(noReading(word, rest.length === 0 ? undefined : first, name));
    if (wanted.length > 1) problems.push(ofSeveral(word, wanted));
    for (const limit of wanted) {
      const before = declared[limit];
      if (wanted.length === 1 && before !== undefined && before !== name) problems.push(twoOf(limit, before, name));
      declared[limit] = name;
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  const others = words.includes(UNKNOWN) ? limitNames.map((limit) => [limit, UNKNOWN]) : [];
  return { ...Object.fromEntries(others), ...declared };
}

const twoOf = (limit: LimitName, one: string, other: string): ConfigProblem => ({
  path: '--declared',
  message: `gives the ${limit} limit two readings, ${one} and ${other}`,
  hint: 'give each limit only one',
});

const ofSeveral = (word: string, limits: readonly LimitName[]): ConfigProblem => ({
  path: '--declared',
  message: `"${word}" names a reading of ${limits.join(' and of ')}`,
  hint: `write ${limits.map((limit) => `${limit}=${word}`).join(' or ')}`,
});

function noReading(word: string, limit: string | undefined, name: string): ConfigProblem {
  const known = limitNames.find((one) => one === limit);
  if (limit !== undefined && known === undefined) {
    const message = `"${limit}" is no limit`;
    return { path: '--declared', message, hint: `write ${limitNames.join(', ')}` };
  }
  const names = known === undefined ? limitNames.flatMap(readingNames) : readingNames(known);
  const near = nearest(name, names);
  return {
    path: '--declared',
    message: `"${word}" names no reading${known === undefined ? '' : ` of the ${known} limit`}`,
    hint: near === undefined ? `known are ${[...names, UNKNOWN].join(', ')}` : `did you mean ${near}?`,
  };
}

/** Every reading by its limit, for help. */
export const describeReadings = (): string =>
  limitNames.map((limit) => `${limit}: ${readingNames(limit).join(', ')}`).join('; ');
