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
        describe: 'Folder for the results; must be new or empty; default results/<scenario>-<time>',
      })
      .option('transport', {
        requiresArg: true,
        choices: transportChoices,
        describe:
          "HTTP client; overrides the profile's: wire (HTTP/1.1, fastest), undici (HTTP/1.1, supports proxies), http2, or auto (undici if the profile names a proxy, else wire)",
      })
      .option('workers', {
        requiresArg: true,
        type: 'number',
        default: 1,
        describe: 'Worker threads. The users are divided among them; the plan stays the same',
      })
      .option('yes', {
        alias: 'y',
        type: 'boolean',
        default: false,
        describe: "Do not ask for confirmation before a run that uses more than half of a day's quota",
      })
      .option('debug', {
        type: 'boolean',
        default: false,
        describe: 'Print each exchange as sent and received, with secrets removed; uses one worker',
      })
      .option('quiet', {
        alias: 'q',
        type: 'boolean',
        default: false,
        describe: 'Print no progress, only the summary at the end',
      })
      .option('dashboard', {
        type: 'string',
        describe: `Serve a live report on 127.0.0.1 during the run; optional port, default ${DASHBOARD_PORT}, 0 picks a free one`,
      })
      .option('gates', { type: 'boolean', default: true, describe: 'Judge gates; --no-gates ignores all of them' })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print the summary and the gate results (member "gates") as JSON on stdout',
      })
      .example('$0 run scenarios/tour.yaml', 'against the embedded sandbox')
      .example(
        '$0 run scenarios/smoke.yaml --target https://api.example.com --profile my-profile.yaml',
        'against a real service',
      )
      .example(
        "$0 run scenarios/smoke.yaml --gate 'http_req_failed: rate<0.01' --gate 'rate_limited: rate<0.05' --gate 'limit.rate: not violated'",
        'exit code 99 unless all three gates pass',
      )
      .example(
        '$0 run scenarios/smoke.yaml --target https://a.example.com --repeat 10 --against https://b.example.com',
        'compare b with a, ten rounds of each',
      )
      .example('$0 run scenarios/big.yaml --workers 4 --quiet', 'send from four threads')
      .example('$0 run scenarios/smoke.yaml --once --debug', 'one journey, every exchange printed')
      .example('$0 run scenarios/tour.yaml --dashboard', 'with a live report in the browser')
      .example('$0 run scenarios/message-burst.yaml --seed 42 --json', 'another seed, summary as JSON') as never,
  look: chooseRun,
  handler: async (args) => {
    const { chosen, rounds, workers, pool, dashboard } = await chooseRun(args);
    tellTooFew(rounds);
    await agreeAll(args, chosen, rounds);
    tellAllowed(pool);
    const terminal = await runTerminal(args);
    if (chosen.target === undefined) for (const note of undeclaredLimits(chosen.loaded)) terminal.tell(note);
    if (workers < args.workers) terminal.tell(`${args.once ? '--once' : '--debug'} uses one worker`);
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
  const verdicts = renderVerdictsDocument(document, folder, {
    columns: stream.columns || undefined,
    brief: true,
    clockRate: exported.summary.run.clockRate,
  });
  print(stream, `${table}\n${verdicts}${renderGates(gates, shown)}`);
  if (error) print(process.stderr, `spillway: ${error.message}\n`);
  if (invalid !== undefined) print(process.stderr, `spillway: the run is invalid: ${invalid}\n`);
  if (failed !== undefined) print(process.stderr, `spillway: ${failed}\n`);
  tellGitHubOfRun(
    { summary: exported.summary, verdicts: document, gates, ...(invalid !== undefined && { invalid }) },
    stream,
  );
}
