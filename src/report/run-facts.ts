import { inertJson, withoutUserinfo } from '../base/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { publishedSchema } from './published-schema.ts';
import { RUN_FACTS_FORMAT, RUN_FACTS_VERSION, type RunFacts, RunFactsSchema } from './schemas/run-facts.ts';

/** The published JSON Schema (draft 2020-12). */
export const runFactsJsonSchema = () =>
  publishedSchema(RunFactsSchema, `spillway run.json, version ${RUN_FACTS_VERSION}`);

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

/** Replaces values that may be secrets by `[redacted]`, among them all values of -e, and variables that --set sets; names are kept: `-e CITY=[redacted]`. */
export function redactCommandLine(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1];
    if (before !== undefined && VARIABLE_SWITCH.test(before)) return redactVariable(arg);
    if (before === '--set') return redactSet(arg);
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

/**
 * `-e` could set the same variables; texts of messages are in no file. What begins otherwise than with another plain word may be variables,
 * too: `["variables"].key`.
 */
const redactSet = (text: string): string =>
  /^(?!variables\b|.*\bmessage\b)[\w$-]/s.test(text)
    ? text
    : text.replace(/^((?:[^="]|"(?:[^"\\]|\\.)*")*=).*$/s, `$1${REDACTED}`);

function redactJoined(arg: string): string {
  if (arg.startsWith('--set=')) return `--set=${redactSet(arg.slice('--set='.length))}`;
  const [, how, variable] = VARIABLE_JOINED.exec(arg) ?? [];
  if (how !== undefined && variable !== undefined) return `${how}${redactVariable(variable)}`;
  const joined = /^(--?[^=]+)=/.exec(arg);
  return joined?.[1] !== undefined && SECRET_NAME.test(joined[1]) ? `${joined[1]}=${REDACTED}` : arg;
}
