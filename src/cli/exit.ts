import { ExitCode } from '../base/index.ts';

/** The exit code that the command sets. A variable, because yargs does not return values. */
export const exitWith: { code: ExitCode } = { code: ExitCode.ok };
