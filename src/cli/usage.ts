import { type ConfigProblem, nearest } from '../base/index.ts';

/** What of a command a mistake in its use can be explained with. */
export interface Usage {
  /** The command's, else the first word of the command line. */
  readonly word: string;
  /** Whether anything stands before the command. */
  readonly isLate: boolean;
  /** As yargs is told: `run <scenario>`. Absent: no command was recognised. */
  readonly command?: string;
  /** The command that the first word is near to, where it is none. */
  readonly meant?: string;
  /** Names of every switch that this command knows, without dashes. */
  readonly switches: readonly string[];
}

/** Says in the user's words what yargs found wrong, and what to write instead. */
export function usageProblems(message: string, { word, isLate, command, meant, switches }: Usage): ConfigProblem[] {
  const [name, ...positionals] = command?.split(' ') ?? [];
  const see = seeHelp(name);
  if (meant !== undefined && meant !== word)
    return [{ path: '', message: `${word} is not a command`, hint: `did you mean ${meant}?` }];
  if (isLate)
    return [{ path: '', message: 'the command comes first', hint: `write spillway ${word}, then its arguments` }];
  // No command at all is what yargs says first; a switch that there is not is the nearer mistake.
  if (command === undefined && /^--?[^-]/.test(word))
    return unknownSwitches(word.replace(/^-+|=.*$/gs, ''), switches, see);
  if (/^Not enough non-option arguments/.test(message)) {
    const wanted = positionals.find((word) => word.startsWith('<'))?.replace(/[<>.]/g, '') ?? 'argument';
    const article = /^[aeiou]/.test(wanted) ? 'an' : 'a';
    return [{ path: '', message: `${name} needs ${article} ${wanted.toUpperCase()}`, hint: see }];
  }
  // Said beside what is above.
  if (/^Missing required argument/.test(message)) return [];
  if (word === 'completion')
    return [{ path: '', message: 'completion takes no argument', hint: 'the variable SHELL says which shell' }];
  if (message.startsWith(INVALID_VALUES)) return [...message.matchAll(ONE_INVALID)].map((one) => notAmong(one));
  const unknown = /^Unknown arguments?: (.+)$/.exec(message)?.[1];
  if (unknown === undefined) return [{ path: '', message, hint: see }];
  return unknownSwitches(unknown, switches, see);
}

const seeHelp = (name: string | undefined): string => `see spillway ${name === undefined ? '' : `${name} `}--help`;

/** A switch of a command that is given without the value that it takes: where yargs meets one it reads no further. */
export function bareSwitch(message: string, { command, isLate, meant }: Usage): ConfigProblem | undefined {
  const bare = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (bare === undefined || isLate || meant !== undefined) return undefined;
  const path = `${bare.length === 1 ? '-' : '--'}${bare}`;
  return { path, message: 'needs a value', hint: seeHelp(command?.split(' ')[0]) };
}

/** @param unknown as yargs lists them, or one as typed; without dashes */
function unknownSwitches(unknown: string, switches: readonly string[], see: string): ConfigProblem[] {
  const given = withoutValue(unknown).split(', ');
  // Of a switch with hyphens, yargs tells its own spelling in camel case, too.
  const typed = given.filter((name) => !given.includes(hyphenated(name)) || name === hyphenated(name));
  return [...new Set(typed)].map((name) => {
    if (name.endsWith(CUT))
      return { path: '', message: `Unknown argument: ${name}`, hint: 'write -e before each NAME=VALUE' };
    const close = name.length < 2 ? undefined : nearest(name, switches);
    return {
      path: '',
      message: `Unknown argument: ${name}`,
      hint: close === undefined ? see : `did you mean --${close}?`,
    };
  });
}

/** yargs' own: `Argument: transport, Given: "wier", Choices: "auto", "wire"`, a line each. */
const INVALID_VALUES = 'Invalid values:';
const ONE_INVALID = /Argument: ([\w-]+), Given: (.*), Choices: (.*)/g;

function notAmong([, name = '', given = '', choices = '']: RegExpMatchArray): ConfigProblem {
  const unquoted = (text: string) => text.split(', ').map((one) => one.replace(/^"|"$/g, ''));
  const [wrong = ''] = unquoted(given).filter((one) => !unquoted(choices).includes(one));
  const near = nearest(wrong, unquoted(choices));
  const known = unquoted(choices).join(', ');
  return {
    path: `--${hyphenated(name)}`,
    message: `"${wrong}" is not one of its values`,
    hint: near === undefined ? `write one of ${known}` : `did you mean ${near}? It takes ${known}`,
  };
}

const hyphenated = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const CUT = '=…';

/** NAME=VALUE without the value, which may be a secret; the value may hold what separates arguments here, so all behind it goes too. */
const withoutValue = (text: string): string => text.replace(/=.*$/s, CUT);
