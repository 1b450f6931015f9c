import type { Argv } from 'yargs';
import { type ConfigProblem, ConfigurationError, ExitCode } from '../../base/index.ts';
import {
  defects,
  describeDefects,
  parseLatency,
  type RunningSandbox,
  type SandboxConfig,
  type SandboxSettings,
  settle,
  startSandbox,
} from '../../sandbox/index.ts';
import { type GivenSwitch, gatherSettings } from '../options/sandbox-settings.ts';
import { DEFAULT_PORT, places, type SandboxArguments, sandboxSwitches } from '../options/sandbox-switches.ts';
import { hyphenated } from '../options/switches.ts';
import { describeSandbox } from '../output/sandbox-print.ts';
import type { Command } from './command.ts';

/** `spillway sandbox` */
export const sandboxCommand: Command<SandboxArguments> = {
  // yargs also provides each switch in camel case, which its types lack.
  builder: (yargs) => sandboxSwitches(yargs).strict() as unknown as Argv<SandboxArguments>,
  look: settingsOf,
  handler: async (given) => {
    if (given.listDefects) {
      listDefects(given);
      return ExitCode.ok;
    }
    const settings = settingsOf(given);
    const sandbox = await startSandbox(settings).catch((error: unknown) => {
      throw bySwitch(error, given);
    });
    try {
      // Listens first: who reads that it serves may stop it at once.
      const stop = askedToStop();
      show(given, sandbox, settle(settings));
      await stop;
    } catch (error) {
      await sandbox.close().catch(() => undefined);
      throw error;
    }
    await sandbox.close();
    return ExitCode.ok;
  },
};

/** Names the switch in problems that occur only at the start, such as a port in use. */
function bySwitch(error: unknown, given: SandboxArguments): unknown {
  if (!(error instanceof ConfigurationError)) return error;
  const isGiven = (path: string) => path in places && given[path as keyof typeof places] !== undefined;
  return new ConfigurationError(
    error.problems.map((problem) => (isGiven(problem.path) ? { ...problem, path: switchName(problem.path) } : problem)),
  );
}

/** Prints for people on stderr, or as one line of JSON on stdout. */
function show({ json }: SandboxArguments, sandbox: RunningSandbox, config: SandboxConfig): void {
  const { url, port, applications, restored, clock } = sandbox;
  if (json) process.stdout.write(`${JSON.stringify({ url, port, applications, restored, clock })}\n`);
  else process.stderr.write(describeSandbox(sandbox, config));
}

/** Prints for people, or as one line of JSON. */
function listDefects({ json }: SandboxArguments): void {
  process.stdout.write(`${json ? JSON.stringify(defects) : describeDefects()}\n`);
}

const switchName = (argument: string): string => `--${hyphenated(argument)}`;

/** @throws ConfigurationError with all problems of the file and the command line */
export function settingsOf(given: SandboxArguments): SandboxSettings {
  const problems: ConfigProblem[] = [];
  const switches: GivenSwitch[] = [];
  for (const [argument, place] of Object.entries(places)) {
    const value = given[argument as keyof typeof places];
    if (value !== undefined) switches.push({ name: switchName(argument), place, value });
  }
  for (const phase of ['queued', 'processing'] as const) {
    const text = given[phase];
    const parsed = text === undefined ? undefined : parseLatency(text);
    if (parsed === undefined) continue;
    if ('problem' in parsed) problems.push({ path: `--${phase}`, message: parsed.problem });
    else switches.push({ name: `--${phase}`, place: `latency.${phase}`, value: parsed });
  }
  if (given.concurrencyTtl !== undefined) {
    switches.push({ name: '--concurrency-ttl', place: 'limits.concurrency.algorithm', value: 'lease' });
  }
  const defaults = { port: DEFAULT_PORT, applications: [{ label: 'a1' }] };
  return gatherSettings({ defaults, file: given.config, switches, problems });
}

/** Resolves on Ctrl-C, SIGTERM, or the end of the terminal. */
function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
