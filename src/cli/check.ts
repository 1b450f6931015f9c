import type { CommandModule } from 'yargs';
import { ExitCode } from '../base/index.ts';
import { renderVerdictsDocument } from '../report/index.ts';
import { checkRun, describeReadings, readingsNamed } from '../run/index.ts';
import { exitWith } from './exit.ts';

interface CheckArguments {
  readonly run: string;
  readonly declared: readonly string[];
  readonly json: boolean;
}

/** `spillway check RUN` */
export const checkCommand: CommandModule<object, CheckArguments> = {
  builder: (args) =>
    args
      .positional('run', {
        type: 'string',
        demandOption: true,
        describe: 'Folder of a run, "latest", or a journal file',
      })
      .option('declared', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [] as string[],
        describe: `Judge by this reading instead of the profile's, "unknown" for all of them; READING or LIMIT=READING. ${describeReadings()}`,
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print the verdicts as JSON on stdout' })
      .example('$0 check latest', 'the newest run below results/')
      .example('$0 check results/tour-20261121T120000Z --json', 'verdicts and certificates, for a program')
      .example('$0 check latest --declared sliding-log', 'as if that were what "20 per minute" means')
      .example('$0 check latest --declared rate=unknown', 'what no reading of the rate limit allows')
      .epilogue('Exit code 10: something is proven against the service that its profile does not accept.') as never,
  handler: (args) => {
    const { document, folder } = checkRun(args.run, { declared: readingsNamed(args.declared) });
    if (args.json) process.stdout.write(`${JSON.stringify(document)}\n`);
    const stream = args.json ? process.stderr : process.stdout;
    stream.write(renderVerdictsDocument(document, folder, stream.columns || undefined));
    exitWith.code = document.proven.length > 0 ? ExitCode.limitViolated : ExitCode.ok;
  },
};
