import type { BasicCredentials, TargetProfile } from '../api/index.ts';
import { type ConfigProblem, ConfigurationError } from '../base/index.ts';
import { environmentLookup, environmentNamesIn, missingEnvironment } from './reading/environment.ts';
import type { Scenario } from './schema/schema.ts';

/** A partner application of the scenario. */
export interface LoadedApplication {
  readonly label: string;
  /** References such as `${env.SPILLWAY_CLIENT_ID}`, never values. Absent: only the embedded sandbox can create them. */
  readonly credentials?: { readonly clientId: string; readonly clientSecret: string };
}

type Resolved = readonly [label: string, credentials: BasicCredentials];

const defaultReferences = { clientId: '${env.SPILLWAY_CLIENT_ID}', clientSecret: '${env.SPILLWAY_CLIENT_SECRET}' };

/** The applications of a scenario in order; default `a1` with the profile's credentials. */
export function applicationsOf(
  scenario: Pick<Scenario, 'applications'>,
  profile: Pick<TargetProfile, 'credentials'>,
): readonly LoadedApplication[] {
  if (scenario.applications === undefined)
    return [{ label: 'a1', credentials: profile.credentials ?? defaultReferences }];
  return Object.entries(scenario.applications).map(([label, credentials]) =>
    credentials === null ? { label } : { label, credentials },
  );
}

/**
 * Reads the applications' credentials from the environment. Not for the embedded sandbox, which creates its own.
 * @param env the environment with `-e NAME=VALUE` on top
 * @returns credentials by application label, in the scenario's order
 * @throws ConfigurationError that names every variable that is not set
 */
export function resolveCredentials(
  loaded: { readonly file: string; readonly applications: readonly LoadedApplication[] },
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, BasicCredentials> {
  const problems: ConfigProblem[] = [];
  const lookup = environmentLookup(env);
  const read = (label: string, reference: string): string => {
    const name = environmentNamesIn(reference)[0] ?? '';
    const value = lookup(name);
    if (value !== undefined) return value;
    const message = `application ${label} needs the environment variable ${name}, which is not set`;
    problems.push({ file: loaded.file, path: '', message, hint: missingEnvironment(name).hint });
    return '';
  };
  const resolved = loaded.applications.map(({ label, credentials }): Resolved => {
    if (credentials) {
      const [clientId, clientSecret] = [read(label, credentials.clientId), read(label, credentials.clientSecret)];
      return [label, { kind: 'basic', clientId, clientSecret }];
    }
    const message = `application ${label} has no credentials; only the embedded sandbox can create them`;
    const hint = `write ${label}: { clientId: "\${env.…}", clientSecret: "\${env.…}" }`;
    problems.push({ file: loaded.file, path: `applications.${label}`, message, hint });
    return [label, { kind: 'basic', clientId: '', clientSecret: '' }];
  });
  problems.push(...sharedClients(loaded.file, resolved), ...unsendable(loaded.file, resolved));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return new Map(resolved);
}

/** The server takes everything after the first colon as the secret (RFC 7617 section 2), so a client id must not contain one. */
const unsendable = (file: string, resolved: readonly Resolved[]): ConfigProblem[] =>
  resolved
    .filter(([, { clientId }]) => clientId.includes(':'))
    .map(([label]) => ({
      file,
      path: `applications.${label}`,
      message: 'has a client id with a colon, which HTTP Basic authentication cannot carry',
      hint: 'put the id and the secret into separate variables',
    }));

/** One application with two labels would be judged as two: units used under one label would look like a fault under the other. */
function sharedClients(file: string, resolved: readonly Resolved[]): ConfigProblem[] {
  const owners = new Map<string, string>();
  return resolved.flatMap(([label, { clientId }]) => {
    const owner = owners.get(clientId);
    if (clientId === '' || owner === undefined) {
      owners.set(clientId, label);
      return [];
    }
    const message = `has the same client id as ${owner}: the service takes them for one application`;
    return [
      { file, path: `applications.${label}`, message, hint: 'remove one of them, or give it its own credentials' },
    ];
  });
}
