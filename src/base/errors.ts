/** The command's exit codes (design.md section 6); 99 to 108 have the meanings that k6 gave them. */
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

/** An error that we foresaw: it has a stable `code`, the exit code it leads to, and a message that says what to try. */
export class SpillwayError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;

  /** @param code stable, upper case with underscores: match on it, never on the message */
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
  /** 1-based; absent where the file has no position for it (a TypeScript scenario's value). */
  readonly line?: number;
  readonly column?: number;
  /** Where in the document: `journeys.ask.steps[2].sendMessage.message`. Empty for the whole. */
  readonly path: string;
  /** What is wrong, without a full stop. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
}

/** `scenarios/a.yaml:12:5 journeys.ask.weight: must be above 0; try "weight: 1"` */
export function formatProblem(problem: ConfigProblem): string {
  const position = problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`;
  const where = [problem.file === undefined ? '' : `${problem.file}${position}`, problem.path].filter(
    (part) => part !== '',
  );
  const hint = problem.hint === undefined ? '' : `; ${problem.hint}`;
  return `${where.join(' ')}${where.length > 0 ? ': ' : ''}${problem.message}${hint}`;
}

/** Every problem of a configuration at once; exit code 104. */
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
 * Runs checks one after the other, so that all they find wrong is told at once.
 * @returns what each of them gives
 * @throws ConfigurationError with the problems of all; whatever else one throws ends it there
 */
export async function together<C extends Checks>(...checks: C): Promise<{ [K in keyof C]: Awaited<ReturnType<C[K]>> }> {
  const problems: ConfigProblem[] = [];
  const given: unknown[] = [];
  for (const check of checks) {
    try {
      given.push(await check());
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(uniqueOf(problems));
  return given as { [K in keyof C]: Awaited<ReturnType<C[K]>> };
}

/** Several checks may meet the same fault; it is told once. */
export const uniqueOf = (problems: readonly ConfigProblem[]): ConfigProblem[] => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
];

/**
 * The candidate nearest to a mistyped word, for "did you mean …?".
 * @returns `undefined` when none is nearer than a third of the word's length (at least 2 edits are allowed).
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const allowed = Math.max(2, Math.floor(word.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= allowed ? best.candidate : undefined;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
