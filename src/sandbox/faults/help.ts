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
    'Faults, OPERATION:FAULT[:PARAMETER][:WHEN]',
    `  OPERATION  an operation, such as sendMessage, or * for every request`,
    `  WHEN       ${whenForms}`,
    '  Requests are numbered from 1 for each rule. Of several rules that strike one request the first is outermost. What chance decides follows from the seed. Durations are on the clock of the service.',
    '',
    ...lines,
  ].join('\n');
}
