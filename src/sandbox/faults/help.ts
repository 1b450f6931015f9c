import type { Fault } from './fault.ts';
import { faults } from './registry.ts';
import { faultNames } from './rule.ts';
import { whenForms } from './when.ts';

/** Help text: the grammar of rules and a sentence per fault, generated from the registry. */
export function describeFaults(): string {
  const lines = faultNames.map((name) => {
    const fault: Fault = faults[name];
    return `  ${name}${fault.parameters}\n      ${fault.says}`;
  });
  return [
    'Faults, OPERATION:FAULT[:PARAMETER][:WHEN]',
    `  OPERATION  an operation, such as sendMessage, or * for every request`,
    `  WHEN       ${whenForms}`,
    '  Each rule numbers the requests that it applies to from 1. If several rules hit one request, the first one is outermost. Random choices follow from --seed. Durations are in service time.',
    '',
    ...lines,
  ].join('\n');
}
