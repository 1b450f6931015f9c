import { together as collected, ExitCode, shellWord } from '../../base/index.ts';
import { incompleteText, isOverBudget, renderGates, renderVerdictsDocument } from '../../report/index.ts';
import { type CheckOutcome, checkRun, describeReadings, readingsNamed } from '../../run/index.ts';
import { chooseGates, type GateArguments, tellAllowed, withGates } from '../options/gate-options.ts';
import { flag, texts } from '../options/switches.ts';
import { examples } from '../output/examples.ts';
import { print, printJson, tell } from '../output/print.ts';
import { forPeople } from '../output/terminal.ts';
import type { Command } from './command.ts';

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
        describe: 'Folder of a run, "latest" (the newest below results/), or a journal file',
      })
      .option(
        'declared',
        texts(
          `Interpret a limit by this algorithm ("reading") instead of the profile's; "unknown" tries all of them, of every limit that is not named otherwise. What else of the limit the profile leaves out (its scope, what counts) stays unknown. Write READING or LIMIT=READING; may be repeated, for another limit. ${describeReadings()}`,
        ),
      )
      .option('json', flag('Print the verdicts and the gate results (member "gates") as JSON on stdout'))
      .epilogue(
        examples([
          ['check latest', 'judge the newest run below results/'],
          ['check latest --json', 'verdicts and certificates as JSON'],
          ['check latest --declared sliding-log', 'take "20 per minute" to mean a sliding window log'],
          ['check latest --declared rate=unknown', 'what is proven whichever algorithm the service uses'],
          ["check latest --gate 'turn_completion: p(90)<8000'", 'judge an additional gate'],
          [
            "check latest --gate 'turn_completion: bound(p(95))<9000' --pool results/a results/b",
            'judge a gate over the samples of three runs',
          ],
        ]),
      )
      .epilogue(
        'Exit codes: 10 a violation is proven that the profile does not accept; 11 the run was invalid, or its journal is incomplete; 108 a gate had stopped the run, or its budget was spent; 99 a gate fails, or an expectation failed during the run.',
      ) as never,
  look: chooseJudgement,
  handler: async (args) => {
    const chosen = await chooseJudgement(args);
    const { document, gates, folder, run, together, pooled } = checkRun(args.run, {
      ...chosen,
      pool: { runs: args.pool, allow: args.allow },
    });
    tellAllowed(pooled);
    if (args.json) printJson({ ...document, gates, run });
    const { stream, shown } = forPeople(args.json);
    const words = { columns: stream.columns || undefined, clockRate: run.clockRate };
    print(
      stream,
      `${renderVerdictsDocument(document, again(args.run === 'latest' ? folder : args.run, args), words)}${renderGates(gates, { ...shown, together })}`,
    );
    if (run.invalid !== undefined) tell(`the run was invalid: ${run.invalid}`);
    if (run.failed !== undefined) tell(`during the run: ${run.failed}`);
    if (isOverBudget(run)) tell(`during the run: ${incompleteText(run)}`);
    return codeOf({ document, gates, run });
  },
};

/** @throws ConfigurationError with every problem of the readings, the gates and the names of runs */
async function chooseJudgement(args: CheckArguments) {
  const [declared, gates] = await collected(
    () => readingsNamed(args.declared),
    () => chooseGates(args),
  );
  return { declared, gates };
}

/** The arguments that show these verdicts again: the run and the declared readings. */
const again = (run: string, { declared }: Pick<CheckArguments, 'declared'>): string =>
  [shellWord(run), ...declared.map((reading) => `--declared ${reading}`)].join(' ');

/**
 * The exit code of the run itself, as far as its journal shows. Proofs are valid even for an invalid run; that nothing was found in
 * a part of a run is no pass.
 */
function codeOf({
  document: { proven },
  gates: { gates, passed },
  run,
}: Pick<CheckOutcome, 'document' | 'gates' | 'run'>): ExitCode {
  if (proven.length > 0) return ExitCode.limitViolated;
  if (run.invalid !== undefined) return ExitCode.invalidRun;
  if (gates.some(({ stoppedRun }) => stoppedRun) || isOverBudget(run)) return ExitCode.abortedByGate;
  return passed && run.failed === undefined ? ExitCode.ok : ExitCode.gateFailed;
}
