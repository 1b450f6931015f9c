import { ExitCode } from '../base/index.ts';

/** What the command that ran wants the process to exit with; yargs hands no value back. */
export const exitWith: { code: ExitCode } = { code: ExitCode.ok };
