import { type ConfigProblem, ConfigurationError, ExitCode, SpillwayError } from '../../base/index.ts';
import { print, spelledOut } from '../output/print.ts';
import { isForeign } from './foreign-error.ts';
import { lockedPath } from './locked-path.ts';
import { isOutOfFiles, OUT_OF_FILES } from './out-of-files.ts';

/** Prints what went wrong and what to try; the stack only for a defect of the tool. @returns the exit code */
export function explain(error: unknown): ExitCode {
  if (error instanceof SpillwayError) {
    const heading = error instanceof ConfigurationError ? `${numberOf(error.problems)}:\n` : '';
    print(process.stderr, spelledOut(`spillway: ${heading}${withoutPasswords(error.message)}\n`));
    return error.exitCode;
  }
  if (isOutOfFiles(error)) {
    print(process.stderr, OUT_OF_FILES);
    return ExitCode.targetUnusable;
  }
  const locked = lockedPath(error);
  if (locked !== undefined) {
    print(process.stderr, spelledOut(locked));
    return ExitCode.invalidConfiguration;
  }
  const stack = spelledOut(withoutCredentials(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  if (isForeign(stack)) {
    print(
      process.stderr,
      `spillway: code of the scenario, or of a module that it imports, threw during the run:\n${stack}\n`,
    );
    return ExitCode.scenarioThrew;
  }
  print(process.stderr, `spillway: this is a defect in spillway itself; please report it with this text:\n${stack}\n`);
  return ExitCode.toolDefect;
}

function numberOf(problems: readonly ConfigProblem[]): string {
  const number = problems.reduce((sum, { count = 1 }) => sum + count, 0);
  return number === 1 ? 'one problem' : `${number} problems`;
}

/**
 * Removes passwords from addresses. Usage errors quote what was typed, and an address may have been typed in the wrong place; as part
 * of a path it has lost a slash.
 */
const withoutPasswords = (text: string): string => text.replace(/\b([a-z][a-z0-9+.-]+:\/+)[^\s/?#]*@/gi, '$1');

/** Redacts credentials: stacks are sent to others, and an error may quote requests or answers. */
const withoutCredentials = (stack: string): string =>
  stack
    .replace(/\b(Bearer|Basic) +[^\s"'\\]+/gi, '$1 [redacted]')
    .replace(/((?:_token|_secret)\\?"\s*:\s*\\?")[^"\\]*/gi, '$1[redacted]');
