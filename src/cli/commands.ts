import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import { type ConfigProblem, ConfigurationError, together } from '../base/index.ts';
import { eachOnce } from './arguments.ts';

/** A command as yargs takes it, and what else it has to say of a command line that is wrong already. */
export type Command<T = object> = CommandModule<object, T> & {
  /** Looks at every value without doing anything. @throws ConfigurationError with every problem */
  readonly look?: (args: T) => unknown;
};

interface Entry {
  /** Its word and positional arguments, as yargs reads them. */
  readonly command: string;
  readonly describe: string;
  /** Its switches and what it does. */
  readonly load: () => Promise<Command>;
}

/** Every command, in the order of the help. */
export const commands: readonly Entry[] = [
  {
    command: 'run <scenario>',
    describe: 'Run a scenario, record everything, measure and export it',
    load: async () => (await import('./run.ts')).runCommand as Command,
  },
  {
    command: 'plan <scenario>',
    describe: 'Print what a scenario will send and what it costs at the limits; sends nothing',
    load: async () => (await import('./plan.ts')).planCommand as Command,
  },
  {
    command: 'check <run>',
    describe:
      'Judge a run from its journal: prove which limits were broken, tell what else the service did wrong, and judge its gates',
    load: async () => (await import('./check.ts')).checkCommand as Command,
  },
  {
    command: 'report <run>',
    describe: 'Rebuild every export of a run from its journal, report.html among them, and print the table',
    load: async () => (await import('./report.ts')).reportCommand as Command,
  },
  {
    command: 'compare <base> [candidates..]',
    describe: 'Tell whether runs are worse than other runs, rounds being the unit',
    load: async () => (await import('./compare.ts')).compareCommand as Command,
  },
  {
    command: 'sandbox',
    describe: 'Serve the embedded sandbox of the partner conversation API',
    load: async () => (await import('./sandbox.ts')).sandboxCommand as Command,
  },
  {
    command: 'calibrate',
    describe: 'Measure what this machine can generate and how precisely it can pace; sends to itself only',
    load: async () => (await import('./calibrate.ts')).calibrateCommand as Command,
  },
  {
    command: 'init [folder]',
    describe: 'Write a scenario, a target profile and a CI workflow to start from',
    load: async () => (await import('./init.ts')).initCommand as Command,
  },
];

export const wordOf = ({ command }: Entry): string => command.split(' ')[0] ?? '';

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
