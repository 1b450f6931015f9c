import { SHORTEST_SECRET, secretsOfProxy } from '../../client/index.ts';
import { type LoadedScenario, resolveCredentials, resolveHeaders } from '../../scenario/index.ts';

/**
 * A warning for each secret of a remote target that is too short to be looked for in answers.
 * @throws ConfigurationError if one is not set
 */
export function shortSecrets(loaded: LoadedScenario, env: NodeJS.ProcessEnv): string[] {
  const isShort = ({ length }: string) => length > 0 && length < SHORTEST_SECRET;
  const { secrets } = resolveHeaders(loaded.profileFile, loaded.profile.client.headers, env);
  const short = [
    ...[...resolveCredentials(loaded, env)]
      .filter(([, { clientSecret }]) => isShort(clientSecret))
      .map(([label]) => `the client secret of application ${label}`),
    ...(secrets.some(isShort) ? ['a value from the environment in client.headers'] : []),
    ...(secretsOfProxy(loaded.profile.client.proxy).some(isShort) ? ['the password or key in client.proxy'] : []),
  ];
  return short.map(
    (what) =>
      `${what} has fewer than ${SHORTEST_SECRET} characters: it is not removed from answers, so an echo of it may get into the files of the run`,
  );
}
