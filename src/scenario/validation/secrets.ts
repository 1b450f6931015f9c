import type { Fault } from './faults.ts';
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
