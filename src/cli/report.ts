import type { CommandModule } from 'yargs';
import { journalWarnings, renderGates, renderSummary } from '../report/index.ts';
import { reportRun } from '../run/index.ts';
import { type GateArguments, gatesGiven, withGates } from './gate-options.ts';
import { colorsWanted } from './terminal.ts';

interface ReportArguments extends GateArguments {
  readonly run: string;
  readonly out?: string | undefined;
  readonly json: boolean;
}

/** `spillway report RUN` */
export const reportCommand: CommandModule<object, ReportArguments> = {
  builder: (args) =>
    withGates(args)
      .positional('run', {
        type: 'string',
        demandOption: true,
        describe: 'Folder of a run, "latest", or a journal file',
      })
      .option('out', { requiresArg: true, type: 'string', describe: "Folder for the exports; default the run's own" })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print the summary, and the gates as its member gates, as JSON on stdout',
      })
      .example('$0 report latest', 'the newest run below results/')
      .example('$0 report results/tour-20261121T120000Z --json', 'its summary, for a program')
      .example('$0 report crashed/history.ndjson', 'what a crash left') as never,
  handler: async (args) => {
    const { folder, exported, gates } = await reportRun(args.run, {
      gates: gatesGiven(args),
      pool: args.pool,
      ...(args.out === undefined ? {} : { out: args.out }),
    });
    if (args.json) process.stdout.write(`${JSON.stringify({ ...exported.summary, gates })}\n`);
    const stream = args.json ? process.stderr : process.stdout;
    const shown = { columns: stream.columns ?? 100, color: colorsWanted(stream) };
    stream.write(`${renderSummary(exported.summary, { folder, ...shown })}${renderGates(gates, shown)}`);
    for (const warning of journalWarnings(exported.journal)) process.stderr.write(`spillway: ${warning}\n`);
  },
};
