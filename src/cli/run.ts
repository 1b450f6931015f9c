import { createInterface } from 'node:readline/promises';
import type { CommandModule } from 'yargs';
import { ConfigurationError } from '../base/index.ts';
import { renderGates, renderSummary, renderVerdictsDocument } from '../report/index.ts';
import {
  checkBudget,
  openPool,
  type Price,
  planScenario,
  poolable,
  type RunOutcome,
  renderPrice,
  runScenario,
  spendsMuch,
} from '../run/index.ts';
import { exitWith } from './exit.ts';
import { type GateArguments, withGates } from './gate-options.ts';
import { type ChosenScenario, chooseScenario, type ScenarioArguments, withScenario } from './scenario-options.ts';
import { colorsWanted, runTerminal } from './terminal.ts';

interface RunArguments extends ScenarioArguments, GateArguments {
  readonly gates: boolean;
  readonly out?: string | undefined;
  readonly yes: boolean;
  readonly debug: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** `spillway run SCENARIO` */
export const runCommand: CommandModule<object, RunArguments> = {
  builder: (args) =>
    withGates(withScenario(args))
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
      .example('$0 run scenarios/smoke.yaml --once --debug', 'one journey, shown on the wire')
      .example('$0 run scenarios/message-burst.yaml --seed 42 --json', 'another plan, summary for a machine') as never,
  handler: async (args) => {
    const chosen = await chooseScenario(args);
    if (chosen.target !== undefined) await agree(chosen, chosen.target, args.yes);
    const pool = poolOf(args, chosen);
    const terminal = runTerminal(args);
    const outcome = await runScenario({
      ...chosen,
      env: chosen.env,
      commandLine: process.argv.slice(2),
      terminal,
      pool,
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

/** Care with other people's services: the price is shown first, a budget is kept, and much spending is agreed to. */
async function agree({ loaded }: ChosenScenario, target: string, yes: boolean): Promise<void> {
  const { price } = await planScenario(loaded, { embedded: false });
  process.stderr.write(`This will be sent to ${new URL(target).origin}:\n${renderPrice(price, loaded.profile.limits)}`);
  checkBudget(price, loaded.profile);
  if (!spendsMuch(price, loaded.profile) || yes) return;
  if (!process.stdin.isTTY) {
    throw new ConfigurationError([
      { path: '--yes', message: spending(price, loaded.profile.limits.daily.max), hint: 'add --yes if that is meant' },
    ]);
  }
  if (!(await isAgreed(`${spending(price, loaded.profile.limits.daily.max)}. Go on? [y/N] `)))
    throw new ConfigurationError([{ path: '', message: 'not agreed to; nothing was sent' }]);
}

/** Asks a person; who ends the input or presses Ctrl-C instead of answering has not agreed. */
async function isAgreed(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const silence = new AbortController();
  prompt.once('close', () => silence.abort());
  prompt.once('SIGINT', () => prompt.close());
  try {
    return /^y(es)?$/i.test((await prompt.question(question, { signal: silence.signal })).trim());
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    process.stderr.write('\n');
    return false;
  } finally {
    prompt.close();
  }
}

const spending = (price: Price, quota: number) =>
  price.whole
    ? `this spends up to ${price.dailyUse.high} of the day's ${quota} new messages`
    : `this plan is too long to tell how many of the day's ${quota} new messages it spends`;

function show(
  { exported, document, gates, folder, error, invalid, failed }: RunOutcome,
  { target }: ChosenScenario,
  json: boolean,
): void {
  if (json) process.stdout.write(`${JSON.stringify({ ...exported.summary, gates })}\n`);
  const stream = json ? process.stderr : process.stdout;
  const shown = { columns: process.stderr.columns ?? 100, color: colorsWanted(stream) };
  const table = renderSummary(exported.summary, { folder, target: target ?? 'the embedded sandbox', ...shown });
  stream.write(`${table}\n${renderVerdictsDocument(document, folder)}${renderGates(gates, shown)}`);
  if (error) process.stderr.write(`spillway: ${error.message}\n`);
  if (invalid !== undefined) process.stderr.write(`spillway: the run is invalid: ${invalid}\n`);
  if (failed !== undefined) process.stderr.write(`spillway: ${failed}\n`);
}
