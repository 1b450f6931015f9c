import { withoutUserinfo } from '../base/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { ColumnDoc } from './column-doc.ts';
import { inertJson } from './inert-text.ts';

const RUN_FACTS_FORMAT = 'spillway-run';
const RUN_FACTS_VERSION = 1;

/** What ran, against what, on which machine. `run/` collects it, because only `run/` may examine the machine. */
export interface RunFacts {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** `file` is absent if the scenario is not from a file. */
  readonly scenario: { readonly name: string; readonly file?: string };
  /** Base address; absent for the embedded sandbox. */
  readonly target?: string;
  readonly seed: number;
  /** The resolved target profile, without secrets. */
  readonly profile: unknown;
  /** Versions by name: spillway, node, and libraries that affect how requests are sent. */
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryBytes: number;
    readonly os: string;
    readonly kernel: string;
    readonly architecture: string;
  };
  /** Arguments as typed, without the program's path; `writeRunFacts` redacts secrets. */
  readonly commandLine: readonly string[];
}

/** The members of `run.json`, for results/README.md. */
export const runFactsMembers: readonly (ColumnDoc & { readonly name: keyof RunFacts | 'format' | 'version' })[] = [
  { name: 'format', meaning: `Always \`${RUN_FACTS_FORMAT}\`` },
  { name: 'version', meaning: `Version of this shape, now ${RUN_FACTS_VERSION}` },
  { name: 'runId', meaning: 'Identifier of the run, as in the journal' },
  {
    name: 'startedAt',
    meaning:
      'UTC, ISO 8601: when this file was written, before the run began. The journal has the wall clock at run time 0',
  },
  { name: 'scenario', meaning: 'name, and file as the user gave it' },
  { name: 'target', meaning: 'Base address of the service; absent for the embedded sandbox' },
  { name: 'seed', meaning: 'Seed of the plan: the same scenario and seed give the same plan' },
  {
    name: 'profile',
    meaning:
      'Target profile with every default filled in; durations in ms, rates per second; no secrets. `success` has only operations whose statuses of success differ from the usual ones. Absent: unknown. The header of the journal has the same, for the embedded sandbox with what is certain of it',
  },
  { name: 'versions', meaning: 'Versions by name: spillway, node, …' },
  { name: 'machine', meaning: "The generator's machine: cpu (model), cores, memoryBytes, os, kernel, architecture" },
  {
    name: 'commandLine',
    meaning: 'Arguments as typed, with `[redacted]` in place of values of -e and of anything that may be a secret',
  },
];

/** Writes `run.json` atomically. It has facts that the journal lacks, so the `report` command cannot rebuild it. */
export function writeRunFacts(file: string, facts: RunFacts): Promise<void> {
  return writeFileAtomically(file, [runFactsJson(facts)]);
}

/** The text of `run.json`. Members are in the order of the README; user names and passwords in URLs are removed. */
export function runFactsJson(facts: RunFacts): string {
  const { runId, startedAt, scenario, target, seed, profile, versions, machine } = facts;
  const commandLine = redactCommandLine(facts.commandLine);
  const members = { runId, startedAt, scenario, target, seed, profile, versions, machine, commandLine };
  return inertJson(withoutUserinfo({ format: RUN_FACTS_FORMAT, version: RUN_FACTS_VERSION, ...members }));
}

const REDACTED = '[redacted]';
/** Names of options whose values may be secrets. */
const SECRET_NAME = /secret|token|password|passwd|credential|client-?id|api-?key|auth/i;

/** Replaces values that may be secrets by `[redacted]`, among them all values of -e; names are kept: `-e CITY=[redacted]`. */
export function redactCommandLine(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1];
    if (before !== undefined && VARIABLE_SWITCH.test(before)) return redactVariable(arg);
    if (before !== undefined && isSecretSwitch(before) && !arg.startsWith('-')) return REDACTED;
    // An argument that follows no option is a scenario file, or a variable that was meant for -e.
    if (ASSIGNMENT.test(arg) && !isSwitch(before)) return redactVariable(arg);
    return redactJoined(arg);
  });
}

/** All spellings that yargs accepts for -e: `-e`, `--e`, `--env`, `--env.x`, and -e combined with other flags, as in `-qye`. */
const VARIABLE_SWITCH = /^(?:--(?:e|env)(?:\.[^=]*)?|-[A-Za-z]*e[A-Za-z]*)$/;
/** The same with the value in the same argument: `-eNAME=VALUE`, `-qe=NAME=VALUE`, `--env=NAME=VALUE`. */
const VARIABLE_JOINED = /^(-[A-Za-z]*e=?|--(?:e|env)(?:\.[^=]*)?=)(.*=.*|(?<==).*)$/s;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

const isSwitch = (arg: string | undefined): boolean => arg?.startsWith('-') === true && arg !== '--';
const isSecretSwitch = (arg: string): boolean => arg.startsWith('-') && !arg.includes('=') && SECRET_NAME.test(arg);
const redactVariable = (text: string): string =>
  text.includes('=') ? `${text.slice(0, text.indexOf('='))}=${REDACTED}` : REDACTED;

function redactJoined(arg: string): string {
  const [, how, variable] = VARIABLE_JOINED.exec(arg) ?? [];
  if (how !== undefined && variable !== undefined) return `${how}${redactVariable(variable)}`;
  const joined = /^(--?[^=]+)=/.exec(arg);
  return joined?.[1] !== undefined && SECRET_NAME.test(joined[1]) ? `${joined[1]}=${REDACTED}` : arg;
}
