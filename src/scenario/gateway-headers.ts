import { type ConfigProblem, ConfigurationError } from '../base/index.ts';
import { environmentLookup, environmentNamesIn, substituteEnvironment } from './reading/environment.ts';

/** Headers that are added to every request, and their secret values. */
export interface GatewayHeaders {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that come from the environment wholly or in part, and those parts. */
  readonly secrets: readonly string[];
}

/** By name, with references such as `${env.GATEWAY_KEY}`. */
type WrittenHeaders = Readonly<Record<string, string>>;
/** With `-e NAME=VALUE` on top. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Printable ASCII. Implementations interpret other bytes, which RFC 9110 section 5.5 allows, in different ways. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Reads `client.headers` of a profile from the environment. Like credentials, not for the embedded sandbox.
 * @throws ConfigurationError that names every variable that is not set and every header with an invalid value, without the value
 */
export function resolveHeaders(file: string, written: WrittenHeaders, env: Environment): GatewayHeaders {
  const { filled, unset, malformed, lookup } = fill(file, written, env);
  throwAny([...unset, ...malformed]);
  const secrets = filled.flatMap(([name, text]) => {
    const names = environmentNamesIn(written[name]);
    return names.length === 0 ? [] : [text, ...names.map((variable) => lookup(variable) ?? '')];
  });
  return {
    headers: Object.fromEntries(filled.map(([name, text]) => [name.toLowerCase(), text])),
    secrets: [...new Set(secrets)],
  };
}

/**
 * What resolveHeaders would say of the values that are there: for where nothing is sent, so that none needs to be.
 * @throws ConfigurationError
 */
export const checkHeaders = (file: string, written: WrittenHeaders, env: Environment): void =>
  throwAny(fill(file, written, env).malformed);

function throwAny(problems: readonly ConfigProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

function fill(file: string, written: WrittenHeaders, env: Environment) {
  const lookup = environmentLookup(env);
  const { value, faults } = substituteEnvironment(written, lookup, () => false);
  const filled = Object.entries(value as WrittenHeaders);
  const lacking = new Set(faults.map(({ path }) => path[0]));
  const pathOf = (name: string) => `client.headers.${name}`;
  const unset = faults.map(
    ({ path, message, hint = '' }): ConfigProblem => ({ file, path: pathOf(String(path[0])), message, hint }),
  );
  const malformed = filled
    .filter(([name, text]) => !lacking.has(name) && !VALUE.test(text))
    .map(
      ([name]): ConfigProblem => ({
        file,
        path: pathOf(name),
        message: 'has a value that is not allowed in a header',
        hint: 'use printable ASCII without line breaks or surrounding blanks',
      }),
    );
  return { filled, unset, malformed, lookup };
}
