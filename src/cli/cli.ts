import yargs, { type Argv } from 'yargs';
import {
  type ConfigProblem,
  ConfigurationError,
  ExitCode,
  nearest,
  STANDARD_INPUT,
  toolVersion,
} from '../base/index.ts';
import { inheritedIn, isInherited, mistakesIn } from './arguments/arguments.ts';
import { layNothingOut } from './arguments/lay-nothing-out.ts';
import { loadNamed } from './arguments/load-named.ts';
import { bareSwitch, type Usage, usageProblems } from './arguments/usage.ts';
import { commands, wordOf } from './commands.ts';
import { explain } from './failures/explain.ts';
import { examples, helpWidth } from './output/examples.ts';

const EXIT_CODES = `Exit codes:
  0    all gates passed, all expectations met
  1    a defect in spillway itself
  10   a limit violation or other misbehaviour of the service is proven
  11   the run is invalid: the generator was the bottleneck, nothing was answered or measured, no token was issued, every journey stopped at a text with an unknown value, or the journal is incomplete
  12   the target cannot be reached or refuses the credentials, or the results cannot be written
  99   a gate or an expectation failed, was never checked or had too few samples; or a comparison found a regression
  104  invalid scenario, profile or usage
  105  interrupted; everything recorded so far is kept
  107  a TypeScript scenario threw
  108  stopped by a gate with abortOnFail, or because the profile's budget was spent`;

/** Runs one command line and prints everything, including errors. @returns the exit code */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    const asked = withHelpLast(args);
    const known = asked.filter((arg) => !isInherited(arg));
    return await obey(known.map(fullNameOfInput), inheritedIn(asked));
  } catch (error) {
    return explain(error);
  }
}

/** `help run`, as of git, npm and k6, is `run --help`. */
const withHelpLast = (args: readonly string[]): readonly string[] =>
  args[0] === 'help' && args.length > 1 ? [...args.slice(1), '--help'] : args;

/**
 * Parses the command line and runs the command.
 * @param args without the switches that `known` is about
 * @param known mistakes at which yargs stops parsing or fails
 * @returns the exit code of the command; 0 without one, for example for --help
 * @throws ConfigurationError with every mistake
 */
async function obey(args: readonly string[], known: readonly ConfigProblem[]): Promise<ExitCode> {
  const mistakes = [...known];
  refuseHelpOfNone(args);
  let exitCode: ExitCode = ExitCode.ok;
  let bare: ConfigProblem | undefined;
  const parser = parserOf(args)
    .command(
      await loadNamed(args, mistakes, (code) => {
        exitCode = code;
      }),
    )
    .check((given, known: Parameters<typeof mistakesIn>[2]) => {
      mistakes.push(...mistakesIn(args, given, known));
      return true;
    })
    .fail((message, error, parsing) => {
      // yargs reports wrong usage either as a message or as a YError.
      if (error && error.name !== 'YError') throw error;
      const usage = usageOf(args, parsing);
      bare = bareSwitch(message ?? error.message, usage);
      mistakes.push(...(bare ? [bare] : usageProblems(message ?? error.message, usage)));
      // If the command is clear, yargs continues, so that the values are checked as well and all mistakes reported together.
      if (error || usage.command === undefined || usage.isLate) throw new ConfigurationError(mistakes);
    });
  withCompletion(parser, args);
  try {
    await layNothingOut(parser).parseAsync();
    return exitCode;
  } catch (error) {
    const rest = args.filter((arg, index) => arg !== bare?.path || !isBare(args, index));
    if (bare === undefined || rest.length === args.length) throw error;
    return obey(rest, [...known, bare]);
  }
}

/** A strict parser without commands: what `spillway --help` says besides them. */
const parserOf = (args: readonly string[]) =>
  yargs(args.flatMap(splitAssignment).map(closeDashboard))
    .scriptName('spillway')
    .usage('$0 <command>\n\nTests how the partner conversation API behaves under load and at its limits.')
    .epilogue(
      examples([
        ['run scenarios/tour.yaml', '30 seconds that reach all three limits'],
        ['check latest', 'what the newest run proves about the service'],
        ['init load-tests', 'a starting point for testing your own service'],
      ]),
    )
    .demandCommand(1, 'name a command, for example spillway run scenarios/tour.yaml')
    .strict()
    // Otherwise a dot in the name of a switch turns its value into an object.
    .parserConfiguration({ 'dot-notation': false })
    .exitProcess(false)
    .version(toolVersion)
    .help()
    .alias('help', 'h')
    .wrap(helpWidth())
    .epilogue(EXIT_CODES);

/** Whether a switch is followed by no value. A negative number is a value. */
const isBare = (args: readonly string[], index: number): boolean => /^-[^0-9]|^$/.test(args[index + 1] ?? '');

/** yargs' own completion ignores further arguments. With arguments, a normal command of that name is used, which has help and checks usage. */
function withCompletion(parser: Argv, args: readonly string[]): void {
  const describe = 'Print a script for shell completion';
  if (args[0] !== 'completion' || args.length === 1) {
    parser.completion('completion', describe);
    return;
  }
  parser.command('completion', `${describe} (bash, zsh or fish, chosen by the variable SHELL)`, (command) =>
    command.epilogue(
      examples([
        ['completion >> ~/.bashrc', 'for bash, from the next shell on'],
        ['SHELL=/bin/zsh spillway completion >> ~/.zshrc', 'for zsh'],
        ['SHELL=fish spillway completion > ~/.config/fish/completions/spillway.fish', 'for fish'],
      ]),
    ),
  );
}

/** yargs shows the general help for a command that does not exist. @throws ConfigurationError */
function refuseHelpOfNone(args: readonly string[]): void {
  const others = args.filter((arg) => arg !== '--help' && arg !== '-h');
  const named = commandIn(others);
  const isNone = (named.command === undefined || named.isLate) && !/^(-.*|completion|help)?$/s.test(others[0] ?? '');
  if (isNone && others.length < args.length)
    throw new ConfigurationError(usageProblems('', { ...named, switches: [] }));
}

function commandIn(args: readonly string[]): Omit<Usage, 'switches'> {
  const words = commands.map(wordOf);
  const [first = ''] = args;
  // After a mistyped command, a word that is a command may be the name of a run or folder.
  const meant = words.includes(first) || first.startsWith('-') ? undefined : nearest(first, [...words, 'completion']);
  const word = meant === undefined ? (args.find((arg) => words.includes(arg)) ?? first) : first;
  return { word, isLate: word !== first, command: commands[words.indexOf(word)]?.command, meant };
}

function usageOf(args: readonly string[], parsing: Argv): Usage {
  // yargs passes the usage instance of the parsed command, although its type is that of the parser.
  const described = (parsing as unknown as { getDescriptions(): Readonly<Record<string, unknown>> }).getDescriptions();
  const switches = Object.keys(described).filter((name) => name.length > 1 && !/[A-Z]/.test(name));
  return { ...commandIn(args), switches };
}

/** Splits `-eNAME=VALUE` into `-e NAME=VALUE`; yargs would parse each letter of the name as a switch. */
const splitAssignment = (arg: string): string[] =>
  /^-e[A-Za-z_]\w*=/.test(arg) ? ['-e', arg.slice('-e'.length)] : [arg];

/** `--dashboard` takes an optional number. Closes it otherwise, so that yargs does not take the scenario as its value. */
const closeDashboard = (arg: string, index: number, args: readonly string[]): string =>
  arg === '--dashboard' && !/^\d+$/.test(args[index + 1] ?? '') ? '--dashboard=' : arg;

/** yargs takes a lone hyphen for a switch without a name. */
const fullNameOfInput = (arg: string): string => (arg === '-' ? STANDARD_INPUT : arg);
