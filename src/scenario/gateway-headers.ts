import { type ConfigProblem, ConfigurationError } from '../base/index.ts';
import { environmentLookup, environmentNamesIn, substituteEnvironment } from './reading/environment.ts';

/** What every request says beside its own headers, and which of it must not be seen. */
export interface GatewayHeaders {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that come from the environment, or have a part that does, and those parts. */
  readonly secrets: readonly string[];
}

/** Printable ASCII: what else may stand in a header (RFC 9110 section 5.5) is read differently by whom it meets. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Reads `client.headers` of a profile from the environment. To be called for a target that is not the embedded sandbox, as credentials.
 * @param written by name, with references such as `${env.GATEWAY_KEY}`
 * @param env the environment with `-e NAME=VALUE` on top
 * @throws ConfigurationError that names every variable that is not set, and every value that no header can hold, without the value
 */
export function resolveHeaders(
  file: string,
  written: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): GatewayHeaders {
  const lookup = environmentLookup(env, {});
  const { value, faults } = substituteEnvironment(written, lookup, () => false);
  const filled = Object.entries(value as Record<string, string>);
  const unset = new Set(faults.map(({ path }) => path[0]));
  const problems: ConfigProblem[] = [
    ...faults.map(({ path, message, hint }) => ({
      file,
      path: `client.headers.${String(path[0])}`,
      message,
      hint: hint ?? '',
    })),
    ...filled
      .filter(([name, text]) => !unset.has(name) && !VALUE.test(text))
      .map(([name]) => ({
        file,
        path: `client.headers.${name}`,
        message: 'has a value that is not allowed in a header',
        hint: 'use printable ASCII without line breaks or surrounding blanks',
      })),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
  const secrets = filled.flatMap(([name, text]) => {
    const names = environmentNamesIn(written[name]);
    return names.length === 0 ? [] : [text, ...names.map((variable) => lookup(variable) ?? '')];
  });
  return {
    headers: Object.fromEntries(filled.map(([name, text]) => [name.toLowerCase(), text])),
    secrets: [...new Set(secrets)],
  };
}
