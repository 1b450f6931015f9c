import { type OperationId, operationIds } from '../../api/index.ts';
import { nearest } from '../../base/index.ts';
import type { Fault, Problem, Strike } from './fault.ts';
import { type FaultName, faults } from './registry.ts';
import { readWhen, type When, whenForms } from './when.ts';

/** One configured fault: `OPERATION:FAULT[:PARAMETER…][:WHEN]`. */
export interface FaultRule {
  /** Source text of the rule. */
  readonly text: string;
  /** `*`: every request, including those for unknown routes. */
  readonly operation: OperationId | '*';
  readonly name: FaultName;
  readonly when: When;
  readonly strike: Strike;
}

/** Parses a rule. @returns the rule, or what is wrong with it */
export function parseFault(text: string): FaultRule | Problem {
  const wrong = (problem: string) => ({ problem: `"${text}": ${problem}` });
  const [operation = '', name = '', ...rest] = text.split(':');
  if (operation !== '*' && !isOperation(operation)) {
    return wrong(`there is no operation "${operation}"${suggestion(operation, operationIds)}; write * for all of them`);
  }
  if (!isFault(name)) {
    return wrong(`there is no fault "${name}"${suggestion(name, faultNames)}; there are ${faultNames.join(', ')}`);
  }
  const fault: Fault = faults[name];
  if (!fits(fault, operation)) return wrong(`${name} happens to ${targets[fault.target]}`);
  const when = readWhen(rest.at(-1) ?? '');
  if (when && 'problem' in when) return wrong(`${when.problem}; write ${whenForms}`);
  const strike = fault.read(when ? rest.slice(0, -1) : rest);
  if (typeof strike !== 'function') return wrong(`${name}${fault.parameters}: ${strike.problem}`);
  return { text, operation, name, when: when ?? { kind: 'always' }, strike };
}

/** What is wrong with a rule; `undefined` if nothing is. */
export function problemOfFault(text: string): string | undefined {
  const rule = parseFault(text);
  return 'problem' in rule ? rule.problem : undefined;
}

export const faultNames = Object.keys(faults) as readonly FaultName[];

const isOperation = (text: string): text is OperationId => (operationIds as readonly string[]).includes(text);
const isFault = (text: string): text is FaultName => Object.hasOwn(faults, text);

const targets = {
  request: 'every request',
  body: 'answers with a body, and openStream opens a stream; write another operation or *',
  stream: 'streams; write openStream or *',
} as const;

function fits({ target }: Fault, operation: OperationId | '*'): boolean {
  if (operation === '*' || target === 'request') return true;
  return (target === 'stream') === (operation === 'openStream');
}

function suggestion(word: string, candidates: readonly string[]): string {
  const guess = nearest(word, candidates);
  return guess === undefined ? '' : `, did you mean ${guess}`;
}
