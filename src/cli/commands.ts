import type { CommandModule } from 'yargs';

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
