import { problemOfFault } from '../../sandbox/index.ts';
import { type Fault, itemsOf, valueAt } from '../../scenario/index.ts';

/**
 * Mistakes in the rules of a scenario's `sandbox.faults`, whose grammar only the sandbox knows.
 * @param sandbox of any shape
 */
export const sandboxFaults = (sandbox: unknown): readonly Fault[] =>
  itemsOf(valueAt(sandbox, ['faults'])).flatMap((_, index): readonly Fault[] => {
    const path = ['faults', index];
    const rule = valueAt(sandbox, path);
    const message = typeof rule === 'string' ? problemOfFault(rule) : undefined;
    return message === undefined ? [] : [{ path, message }];
  });
