import { type ConfigProblem, nearest, shellWord } from '../../base/index.ts';
import { hyphenated } from '../options/switches.ts';
import { otherCommandHint, otherWordHint } from './other-words.ts';

/** What is known about a command, to explain mistakes in its use. */
export interface Usage {
  /** Name of the command, or the first word of the command line if none was recognized. */
  readonly word: string;
  /** Whether the command is not the first word. */
  readonly isLate: boolean;
  /** In the syntax of yargs: `run <scenario>`; `undefined`: no command was recognized. */
  readonly command: string | undefined;
  /** The command that the first word resembles, if it is not a command. */
  readonly meant: string | undefined;
  /** Names of all switches of the command, without dashes. */
  readonly switches: readonly string[];
}

/** Rephrases a message of yargs, with what to write instead. */
export function usageProblems(message: string, { word, isLate, command, meant, switches }: Usage): ConfigProblem[] {
  const [name, ...positionals] = command?.split(' ') ?? [];
  const see = seeHelp(name);
  if (meant !== undefined && meant !== word) return noCommand(word, `did you mean ${meant}?`);
  if (isLate)
    return [{ path: '', message: 'the command comes first', hint: `write spillway ${word}, then its arguments` }];
  // yargs reports the missing command first, but an unknown switch is more likely the mistake.
  if (command === undefined && /^--?[^-]/.test(word))
    return unknownSwitches(word.replace(/^-+|=.*$/gs, ''), switches, see);
  if (word === 'completion')
    return [{ path: '', message: 'completion takes no argument', hint: 'the variable SHELL says which shell' }];
  if (command === undefined && word !== '')
    return noCommand(
      word,
      isScenario(word) ? `write spillway run ${shellWord(word)}` : (otherCommandHint(word) ?? see),
    );
  if (/^Not enough non-option arguments/.test(message)) {
    const wanted = positionals.find((word) => word.startsWith('<'))?.replace(/[<>.]/g, '') ?? 'argument';
    const article = /^[aeiou]/.test(wanted) ? 'an' : 'a';
    return [{ path: '', message: `${name} needs ${article} ${wanted.toUpperCase()}`, hint: see }];
  }
  // yargs reports this in addition to the message above.
  if (/^Missing required argument/.test(message)) return [];
  if (message.startsWith(INVALID_VALUES)) return [...message.matchAll(ONE_INVALID)].flatMap((one) => notAmong(one));
  const unknown = /^Unknown arguments?: (.+)$/.exec(message)?.[1];
  if (unknown === undefined) return [{ path: '', message, hint: see }];
  return unknownSwitches(unknown, switches, see);
}

const noCommand = (word: string, hint: string): ConfigProblem[] => [
  { path: '', message: `${withoutValue(word)} is not a command`, hint },
];

const isScenario = (word: string): boolean => /^[^=]+\.(ya?ml|json|m?[jt]s)$/.test(word);

const seeHelp = (name: string | undefined): string => `see spillway ${name === undefined ? '' : `${name} `}--help`;

/** The problem of a switch without its value, at which yargs stops parsing. */
export function bareSwitch(message: string, { command, isLate, meant }: Usage): ConfigProblem | undefined {
  const bare = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (bare === undefined || isLate || meant !== undefined) return undefined;
  const path = `${bare.length === 1 ? '-' : '--'}${bare}`;
  return { path, message: 'needs a value', hint: seeHelp(command?.split(' ')[0]) };
}

/** @param unknown names as listed by yargs, or one as typed; without dashes */
function unknownSwitches(unknown: string, switches: readonly string[], see: string): ConfigProblem[] {
  const given = withoutValue(unknown).split(', ');
  // For a switch with hyphens, yargs also lists the spelling in camel case.
  const typed = given.filter((name) => !given.includes(hyphenated(name)) || name === hyphenated(name));
  return [...new Set(typed)].map((name) => {
    if (name.endsWith(CUT)) return { path: '', message: `Unknown argument: ${name}`, hint: before(name) };
    const elsewhere = switches.includes('profile') ? otherWordHint(name) : undefined;
    const close = name.length < 2 ? undefined : nearest(name, switches);
    const hint = elsewhere ?? (close === undefined ? see : `did you mean --${close}?`);
    return { path: '', message: `Unknown argument: ${name}`, hint };
  });
}

/** Message of yargs, one line per switch: `Argument: transport, Given: "wier", Choices: "auto", "wire"`. */
const INVALID_VALUES = 'Invalid values:';
const ONE_INVALID = /Argument: ([\w-]+), Given: (.*), Choices: (.*)/g;

function notAmong([, name = '', given = '', choices = '']: RegExpMatchArray): ConfigProblem[] {
  // Told as a switch without a value.
  if (given === '""') return [];
  const unquoted = (text: string) => text.split(', ').map((one) => one.replace(/^"|"$/g, ''));
  // Several values, or one with a comma: if each part of it is among the choices, the whole is not.
  const [wrong = given.replace(/^"|"$/g, '')] = unquoted(given).filter(
    (one) => one !== '' && !unquoted(choices).includes(one),
  );
  const near = nearest(wrong, unquoted(choices));
  const known = unquoted(choices).join(', ');
  return [
    {
      path: `--${hyphenated(name)}`,
      message: `"${wrong}" is not one of its values`,
      hint: near === undefined ? `write one of ${known}` : `did you mean ${near}? It takes ${known}`,
    },
  ];
}

const CUT = '=…';

/** Names of variables have no dots or brackets. */
const before = (assignment: string): string =>
  /[.[]/.test(assignment) ? 'write --set before each PATH=VALUE' : 'write -e before each NAME=VALUE';

/** Cuts NAME=VALUE after the name, because the value may be a secret. Cuts everything after it, because the value may contain the separator. */
const withoutValue = (text: string): string => text.replace(/=.*$/s, CUT);
