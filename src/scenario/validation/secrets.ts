import type { Fault } from './faults.ts';
import { gatewayHeaderFaults } from './gateway-headers.ts';
import { proxyFaults } from './proxy.ts';

/**
 * Secrets that stand in a profile instead of in the environment.
 * @param profile as it is written, before variables are filled in
 */
export const secretFaults = (profile: unknown): readonly Fault[] => [
  ...proxyFaults(profile),
  ...gatewayHeaderFaults(profile),
];
