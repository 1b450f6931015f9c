import type { ConfigProblem } from '../../base/index.ts';
import { commands, wordOf } from '../commands.ts';
import { hyphenated } from '../options/switches.ts';

/** Switches that are lists, with every spelling that yargs uses. */
const lists = [
  '_',
  'env',
  'e',
  'declared',
  'gate',
  'set',
  'pool',
  'metric',
  'allow',
  'candidates',
  'fault',
  'defect',
  'rate-operations',
  'rateOperations',
  'limit-order',
  'limitOrder',
];

/** What yargs knows about the switches of a command. */
interface Known {
  readonly boolean?: readonly string[];
  readonly key?: Readonly<Record<string, unknown>>;
}

/**
 * Mistakes that yargs silently accepts and misinterprets.
 * @param args as typed
 * @param given as parsed by yargs
 */
export function mistakesIn(
  args: readonly string[],
  given: Readonly<Record<string, unknown>>,
  known: Known,
): ConfigProblem[] {
  return [
    ...repeated(given)
      .filter((name) => name in (known.key ?? {}))
      .map((name) => ({ path: `--${name}`, message: 'is given more than once', hint: 'give it only once' })),
    ...flagsWithValues(args, known.boolean ?? []),
    ...switchesWithoutValues(args, known),
    ...positionalsAsSwitches(args),
    ...positionalsOf(args)
      .filter((name) => [given[name]].flat().includes(''))
      .map((name) => withoutValue(`<${name}>`)),
  ];
}

/**
 * Switches by the name of what every object inherits, such as --constructor, at which yargs fails.
 * @param args as typed
 */
export const inheritedIn = (args: readonly string[]): ConfigProblem[] =>
  args.filter(isInherited).map((arg) => ({
    path: '',
    message: `Unknown argument: ${arg.replace(/^--|=.*$/gs, '')}`,
    hint: 'see spillway --help',
  }));

export function isInherited(arg: string): boolean {
  const [, name = ''] = /^--(?:no-)?([^=]+)/.exec(arg) ?? [];
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) in {};
}

const withoutValue = (path: string): ConfigProblem => ({
  path,
  message: 'has no value',
  hint: 'give it one, or leave it out; if you pass a shell variable, check that it is set',
});

/** yargs collects a repeated switch into a list, which is intended only for some. */
const repeated = (given: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(given).filter((name) => Array.isArray(given[name]) && !lists.includes(name));

/** Keeps the last value of each repeated switch that is not a list. */
export const eachOnce = <T extends Readonly<Record<string, unknown>>>(given: T): T => ({
  ...given,
  ...Object.fromEntries(repeated(given).map((name) => [name, (given[name] as readonly unknown[]).at(-1)])),
});

/** Leaves empty values out, which are told as such; a list keeps its others. */
export const withoutEmpty = <T extends Readonly<Record<string, unknown>>>(given: T): T =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, Array.isArray(value) ? value.filter((one) => one !== '') : value]),
  ) as T;

/** yargs parses `--flag=word` as false. */
function flagsWithValues(args: readonly string[], flags: readonly string[]): ConfigProblem[] {
  return args.flatMap((arg) => {
    const [, typed = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(arg) ?? [];
    const name = hyphenated(typed);
    if (!flags.includes(name) || value === 'true' || value === 'false') return [];
    return [{ path: `--${name}`, message: 'takes no value', hint: `write --${name} or --no-${name}` }];
  });
}

/** yargs parses an empty value, for example of an unset shell variable, as 0 or an empty text, and `--no-seed` as the seed false. */
function switchesWithoutValues(args: readonly string[], { boolean = [], key = {} }: Known): ConfigProblem[] {
  const isSwitch = (name: string) => name in key && !boolean.includes(name);
  const empty = args.flatMap((arg, index) => {
    const [, typed = '', joined] = /^--?([A-Za-z][\w-]*)(=?)$/.exec(arg) ?? [];
    const name = hyphenated(typed);
    const next = args[index + 1];
    const isList = lists.includes(name) && joined === '' && (next === undefined || next.startsWith('-'));
    return isSwitch(name) && (joined === '=' || next === '' || isList) ? [name] : [];
  });
  const negated = args.flatMap((arg) => {
    const name = hyphenated(/^--no-([\w-]+)$/.exec(arg)?.[1] ?? '');
    return isSwitch(name) ? [name] : [];
  });
  return [
    ...empty.map((name) => withoutValue(name.length === 1 ? `-${name}` : `--${name}`)),
    ...negated.map((name) => ({ path: `--no-${name}`, message: 'has no meaning', hint: `leave --${name} out` })),
  ];
}

function positionalsOf([word]: readonly string[]): string[] {
  const command = commands.find((one) => wordOf(one) === word)?.command ?? '';
  return [...command.matchAll(/[<[](\w+)/g)].map((found) => found[1] ?? '');
}

/** yargs accepts `--scenario x` as the positional argument of that name and drops one of the two values. */
function positionalsAsSwitches(args: readonly string[]): ConfigProblem[] {
  const names = positionalsOf(args);
  const typed = args.flatMap((arg) => /^--(\w+)(?:=.*)?$/s.exec(arg)?.[1] ?? []).filter((name) => names.includes(name));
  return [
    ...typed.map((name) => ({
      path: `--${name}`,
      message: 'is an argument, not a switch',
      hint: `write its value without --${name}`,
    })),
    ...(args.includes('--') ? [{ path: '--', message: 'has no meaning here', hint: 'leave it out' }] : []),
  ];
}
