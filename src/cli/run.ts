import { createInterface } from 'node:readline/promises';
import type { CommandModule } from 'yargs';
import { ConfigurationError } from '../base/index.ts';
import { renderComparison, renderGates, renderSummary, renderVerdictsDocument } from '../report/index.ts';
import {
  type Against,
  checkBudget,
  manyTimes,
  openPool,
  type Price,
  planScenario,
  poolable,
  type RoundsOutcome,
  type RunOutcome,
  renderPrice,
  runRounds,
  runScenario,
  spendsMuch,
} from '../run/index.ts';
import { type CsvFormatArguments, csvFormatsOf, withCsvFormat } from './csv-format.ts';
import { exitWith } from './exit.ts';
import { type GateArguments, withGates } from './gate-options.ts';
import { tellGitHub } from './github.ts';
import { print, printJson } from './print.ts';
import {
  type ChosenScenario,
  checkTarget,
  chooseScenario,
  type ScenarioArguments,
  withScenario,
} from './scenario-options.ts';
import { colorsWanted, runTerminal } from './terminal.ts';

interface RunArguments extends ScenarioArguments, GateArguments, CsvFormatArguments {
  readonly gates: boolean;
  readonly repeat?: number | undefined;
  readonly against?: string | undefined;
  readonly out?: string | undefined;
  readonly yes: boolean;
  readonly debug: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** `spillway run SCENARIO` */
export const runCommand: CommandModule<object, RunArguments> = {
  builder: (args) =>
    withCsvFormat(withGates(withScenario(args)))
      .option('out', {
        requiresArg: true,
        type: 'string',
        describe: 'Folder for the results, new or empty; default results/<scenario>-<time>',
      })
      .option('transport', {
        requiresArg: true,
        choices: ['auto', 'wire', 'undici'],
        describe:
          "What sends requests, instead of the profile's: wire for load, undici through a proxy, auto to choose",
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
      .option('repeat', {
        requiresArg: true,
        type: 'number',
        describe: 'So many rounds, one after the other, in one folder; gates are judged over all of them',
      })
      .option('against', {
        requiresArg: true,
        type: 'string',
        describe:
          'With --repeat: run each round against this base address too (or "sandbox"), interleaved, and compare; the first target is the base',
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
        "$0 run scenarios/smoke.yaml --gate 'http_req_failed: rate<0.01' --gate 'limit.rate: not violated'",
        'exit code 99 unless that holds',
      )
      .example(
        '$0 run scenarios/smoke.yaml --target https://a.example.com --repeat 10 --against https://b.example.com',
        'whether b is worse than a',
      )
      .example('$0 run scenarios/smoke.yaml --once --debug', 'one journey, shown on the wire')
      .example('$0 run scenarios/message-burst.yaml --seed 42 --json', 'another plan, summary for a machine') as never,
  handler: async (args) => {
    const chosen = await chooseScenario(args);
    const rounds = roundsOf(args);
    await agreeAll(args, chosen, rounds);
    if (rounds !== undefined) return runAllRounds(args, chosen, rounds);
    const pool = poolOf(args, chosen);
    const terminal = runTerminal(args);
    const outcome = await runScenario({
      ...chosen,
      env: chosen.env,
      commandLine: process.argv.slice(2),
      terminal,
      pool,
      csvFormats: csvFormatsOf(args),
      ...(args.out === undefined ? {} : { out: args.out }),
    });
    show(outcome, chosen, args.json);
    exitWith.code = outcome.exitCode;
  },
};

/** Runs to be judged together with the one to come; wrong ones are told before anything is sent. */
function poolOf({ pool }: RunArguments, { loaded }: ChosenScenario): ReturnType<typeof openPool> {
  return openPool(pool, poolable(loaded));
}

/** What `--repeat` asks for, and with which other side. */
interface WantedRounds {
  readonly rounds: number;
  readonly against?: Against;
}

/** @returns `undefined` for a single run @throws ConfigurationError */
function roundsOf({ repeat, against, pool }: RunArguments): WantedRounds | undefined {
  const problem = (path: string, message: string, hint: string) => new ConfigurationError([{ path, message, hint }]);
  if (repeat === undefined) {
    if (against === undefined) return undefined;
    throw problem('--against', 'says with what to compare, and not how often', 'add for example --repeat 10');
  }
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > 999)
    throw problem('--repeat', 'must be a whole number from 1 to 999', 'write for example --repeat 10');
  if (pool.length > 0) throw problem('--pool', 'does not go with --repeat', 'rounds are judged together by themselves');
  if (against === undefined) return { rounds: repeat };
  if (against === 'sandbox') return { rounds: repeat, against: {} };
  checkTarget(against, '--against');
  return { rounds: repeat, against: { target: against } };
}

async function runAllRounds(args: RunArguments, chosen: ChosenScenario, rounds: WantedRounds): Promise<void> {
  const outcome = await runRounds({
    ...chosen,
    ...rounds,
    commandLine: process.argv.slice(2),
    terminal: runTerminal(args),
    csvFormats: csvFormatsOf(args),
    ...(args.out === undefined ? {} : { out: args.out }),
  });
  showRounds(outcome, args.json);
  exitWith.code = outcome.exitCode;
}

/** Each side's gates over all its rounds, and how the sides compare. */
function showRounds({ comparison, gates, folder, runs }: RoundsOutcome, json: boolean): void {
  if (json)
    printJson({ folder, exitCodes: runs.map(({ exitCode }) => exitCode), gates, ...(comparison && { comparison }) });
  const stream = json ? process.stderr : process.stdout;
  const shown = { columns: process.stderr.columns ?? 100, color: colorsWanted(stream) };
  for (const side of ['base', 'candidate'] as const) {
    const text = gates[side] === undefined ? '' : renderGates(gates[side], shown);
    if (text !== '') print(stream, `${side}, ${text}\n`);
  }
  if (comparison) print(stream, renderComparison(comparison, shown));
  print(stream, `results: ${folder} (${runs.length} runs)\n`);
  const last = runs.at(-1);
  if (last?.error) print(process.stderr, `spillway: ${last.error.message}\n`);
  if (last?.invalid !== undefined) print(process.stderr, `spillway: the last run is invalid: ${last.invalid}\n`);
}

/** Every service that is not our own is agreed to, with all its rounds. */
async function agreeAll(
  { yes }: RunArguments,
  chosen: ChosenScenario,
  wanted: WantedRounds | undefined,
): Promise<void> {
  const targets = [chosen.target, wanted?.against?.target].filter((target) => target !== undefined);
  for (const target of targets) await agree(chosen, target, yes, wanted?.rounds ?? 1);
}

/** Care with other people's services: the price is shown first, a budget is kept, and much spending is agreed to. */
async function agree({ loaded }: ChosenScenario, target: string, yes: boolean, rounds: number): Promise<void> {
  const { price: ofOne } = await planScenario(loaded, { embedded: false });
  const price = manyTimes(ofOne, rounds);
  const each = rounds === 1 ? '' : `, in each of ${rounds} rounds`;
  process.stderr.write(
    `This will be sent to ${new URL(target).origin}${each}:\n${renderPrice(ofOne, loaded.profile.limits)}`,
  );
  checkBudget(price, loaded.profile);
  if (!spendsMuch(price, loaded.profile) || yes) return;
  if (!process.stdin.isTTY) {
    throw new ConfigurationError([
      { path: '--yes', message: spending(price, loaded.profile.limits.daily.max), hint: 'add --yes if that is meant' },
    ]);
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`${spending(price, loaded.profile.limits.daily.max)}. Go on? [y/N] `);
  prompt.close();
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new ConfigurationError([{ path: '', message: 'not agreed to; nothing was sent' }]);
}

const spending = (price: Price, quota: number) =>
  `this spends up to ${price.dailyUse.high} of the day's ${quota} new messages`;

function show(
  { exported, document, gates, folder, error, invalid }: RunOutcome,
  { target }: ChosenScenario,
  json: boolean,
): void {
  if (json) printJson({ ...exported.summary, gates });
  const stream = json ? process.stderr : process.stdout;
  const shown = { columns: process.stderr.columns ?? 100, color: colorsWanted(stream) };
  const table = renderSummary(exported.summary, { folder, target: target ?? 'the embedded sandbox', ...shown });
  print(stream, `${table}\n${renderVerdictsDocument(document, folder)}${renderGates(gates, shown)}`);
  if (error) print(process.stderr, `spillway: ${error.message}\n`);
  if (invalid !== undefined) print(process.stderr, `spillway: the run is invalid: ${invalid}\n`);
  tellGitHub(
    { summary: exported.summary, verdicts: document, gates, ...(invalid !== undefined && { invalid }) },
    stream,
  );
}
