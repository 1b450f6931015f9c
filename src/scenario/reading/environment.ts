import { isRecord } from '../../base/index.ts';
import { compileTemplate, namesIn, splitName } from '../template.ts';
import { type Fault, type Path, valueAt } from '../validation/faults.ts';
import { splitMessage, withoutQuotes } from '../validation/kinds.ts';

/** The value of an environment variable; undefined if it is not set or empty. */
export type EnvironmentLookup = (name: string) => string | undefined;

/** Looks variables up. `-e NAME=VALUE` overrides the environment. */
export function environmentLookup(
  env: Readonly<Record<string, string | undefined>>,
  variables: Readonly<Record<string, string>> = {},
): EnvironmentLookup {
  return (name) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : Object.hasOwn(env, name) ? env[name] : undefined;
    return value === '' ? undefined : value;
  };
}

export function missingEnvironment(name: string): Required<Pick<Fault, 'message' | 'hint'>> {
  return {
    message: `the environment variable ${name} is not set`,
    hint: `set it with export ${name}=… or pass -e ${name}=…`,
  };
}

/** A document in which every `${env.NAME}` has been replaced. */
interface Substituted {
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /** Names of the variables that were read. */
  readonly used: ReadonlySet<string>;
}

/**
 * Replaces `${env.NAME}` in every text of a document, except at paths for which `leave` returns true: journeys, whose texts are
 * filled when they are sent, and credentials, which only some targets need. Any other `${…}` is a fault, because only the
 * environment is known on loading.
 */
export function substituteEnvironment(
  root: unknown,
  lookup: EnvironmentLookup,
  leave: (path: Path) => boolean,
): Substituted {
  const faults: Fault[] = [];
  const used = new Set<string>();
  const environmentValue = (name: string, path: Path): string => {
    const { group, member } = splitName(name);
    if (group !== 'env' || member === undefined) {
      const hint = 'only env.NAME is; other names work in the texts of steps';
      faults.push({ path, message: `\${${name}} is not replaced here`, hint });
      return '';
    }
    used.add(member);
    const value = lookup(member);
    if (value === undefined) faults.push({ path, ...missingEnvironment(member) });
    return value ?? '';
  };
  const fill = (text: string, path: Path): string => {
    const compiled = compileTemplate(text);
    if (!compiled.ok) {
      faults.push({ path, message: compiled.malformed, hint: 'write ${env.NAME}, or $${ for a literal ${' });
      return text;
    }
    const texts = compiled.parts.map((part) => (part.kind === 'text' ? part.text : environmentValue(part.name, path)));
    return texts.join('');
  };
  const visit = (value: unknown, path: Path): unknown => {
    if (leave(path)) return value;
    if (typeof value === 'string') return fill(value, path);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visit(member, [...path, key])]));
  };
  return { value: visit(root, []), faults, used };
}

/** Unique names of the environment variables in all texts of a value, at any depth. */
export const environmentNamesIn = (value: unknown): readonly string[] => namesOfGroup('env', value);

/** Unique names `NAME` of all `${group.NAME}` in the texts of a value, at any depth. */
export function namesOfGroup(group: 'env' | 'vars', value: unknown): readonly string[] {
  const begin = `${group}.`;
  const names = allNamesIn(value).filter((name) => name.startsWith(begin));
  return [...new Set(names.map((name) => name.slice(begin.length)))];
}

function allNamesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return namesIn(value);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allNamesIn) : [];
}

/**
 * Replaces values of variables in the faults by the text as written: messages quote wrong values, and a variable may contain a
 * secret.
 */
export const withoutValues = (faults: readonly Fault[], written: unknown, filled: unknown): readonly Fault[] =>
  faults.map(({ hint, ...fault }) => {
    const reference = valueAt(written, fault.path);
    const value = valueAt(filled, fault.path);
    const all = { ...fault, ...(hint !== undefined && { hint }) };
    if (typeof reference !== 'string' || typeof value !== 'string' || value === '' || reference === value) return all;
    const remedy = hint === withoutQuotes(value) ? NO_NUMBERS : hint;
    // As one text: a value with a semicolon may have been split between the two.
    const text = remedy === undefined ? fault.message : `${fault.message}; ${remedy}`;
    return { ...fault, ...splitMessage(text.replaceAll(spelled(value), () => reference)) };
  });

const NO_NUMBERS = 'write a number; only texts can come from the environment';

const IN_NO_WORD = String.raw`(?:(?<![\p{L}\p{N}])|(?![\p{L}\p{N}]))`;

/** Values of fewer characters are in every message, and too short to be secrets. */
const SHORTEST_IN_WORDS = 4;

/** Matches a value, also as JSON; a short one not within a word, where it would spoil the message. */
function spelled(value: string): RegExp {
  const spellings = [JSON.stringify(value).slice(1, -1), value].map((text) =>
    text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  );
  const edge = value.length < SHORTEST_IN_WORDS ? IN_NO_WORD : '';
  return new RegExp(`${edge}(?:${spellings.join('|')})${edge}`, 'gu');
}
