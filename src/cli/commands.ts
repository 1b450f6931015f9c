import type { CommandModule } from 'yargs';

interface Command {
  /** Its word and positional arguments, as yargs reads them. */
  readonly command: string;
  readonly describe: string;
  /** Its switches and what it does. */
  readonly load: () => Promise<CommandModule>;
}

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  {
    command: 'run <scenario>',
    describe: 'Run a scenario, record everything, measure and export it',
    load: async () => (await import('./run.ts')).runCommand as CommandModule,
  },
  {
    command: 'plan <scenario>',
    describe: 'Print what a scenario will send and what it costs at the limits; sends nothing',
    load: async () => (await import('./plan.ts')).planCommand as CommandModule,
  },
  {
    command: 'check <run>',
    describe:
      'Judge a run from its journal: prove which limits were broken, tell what else the service did wrong, and judge its gates',
    load: async () => (await import('./check.ts')).checkCommand as CommandModule,
  },
  {
    command: 'report <run>',
    describe: 'Rebuild every export of a run from its journal, report.html among them, and print the table',
    load: async () => (await import('./report.ts')).reportCommand as CommandModule,
  },
  {
    command: 'compare <base> [candidates..]',
    describe: 'Tell whether runs are worse than other runs, rounds being the unit',
    load: async () => (await import('./compare.ts')).compareCommand as CommandModule,
  },
  {
    command: 'sandbox',
    describe: 'Serve the embedded sandbox of the partner conversation API',
    load: async () => (await import('./sandbox.ts')).sandboxCommand as CommandModule,
  },
  {
    command: 'calibrate',
    describe: 'Measure what this machine can generate and how precisely it can pace; sends to itself only',
    load: async () => (await import('./calibrate.ts')).calibrateCommand as CommandModule,
  },
  {
    command: 'init [folder]',
    describe: 'Write a scenario, a target profile and a CI workflow to start from',
    load: async () => (await import('./init.ts')).initCommand as CommandModule,
  },
];

export const wordOf = ({ command }: Command): string => command.split(' ')[0] ?? '';

/**
 * The commands for yargs, those whole that the command line names: each brings rooms and libraries of its own, which take half a
 * second to load all together. Not `import()` within a builder: completion runs builders without waiting for them.
 */
export function loadNamed(args: readonly string[]): Promise<CommandModule[]> {
  return Promise.all(
    commands.map(async (one) => {
      const { command, describe } = one;
      const module = args.includes(wordOf(one)) ? await one.load() : { handler: () => undefined };
      return { ...module, command, describe };
    }),
  );
}
