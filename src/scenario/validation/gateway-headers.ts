import { isRecord } from '../../base/index.ts';
import { environmentNamesIn } from '../reading/environment.ts';
import { type Fault, valueAt } from './faults.ts';

/** Matches names of headers that usually contain a secret. */
const MAY_BE_SECRET = /key|token|secret|auth|cookie|password|signature/i;

/**
 * Reports secrets written in the file, where they would be stored and shared, and headers that are named twice.
 * @param profile as written, before variables are replaced
 */
export function gatewayHeaderFaults(profile: unknown): readonly Fault[] {
  const path = ['client', 'headers'];
  const headers = valueAt(profile, path);
  if (!isRecord(headers)) return [];
  const names = Object.keys(headers);
  return names.flatMap((name, index): readonly Fault[] => {
    const before = names.slice(0, index).find((other) => other.toLowerCase() === name.toLowerCase());
    if (before !== undefined)
      return [
        { path: [...path, name], atKey: true, message: `is the same header as ${before}`, hint: 'keep one of them' },
      ];
    if (!MAY_BE_SECRET.test(name) || typeof headers[name] !== 'string') return [];
    if (environmentNamesIn(headers[name]).length > 0) return [];
    const hint = `write for example ${name}: "\${env.GATEWAY_KEY}"`;
    return [{ path: [...path, name], message: 'must come from the environment', hint }];
  });
}
