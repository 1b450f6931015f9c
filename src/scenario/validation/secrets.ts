import type { Fault, Path } from './faults.ts';
import { gatewayHeaderFaults } from './gateway-headers.ts';
import { proxyFaults } from './proxy.ts';

/**
 * Reports secrets that are written in a profile instead of coming from the environment.
 * @param profile as written, before variables are replaced
 */
export const secretFaults = (profile: unknown): readonly Fault[] => [
  ...proxyFaults(profile),
  ...gatewayHeaderFaults(profile),
];

const HOLDERS: readonly PropertyKey[] = ['credentials', 'applications', 'headers', 'proxy'];

/** Whether a value of a scenario or a profile may be a secret that was written in place of its variable. */
export const holdsSecrets = (path: Path): boolean => path.some((key) => HOLDERS.includes(key));
