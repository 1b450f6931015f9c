import type { Command } from './commands/command.ts';

interface Entry {
  /** Its name and positional arguments, in the syntax of yargs. */
  readonly command: string;
  readonly describe: string;
  /** Loads its switches and its handler. */
  readonly load: () => Promise<Command>;
}

/** All commands in the order of the help. */
export const commands: readonly Entry[] = [
  {
    command: 'run <scenario>',
    describe: 'Run a scenario: send its load, record every exchange, and write the results',
    load: async () => (await import('./commands/run.ts')).runCommand as Command,
  },
  {
    command: 'plan <scenario>',
    describe: 'Print what a scenario would send and how much of the limits it would use; sends nothing',
    load: async () => (await import('./commands/plan.ts')).planCommand as Command,
  },
  {
    command: 'check <run>',
    describe:
      'Judge a run from its journal: which limits the service broke, with proof, what else it did wrong, and whether the gates pass',
    load: async () => (await import('./commands/check.ts')).checkCommand as Command,
  },
  {
    command: 'report <run>',
    describe: 'Rebuild all result files of a run, report.html included, from its journal, and print the summary',
    load: async () => (await import('./commands/report.ts')).reportCommand as Command,
  },
  {
    command: 'compare <base> [candidates..]',
    describe: 'Compare runs with a baseline, round by round, and say whether they are worse',
    load: async () => (await import('./commands/compare.ts')).compareCommand as Command,
  },
  {
    command: 'sandbox',
    describe: 'Serve the embedded sandbox of the partner conversation API',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand as Command,
  },
  {
    command: 'calibrate',
    describe: 'Measure how many requests this machine can send and how precisely it keeps a rate; sends only to itself',
    load: async () => (await import('./commands/calibrate.ts')).calibrateCommand as Command,
  },
  {
    command: 'init [folder]',
    describe: 'Create a scenario, a target profile and a CI workflow to start from',
    load: async () => (await import('./commands/init.ts')).initCommand as Command,
  },
];

export const wordOf = ({ command }: Entry): string => command.split(' ')[0] ?? '';
