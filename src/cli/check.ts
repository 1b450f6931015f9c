import { ExitCode } from '../base/index.ts';
import { renderGates, renderVerdictsDocument } from '../report/index.ts';
import { type CheckOutcome, checkRun, describeReadings, readingsNamed } from '../run/index.ts';
import type { Command } from './commands.ts';
import { exitWith } from './exit.ts';
import { type GateArguments, gatesGiven, tellAllowed, withGates } from './gate-options.ts';
import { print } from './print.ts';
import { printJson } from './print-json.ts';
import { colorsWanted } from './terminal.ts';

interface CheckArguments extends GateArguments {
  readonly run: string;
  readonly declared: readonly string[];
  readonly json: boolean;
}

/** `spillway check RUN` */
export const checkCommand: Command<CheckArguments> = {
  builder: (args) =>
    withGates(args)
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
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print the verdicts, and the gates as their member gates, as JSON on stdout',
      })
      .example('$0 check latest', 'the newest run below results/')
      .example('$0 check results/tour-20261121T120000Z --json', 'verdicts and certificates, for a program')
      .example('$0 check latest --declared sliding-log', 'as if that were what "20 per minute" means')
      .example('$0 check latest --declared rate=unknown', 'what no reading of the rate limit allows')
      .example("$0 check latest --gate 'turn_completion: p(90)<8000'", 'a gate that the scenario does not have')
      .example(
        "$0 check latest --gate 'turn_completion: bound(p(95))<9000' --pool results/a results/b",
        'over three runs',
      )
      .epilogue(
        'Exit code 10: something is proven against the service that its profile does not accept; 11: gates were judged, and the run was invalid; 108 or 99: a gate ended the run, or fails it.',
      ) as never,
  look: gatesGiven,
  handler: (args) => {
    const { document, gates, folder, run, together, pooled } = checkRun(args.run, {
      declared: readingsNamed(args.declared),
      gates: gatesGiven(args),
      pool: { runs: args.pool, allow: args.allow },
    });
    tellAllowed(pooled);
    if (args.json) printJson({ ...document, gates, run });
    const stream = args.json ? process.stderr : process.stdout;
    const shown = { columns: stream.columns || 100, color: colorsWanted(stream) };
    const ofRound = together === undefined ? {} : { together };
    print(
      stream,
      `${renderVerdictsDocument(document, again(args.run === 'latest' ? folder : args.run, args), stream.columns || undefined)}${renderGates(gates, { ...shown, ...ofRound })}`,
    );
    if (run.invalid !== undefined) print(process.stderr, `spillway: the run was invalid: ${run.invalid}\n`);
    if (run.failed !== undefined) print(process.stderr, `spillway: of the run itself: ${run.failed}\n`);
    exitWith.code = codeOf({ document, gates, run });
  },
};

/** What shows these verdicts again: the run as it was named, and what it was held against instead of the profile's readings. */
const again = (run: string, { declared }: Pick<CheckArguments, 'declared'>): string =>
  [run, ...declared.map((reading) => `--declared ${reading}`)].join(' ');

/** Proofs hold whatever became of the run; gates over numbers that are not to be used do not. */
function codeOf({
  document: { proven },
  gates: { gates, passed },
  run,
}: Pick<CheckOutcome, 'document' | 'gates' | 'run'>): ExitCode {
  if (proven.length > 0) return ExitCode.limitViolated;
  if (run.invalid !== undefined && gates.length > 0) return ExitCode.invalidRun;
  if (gates.some(({ stoppedRun }) => stoppedRun)) return ExitCode.abortedByGate;
  return passed ? ExitCode.ok : ExitCode.gateFailed;
}
