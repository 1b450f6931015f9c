import type { ConfigProblem } from '../base/index.ts';
import { commands, wordOf } from './commands.ts';

/** Switches that are lists, under each name that yargs gives them. */
const lists = [
  '_',
  'env',
  'e',
  'declared',
  'gate',
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

/** What yargs tells of the switches of a command. */
interface Known {
  readonly boolean?: readonly string[];
  readonly key?: Readonly<Record<string, unknown>>;
}

/**
 * What yargs accepts without a word, and makes something else of.
 * @param args as typed
 * @param given what yargs made of them
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
  ];
}

/** yargs gathers a repeated switch into a list, which only some are meant to be. */
const repeated = (given: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(given).filter((name) => Array.isArray(given[name]) && !lists.includes(name));

/** As if each switch that is no list were given once. */
export const eachOnce = <T extends Readonly<Record<string, unknown>>>(given: T): T => ({
  ...given,
  ...Object.fromEntries(repeated(given).map((name) => [name, (given[name] as readonly unknown[]).at(-1)])),
});

/** What yargs makes of `--flag=word` is false. */
function flagsWithValues(args: readonly string[], flags: readonly string[]): ConfigProblem[] {
  return args.flatMap((arg) => {
    const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (!flags.includes(name) || value === 'true' || value === 'false') return [];
    return [{ path: `--${name}`, message: 'takes no value', hint: `write --${name} or --no-${name}` }];
  });
}

/** An empty value, as of a variable of the shell that is not set, is 0 to yargs, or a text; and `--no-seed` is a seed that is false. */
function switchesWithoutValues(args: readonly string[], { boolean = [], key = {} }: Known): ConfigProblem[] {
  const isSwitch = (name: string) => name in key && !boolean.includes(name);
  const empty = args.flatMap((arg, index) => {
    const [, name = '', joined] = /^--?([A-Za-z][\w-]*)(=?)$/.exec(arg) ?? [];
    const next = args[index + 1];
    const isList = lists.includes(name) && joined === '' && (next === undefined || next.startsWith('-'));
    return isSwitch(name) && (joined === '=' || next === '' || isList) ? [name] : [];
  });
  const negated = args.flatMap((arg) => {
    const name = /^--no-([\w-]+)$/.exec(arg)?.[1] ?? '';
    return isSwitch(name) ? [name] : [];
  });
  return [
    ...empty.map((name) => ({
      path: name.length === 1 ? `-${name}` : `--${name}`,
      message: 'has no value',
      hint: 'give it one, or leave it out; if you pass a shell variable, check that it is set',
    })),
    ...negated.map((name) => ({ path: `--no-${name}`, message: 'has no meaning', hint: `leave --${name} out` })),
  ];
}

/** yargs takes `--scenario x` for the argument of that name, and then forgets one of two. */
function positionalsAsSwitches(args: readonly string[]): ConfigProblem[] {
  const command = commands.find((one) => wordOf(one) === args[0])?.command ?? '';
  const names = [...command.matchAll(/[<[](\w+)/g)].map((found) => found[1] ?? '');
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
