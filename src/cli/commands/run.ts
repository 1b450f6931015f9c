import { type ExitCode, shellWord } from '../../base/index.ts';
import { renderGates, renderSummary, renderVerdictsDocument } from '../../report/index.ts';
import { type RunOutcome, runRounds, runScenario, type Terminal } from '../../run/index.ts';
import { csvFormatsOf } from '../options/csv-format.ts';
import { tellAllowed } from '../options/gate-options.ts';
import { type RunArguments, runSwitches } from '../options/run-switches.ts';
import type { ChosenScenario } from '../options/scenario-options.ts';
import { tellGitHubOfRun } from '../output/github.ts';
import { print, printJson, tell } from '../output/print.ts';
import { forPeople, runTerminal } from '../output/terminal.ts';
import { agreeAll } from './agree.ts';
import type { Command } from './command.ts';
import { showRounds, tellTooFew, type WantedRounds } from './rounds.ts';
import { type ChosenRun, chooseRun } from './run-choices.ts';
import { scenarioNotes } from './scenario-notes.ts';

/** `spillway run SCENARIO` */
export const runCommand: Command<RunArguments> = {
  builder: (yargs) => runSwitches(yargs) as never,
  look: chooseRun,
  handler: async (args) => {
    const { chosen, rounds, workers, pool, dashboard } = await chooseRun(args);
    tellTooFew(rounds);
    for (const note of scenarioNotes(chosen, rounds?.against?.target)) tell(note);
    if (workers < args.workers) tell(`${args.once ? '--once' : '--debug'} uses one worker`);
    await agreeAll(args, chosen, rounds);
    tellAllowed(pool);
    const terminal = await runTerminal(args);
    if (rounds !== undefined) return runAllRounds(args, { chosen, rounds, workers, terminal });
    const outcome = await runScenario({
      ...chosen,
      commandLine: process.argv.slice(2),
      terminal,
      pool,
      csvFormats: csvFormatsOf(args),
      workers,
      out: args.out,
      dashboard,
    });
    show(outcome, chosen, args.json);
    return outcome.exitCode;
  },
};

interface ChosenRounds extends Pick<ChosenRun, 'chosen' | 'workers'> {
  readonly rounds: WantedRounds;
  readonly terminal: Terminal;
}

async function runAllRounds(
  args: RunArguments,
  { chosen, rounds, workers, terminal }: ChosenRounds,
): Promise<ExitCode> {
  const outcome = await runRounds({
    ...chosen,
    ...rounds,
    commandLine: process.argv.slice(2),
    terminal,
    workers,
    csvFormats: csvFormatsOf(args),
    out: args.out,
  });
  showRounds(outcome, args.json);
  if (outcome.defect !== undefined) throw outcome.defect;
  return outcome.exitCode;
}

function show(
  { exported, document, gates, folder, error, invalid, failed }: RunOutcome,
  { target }: ChosenScenario,
  json: boolean,
): void {
  if (json) printJson({ ...exported.summary, gates });
  const { stream, shown } = forPeople(json);
  const table = renderSummary(exported.summary, { folder, target: target ?? 'the embedded sandbox', ...shown });
  const verdicts = renderVerdictsDocument(document, shellWord(folder), {
    columns: stream.columns || undefined,
    brief: true,
    clockRate: exported.summary.run.clockRate,
  });
  print(stream, `${table}\n${verdicts}${renderGates(gates, shown)}`);
  if (error) tell(error.message);
  if (invalid !== undefined) tell(`the run is invalid: ${invalid}`);
  if (failed !== undefined) tell(failed);
  tellGitHubOfRun({ summary: exported.summary, verdicts: document, gates }, stream);
}
