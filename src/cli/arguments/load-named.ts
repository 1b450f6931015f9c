import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { type ConfigProblem, ConfigurationError, type ExitCode, together } from '../../base/index.ts';
import { commands, wordOf } from '../commands.ts';
import { eachOnce, withoutEmpty } from './arguments.ts';

/**
 * The commands for yargs. Only commands that the command line names are loaded completely, because loading the rooms and libraries of
 * all takes half a second. Not done by `import()` in a builder, because completion does not await builders.
 * @param mistakes those found until the handler is called, which then fails with them instead of running the command
 * @param ended told the command's exit code, because yargs does not return what a handler returns
 */
export function loadNamed(
  args: readonly string[],
  mistakes: readonly ConfigProblem[],
  ended: (exitCode: ExitCode) => void,
): Promise<CommandModule[]> {
  return Promise.all(
    commands.map(async (one) => {
      const { command, describe } = one;
      if (!args.includes(wordOf(one))) return { command, describe, handler: () => undefined };
      const { look, ...module } = await one.load();
      const handler = async (given: ArgumentsCamelCase) => {
        if (mistakes.length === 0) return ended(await module.handler(given));
        const known = withoutEmpty(eachOnce(given));
        throw await allMistakes(mistakes, known, look && hasAll(command, known) ? () => look(known) : () => undefined);
      };
      return { ...module, command, describe, handler } as CommandModule;
    }),
  );
}

const hasAll = (command: string, given: Readonly<Record<string, unknown>>): boolean =>
  [...command.matchAll(/<(\w+)>/g)].every(([, name = '']) => given[name] !== undefined);

/** All problems of the command line and of its values. */
async function allMistakes(
  mistakes: readonly ConfigProblem[],
  given: Readonly<Record<string, unknown>>,
  look: () => unknown,
): Promise<ConfigurationError> {
  const known = new ConfigurationError(mistakes);
  const all = await together(
    () => Promise.reject(known),
    async () => look(),
  ).catch((error: unknown) => error);
  // Mistakes of the command line take precedence over other errors, such as a scenario that throws, and over what a value that was
  // mistaken looks like; other values of a list were not.
  if (!(all instanceof ConfigurationError)) return known;
  const hasOthers = (path: string) => {
    const values = given[path.replace(/^--?/, '')];
    return Array.isArray(values) && values.length > 0;
  };
  const isMistaken = ({ path }: ConfigProblem) =>
    path !== '' && !hasOthers(path) && mistakes.some((mistake) => mistake.path.replace(/^--no-/, '--') === path);
  return new ConfigurationError(all.problems.filter((one) => mistakes.includes(one) || !isMistaken(one)));
}
