import type { Fault } from './fault.ts';
import { faults } from './registry.ts';
import { faultNames } from './rule.ts';
import { whenForms } from './when.ts';

/** The grammar of rules and every fault with its sentence, for help. Made from the registry. */
export function describeFaults(): string {
  const lines = faultNames.map((name) => {
    const fault: Fault = faults[name];
    return `  ${name}${fault.parameters}\n      ${fault.says}`;
  });
  return [
    'Faults, written OPERATION:FAULT[:PARAMETER][:WHEN]. OPERATION is an operation, such as sendMessage, or * for every',
    `request. WHEN is ${whenForms}; requests are numbered from 1`,
    'per rule. Several rules may strike one request: the first is outermost. The seed decides what chance decides.',
    "Durations are on the service's clock.",
    ...lines,
  ].join('\n');
}
