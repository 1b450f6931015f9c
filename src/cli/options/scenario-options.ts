import type { Argv } from 'yargs';
import { LONGEST_DURATION, type TransportChoice } from '../../api/index.ts';
import { ConfigurationError, type Millis, parseDuration, together } from '../../base/index.ts';
import { adjust, profileFaults, remoteAddress, sandboxFaults } from '../../run/index.ts';
import { inRealTime, type LoadedScenario, loadScenario } from '../../scenario/index.ts';
import { flag, number, text } from './switches.ts';

/** Switches of every command with a scenario. */
export const withScenario = <T>(args: Argv<T>) =>
  args
    .positional('scenario', {
      type: 'string',
      demandOption: true,
      describe: 'Scenario file: .yaml, .json or .ts; - reads YAML or JSON from standard input',
    })
    .option('target', text("Base URL of the service; default the profile's, or else the embedded sandbox"))
    .option('profile', text('Target profile file; overrides the one the scenario names'))
    .option('seed', number("Seed of the plan; overrides the scenario's"))
    .option('duration', text('Duration of every load model that has one, for example 30s; overrides the scenario'))
    .option(
      'real-time',
      flag(
        "Multiply the scenario's times by its sandbox.clockRate, for a service whose clock runs in real time (so does the sandbox's then)",
      ),
    )
    .option('journey', text('Run only the journey of this name'))
    .option('once', flag('Run one journey once instead of the load'))
    .option('set', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'PATH=VALUE: put a value into the scenario, for example load.rate=50/s; may be repeated',
    })
    .option('env', {
      alias: 'e',
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'NAME=VALUE: set a variable of the scenario, or an environment variable that it reads; may be repeated',
    });

export interface ScenarioArguments {
  readonly scenario: string;
  readonly target?: string | undefined;
  readonly profile?: string | undefined;
  readonly seed?: number | undefined;
  readonly duration?: string | undefined;
  readonly realTime: boolean;
  readonly journey?: string | undefined;
  readonly once: boolean;
  readonly transport?: TransportChoice | undefined;
  readonly set: readonly string[];
  readonly env: readonly string[];
}

/** What a scenario is chosen by, with the switches of commands that judge gates. */
interface ChoiceArguments extends ScenarioArguments {
  /** Gates in addition to the scenario's. */
  readonly gate?: readonly string[];
  /** False: no gates are judged, not even those of the scenario. */
  readonly gates?: boolean;
}

export interface ChosenScenario {
  readonly loaded: LoadedScenario;
  /** What `--real-time` multiplied its times by: 1 if they were for real time already. `undefined`: they are as written. */
  readonly stretchedBy: number | undefined;
  /** `undefined`: the embedded sandbox. */
  readonly target: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** Loads the scenario with the overrides of the command line. @throws ConfigurationError with every problem */
export async function chooseScenario(args: ChoiceArguments): Promise<ChosenScenario> {
  const [chosen] = await together(
    () => adjustedScenario({ ...args, env: args.env.filter(isAssignment) }),
    () => checkAssignments(args.env),
    () => checkTarget(args.target),
    () => durationOf(args.duration),
  );
  return { ...chosen, target: remoteAddress(chosen.loaded, args.target) };
}

async function adjustedScenario(args: ChoiceArguments): Promise<Omit<ChosenScenario, 'target'>> {
  const variables = assignments(args.env);
  const env = { ...process.env, ...variables };
  const load = ({ seed, gate }: Pick<ChoiceArguments, 'seed' | 'gate'>) =>
    loadScenario(args.scenario, {
      env,
      variables,
      profileFaults,
      sandboxFaults,
      seed,
      overrides: args.set,
      profileFile: args.profile,
      gates: gate,
    });
  try {
    return { ...adjustedBy(args, await load(args)), env };
  } catch (error) {
    if (!(error instanceof ConfigurationError) || (!args.gate?.length && args.seed === undefined)) throw error;
    // Loads again without the gates and the seed, so that a wrong one does not hide problems of other switches.
    await together(
      () => Promise.reject(error),
      async () => adjustedBy(args, await load({})),
    );
    throw error;
  }
}

function adjustedBy(args: ChoiceArguments, written: LoadedScenario): Pick<ChosenScenario, 'loaded' | 'stretchedBy'> {
  const { once, journey, transport, realTime } = args;
  // An invalid duration is reported by `durationOf`. A valid one is that of the run, and is not stretched.
  const duration = parseDuration(args.duration ?? '');
  const loaded = realTime ? inRealTime(written) : written;
  return {
    loaded: adjust(args.gates === false ? { ...loaded, gates: [] } : loaded, { once, journey, transport, duration }),
    stretchedBy: realTime ? written.scenario.sandbox.clockRate : undefined,
  };
}

const isAssignment = (pair: string): boolean => /^[A-Za-z_]\w*=/.test(pair);

const assignments = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));

/** @throws ConfigurationError */
function checkAssignments(pairs: readonly string[]): void {
  const bad = pairs.filter((pair) => !isAssignment(pair));
  // The value may be a secret, so the message does not quote it.
  if (bad.length > 0)
    throw new ConfigurationError([
      {
        path: '-e',
        message: `${bad.length} of ${pairs.length} values are not of the form NAME=VALUE`,
        hint: 'write -e NAME=VALUE',
      },
    ]);
}

/** @param path the switch with the address @throws ConfigurationError */
export function checkTarget(target: string | undefined, path = '--target'): void {
  if (target === undefined) return;
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '') return;
  throw new ConfigurationError([
    {
      path,
      message: 'is not a base URL',
      // --against knows this word; here it is what is used without the switch.
      hint:
        target === 'sandbox'
          ? `leave ${path} out: the embedded sandbox is used if the profile names no baseUrl`
          : LACKS_SCHEME.test(target)
            ? `write ${ON_THIS_MACHINE.test(target) ? 'http' : 'https'}://${target}`
            : 'write for example https://api.example.com, without credentials, query or fragment',
    },
  ]);
}

/** An address without scheme that contains nothing that could be a secret. */
const LACKS_SCHEME = /^(localhost|[\w-]+(\.[\w-]+)+)(:\d{1,5})?(\/[\w./-]*)?$/i;
const ON_THIS_MACHINE = /^(localhost|127\.)/i;

/** @throws ConfigurationError */
function durationOf(duration: string | undefined): Millis | undefined {
  if (duration === undefined) return undefined;
  const ms = parseDuration(duration);
  if (ms !== undefined && ms > 0 && ms <= LONGEST_DURATION) return ms;
  const wrong = ms === undefined ? 'is not a duration' : ms > 0 ? 'is longer than ten years' : 'is not longer than 0';
  throw new ConfigurationError([
    { path: '--duration', message: `"${duration}" ${wrong}`, hint: 'write for example 30s or 2min' },
  ]);
}
