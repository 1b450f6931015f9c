import { environmentNamesIn } from '../reading/environment.ts';
import { type Fault, isRecord, valueAt } from './faults.ts';

/** As names of headers that hold a secret mostly are. */
const MAY_BE_SECRET = /key|token|secret|auth|cookie|password|signature/i;

/**
 * Keys that stand in the file, where they would be kept and shared, and a header that is named twice.
 * @param profile as it is written, before variables are filled in
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
