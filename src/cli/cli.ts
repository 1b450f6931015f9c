import yargs from 'yargs';
import { ConfigurationError, ExitCode, SpillwayError } from '../base/index.ts';
import { toolVersion } from '../run/index.ts';
import { exitWith } from './exit.ts';
import { initCommand } from './init.ts';
import { planCommand } from './plan.ts';
import { reportCommand } from './report.ts';
import { runCommand } from './run.ts';
import { sandboxCommand } from './sandbox.ts';

const EXIT_CODES = `Exit codes:
  0    all expectations met
  1    a defect of spillway itself
  10   a limit violation is proven
  11   the run is invalid: nothing answered, or incomplete
  12   the target cannot be reached or refuses the credentials; or the results cannot be written
  99   an expectation or a gate failed
  104  invalid scenario, profile or usage
  105  interrupted; everything recorded is kept
  107  a TypeScript scenario threw`;

/** Runs one command line. @returns the exit code; everything that a person should read has been printed */
export async function runCli(args: readonly string[]): Promise<number> {
  const parser = yargs([...args])
    .scriptName('spillway')
    .usage('$0 <command>\n\nTests how the partner conversation API behaves under load and at its limits.')
    .command(runCommand)
    .command(planCommand)
    .command(reportCommand)
    .command(sandboxCommand)
    .command(initCommand)
    .completion('completion', 'Print a script for shell completion')
    .demandCommand(1, 'Say what to do: spillway run SCENARIO, for example.')
    .recommendCommands()
    .strict()
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new ConfigurationError([{ path: '', message, hint: 'see spillway --help' }]);
    })
    .version(toolVersion)
    .help()
    .alias('help', 'h')
    .wrap(Math.min(100, process.stderr.columns ?? 100))
    .epilogue(EXIT_CODES);
  try {
    await parser.parseAsync();
    return exitWith.code;
  } catch (error) {
    return explain(error);
  }
}

/** Says what went wrong and what to try; a stack only for a defect of the tool. */
function explain(error: unknown): ExitCode {
  if (error instanceof SpillwayError) {
    const heading =
      error instanceof ConfigurationError
        ? `${error.problems.length === 1 ? 'one problem' : `${error.problems.length} problems`}:\n`
        : '';
    process.stderr.write(`spillway: ${heading}${error.message}\n`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`spillway: a defect of the tool itself; please report it with this text:\n${stack}\n`);
  return ExitCode.toolDefect;
}
