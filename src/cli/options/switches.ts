/*
 * The kinds of switches. Those that take one value require it: yargs would otherwise take a switch without one for the empty text
 * or for 0.
 */

/** A text. Absent unless given. */
export const text = (describe: string) => ({ requiresArg: true, type: 'string', describe }) as const;

/** A number. Absent unless given. */
export const number = (describe: string) => ({ requiresArg: true, type: 'number', describe }) as const;

/** Texts, one per use of the switch. */
export const texts = (describe: string) =>
  ({ type: 'string', array: true, nargs: 1, default: [] as string[], describe }) as const;

/** Off unless given. */
export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;

/** The name of a switch as it is typed, from the camel case in which yargs also gives it. */
export const hyphenated = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A gate of the command line. */
export const gateSwitch = texts(
  "A gate in addition to the scenario's: 'METRIC: EXPRESSION', for example 'http_req_duration{operation:sendMessage}: p(95)<300' or 'limit.rate: held'; may be repeated. http_req_duration covers all answers, 429s included ({outcome:success} excludes them); http_req_failed ignores 429s (rate_limited counts them); iterations counts stopped journeys too ({outcome:completed} excludes them)",
);
