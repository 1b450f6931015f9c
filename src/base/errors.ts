/** The command's exit codes (design.md section 6); 99 to 108 have the same meanings as in k6. */
export const ExitCode = {
  ok: 0,
  toolDefect: 1,
  limitViolated: 10,
  invalidRun: 11,
  targetUnusable: 12,
  gateFailed: 99,
  invalidConfiguration: 104,
  interrupted: 105,
  scenarioThrew: 107,
  abortedByGate: 108,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An expected error: it has a stable `code`, an exit code, and a message that says what to try. */
export class SpillwayError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;

  /** @param code stable, upper case with underscores; match on this, never on the message */
  constructor(code: string, message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SpillwayError';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** One thing wrong in a file or on the command line. */
export interface ConfigProblem {
  /** The file as the user named it; absent for the command line. */
  readonly file?: string;
  /** 1-based; absent if the position is unknown (values of a TypeScript scenario). */
  readonly line?: number;
  readonly column?: number;
  /** Path within the document: `journeys.ask.steps[2].sendMessage.message`. Empty for the whole document. */
  readonly path: string;
  /** Without a full stop. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
  /** How many problems it stands for, if it says that there are more than those listed. Default 1. */
  readonly count?: number;
}

/** Levels of lists and maps. Whatever walks a document recurses, and the stack ends at some thousand levels; in the YAML library at fewer. */
export const DEEPEST = 500;

/** What is wrong with a document that has more. */
export const TOO_DEEP = {
  message: 'is nested too deeply to be read',
  hint: `nest lists and maps at most ${DEEPEST} levels deep`,
} as const satisfies Pick<ConfigProblem, 'message' | 'hint'>;

/** `scenarios/a.yaml:12:5 journeys.ask.weight: must be above 0; try "weight: 1"` */
export function formatProblem(problem: ConfigProblem): string {
  const position = problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`;
  const where = [problem.file === undefined ? '' : `${problem.file}${position}`, problem.path].filter(
    (part) => part !== '',
  );
  const hint = problem.hint === undefined ? '' : `; ${problem.hint}`;
  return `${where.join(' ')}${where.length > 0 ? ': ' : ''}${problem.message}${hint}`;
}

/** All problems of a configuration together; exit code 104. */
export class ConfigurationError extends SpillwayError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super('INVALID_CONFIGURATION', problems.map(formatProblem).join('\n'), ExitCode.invalidConfiguration);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

type Checks = readonly (() => unknown)[];

/**
 * Runs checks one after another, so that the problems of all are reported together.
 * @returns the results of the checks, in order
 * @throws ConfigurationError with the problems of all checks; any other error of a check, immediately
 */
export async function together<C extends Checks>(...checks: C): Promise<{ [K in keyof C]: Awaited<ReturnType<C[K]>> }> {
  let problems: readonly ConfigProblem[] = [];
  const results: unknown[] = [];
  for (const check of checks) {
    try {
      results.push(await check());
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      // Not spread into a call: there may be one for each of a hundred thousand steps.
      problems = [...problems, ...error.problems];
    }
  }
  if (problems.length > 0) throw new ConfigurationError(uniqueOf(problems));
  return results as { [K in keyof C]: Awaited<ReturnType<C[K]>> };
}

/** Without duplicates: several checks may find the same problem. */
export const uniqueOf = (problems: readonly ConfigProblem[]): ConfigProblem[] => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
];

/**
 * The candidate nearest to a mistyped word, for "did you mean …?".
 * @returns `undefined` if every candidate is more than a third of the word's length away (allowed are always 2 edits, of up to four letters 1)
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const allowed = word.length < 5 ? 1 : Math.max(2, Math.floor(word.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= allowed ? best.candidate : undefined;
}

/** Levenshtein distance, in which two letters in the wrong order are one edit (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : substitution;
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution, swap));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

const NOT_READ: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENOENT: 'no such file',
  ENOTDIR: 'a file stands where a folder should be',
  EPERM: 'permission denied',
};

const LOCKED = 'check its permissions and those of the folders above it';

/**
 * Why the system did not read a file, in words (`cannot be read: permission denied`; its own message if there are none), and what to
 * do about it.
 * @param hint what to do unless the user may not read it
 */
export function whyNotRead(error: unknown, hint: string): { readonly message: string; readonly hint: string } {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = NOT_READ[code];
  return { message: `cannot be read: ${reason ?? message}`, hint: reason === NOT_READ.EACCES ? LOCKED : hint };
}
