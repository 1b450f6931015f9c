import { transportChoices } from '../api/index.ts';
import { renderGates, renderSummary, renderVerdictsDocument } from '../report/index.ts';
import {
  DASHBOARD_PORT,
  type RunOutcome,
  runRounds,
  runScenario,
  type Terminal,
  undeclaredLimits,
} from '../run/index.ts';
import { agreeAll } from './agree.ts';
import type { Command } from './commands.ts';
import { type CsvFormatArguments, csvFormatsOf, withCsvFormat } from './csv-format.ts';
import { exitWith } from './exit.ts';
import { type GateArguments, tellAllowed, withGates } from './gate-options.ts';
import { tellGitHubOfRun } from './github.ts';
import { print } from './print.ts';
import { printJson } from './print-json.ts';
import { type RoundsArguments, showRounds, tellTooFew, withRounds } from './rounds.ts';
import { type ChosenRun, chooseRun } from './run-choices.ts';
import { type ChosenScenario, type ScenarioArguments, withScenario } from './scenario-options.ts';
import { colorsWanted, runTerminal } from './terminal.ts';

interface RunArguments extends ScenarioArguments, GateArguments, CsvFormatArguments, RoundsArguments {
  readonly gates: boolean;
  readonly out?: string | undefined;
  readonly yes: boolean;
  readonly debug: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly dashboard?: string | undefined;
  readonly workers: number;
}

/** `spillway run SCENARIO` */
export const runCommand: Command<RunArguments> = {
  builder: (args) =>
    withRounds(withCsvFormat(withGates(withScenario(args))))
      .option('out', {
        requiresArg: true,
        type: 'string',
        describe: 'Folder for the results, new or empty; default results/<scenario>-<time>',
      })
      .option('transport', {
        requiresArg: true,
        choices: transportChoices,
        describe:
          "What sends requests, instead of the profile's: wire for load, undici through a proxy, http2 for HTTP/2, auto to choose",
      })
      .option('workers', {
        requiresArg: true,
        type: 'number',
        default: 1,
        describe:
          'Threads that send, each for its own part of the users: the same journeys at the same times, on more cores',
      })
      .option('yes', {
        alias: 'y',
        type: 'boolean',
        default: false,
        describe: "Do not ask before spending more than half of a day's quota",
      })
      .option('debug', {
        type: 'boolean',
        default: false,
        describe: 'Show each exchange on the wire, secrets taken out',
      })
      .option('quiet', {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'No progress, only the table at the end',
      })
      .option('dashboard', {
        type: 'string',
        describe: `Serve a live page on this machine, at [port], while the run goes on; default ${DASHBOARD_PORT}, 0 any free one`,
      })
      .option('gates', { type: 'boolean', default: true, describe: 'Judge gates; --no-gates leaves all of them out' })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print the summary, and the gates as its member gates, as JSON on stdout',
      })
      .example('$0 run scenarios/tour.yaml', 'against the embedded sandbox')
      .example(
        '$0 run scenarios/smoke.yaml --target https://api.example.com --profile my-profile.yaml',
        'against a real service',
      )
      .example(
        "$0 run scenarios/smoke.yaml --gate 'http_req_failed: rate<0.01' --gate 'rate_limited: rate<0.05' --gate 'limit.rate: not violated'",
        'exit code 99 unless that holds',
      )
      .example(
        '$0 run scenarios/smoke.yaml --target https://a.example.com --repeat 10 --against https://b.example.com',
        'whether b is worse than a',
      )
      .example('$0 run scenarios/big.yaml --workers 4 --quiet', 'on four cores')
      .example('$0 run scenarios/smoke.yaml --once --debug', 'one journey, shown on the wire')
      .example('$0 run scenarios/tour.yaml --dashboard', 'with a live page in the browser')
      .example('$0 run scenarios/message-burst.yaml --seed 42 --json', 'another plan, summary for a machine') as never,
  look: chooseRun,
  handler: async (args) => {
    const { chosen, rounds, workers, pool, dashboard } = await chooseRun(args);
    tellTooFew(rounds);
    await agreeAll(args, chosen, rounds);
    tellAllowed(pool);
    const terminal = await runTerminal(args);
    if (chosen.target === undefined) for (const note of undeclaredLimits(chosen.loaded)) terminal.tell(note);
    if (workers < args.workers) terminal.tell(`${args.once ? '--once' : '--debug'} is done by one worker`);
    if (rounds !== undefined) return runAllRounds(args, { chosen, rounds, workers, terminal });
    const outcome = await runScenario({
      ...chosen,
      env: chosen.env,
      commandLine: process.argv.slice(2),
      terminal,
      pool,
      csvFormats: csvFormatsOf(args),
      workers,
      ...(args.out === undefined ? {} : { out: args.out }),
      ...(dashboard === undefined ? {} : { dashboard }),
    });
    show(outcome, chosen, args.json);
    exitWith.code = outcome.exitCode;
  },
};

interface ChosenRounds extends Required<Pick<ChosenRun, 'chosen' | 'rounds' | 'workers'>> {
  readonly terminal: Terminal;
}

async function runAllRounds(args: RunArguments, { chosen, rounds, workers, terminal }: ChosenRounds): Promise<void> {
  const outcome = await runRounds({
    ...chosen,
    ...rounds,
    commandLine: process.argv.slice(2),
    terminal,
    workers,
    csvFormats: csvFormatsOf(args),
    ...(args.out === undefined ? {} : { out: args.out }),
  });
  showRounds(outcome, args.json);
  if (outcome.defect !== undefined) throw outcome.defect;
  exitWith.code = outcome.exitCode;
}

function show(
  { exported, document, gates, folder, error, invalid, failed }: RunOutcome,
  { target }: ChosenScenario,
  json: boolean,
): void {
  if (json) printJson({ ...exported.summary, gates });
  const stream = json ? process.stderr : process.stdout;
  const shown = { columns: stream.columns || 100, color: colorsWanted(stream) };
  const table = renderSummary(exported.summary, { folder, target: target ?? 'the embedded sandbox', ...shown });
  const verdicts = renderVerdictsDocument(document, folder, stream.columns || undefined, true);
  print(stream, `${table}\n${verdicts}${renderGates(gates, shown)}`);
  if (error) print(process.stderr, `spillway: ${error.message}\n`);
  if (invalid !== undefined) print(process.stderr, `spillway: the run is invalid: ${invalid}\n`);
  if (failed !== undefined) print(process.stderr, `spillway: ${failed}\n`);
  tellGitHubOfRun(
    { summary: exported.summary, verdicts: document, gates, ...(invalid !== undefined && { invalid }) },
    stream,
  );
}
