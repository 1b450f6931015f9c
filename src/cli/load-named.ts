import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { type ConfigProblem, ConfigurationError, together } from '../base/index.ts';
import { eachOnce } from './arguments.ts';
import { commands, wordOf } from './commands.ts';

/**
 * The commands for yargs, those whole that the command line names: each brings rooms and libraries of its own, which take half a
 * second to load all together. Not `import()` within a builder: completion runs builders without waiting for them.
 */
export function loadNamed(args: readonly string[], mistakes: readonly ConfigProblem[]): Promise<CommandModule[]> {
  return Promise.all(
    commands.map(async (one) => {
      const { command, describe } = one;
      if (!args.includes(wordOf(one))) return { command, describe, handler: () => undefined };
      const { look, ...module } = await one.load();
      const handler = async (given: ArgumentsCamelCase) => {
        if (mistakes.length === 0) return module.handler(given);
        throw await allMistakes(
          mistakes,
          look && hasAll(command, given) ? () => look(eachOnce(given)) : () => undefined,
        );
      };
      return { ...module, command, describe, handler } as CommandModule;
    }),
  );
}

const hasAll = (command: string, given: Readonly<Record<string, unknown>>): boolean =>
  [...command.matchAll(/<(\w+)>/g)].every(([, name = '']) => given[name] !== undefined);

/** What is wrong with the command line, and with the values on it. */
async function allMistakes(mistakes: readonly ConfigProblem[], look: () => unknown): Promise<ConfigurationError> {
  const known = new ConfigurationError(mistakes);
  const all = await together(
    () => Promise.reject(known),
    async () => look(),
  ).catch((error: unknown) => error);
  // A scenario that throws, or a service that is not there, comes second to a command line that is wrong.
  return all instanceof ConfigurationError ? all : known;
}
