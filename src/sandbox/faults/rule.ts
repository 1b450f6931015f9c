import { type OperationId, operationIds } from '../../api/index.ts';
import { nearest } from '../../base/index.ts';
import type { Fault, Problem, Strike } from './fault.ts';
import { type FaultName, faults } from './registry.ts';
import { readWhen, type When } from './when.ts';

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

/** Parses a rule. @returns the rule, or everything that is wrong with it */
export function parseFault(text: string): FaultRule | Problem {
  const [place = '', name = '', ...rest] = text.split(':');
  const last = readWhen(rest.at(-1) ?? '');
  const when = last ?? { kind: 'always' };
  const operation = operationOf(place);
  const strike = strikeOf(name, last ? rest.slice(0, -1) : rest);
  const problems = [operation, misfit(name, operation), strike, when].filter(isProblem);
  if (isProblem(operation) || isProblem(strike) || isProblem(when) || !isFault(name) || problems.length > 0)
    return { problem: `"${text}": ${problems.map(({ problem }) => problem).join('; ')}` };
  return { text, operation, name, when, strike };
}

const isProblem = (part: unknown): part is Problem => typeof part === 'object' && part !== null && 'problem' in part;

function operationOf(word: string): OperationId | '*' | Problem {
  if (word === '*' || isOperation(word)) return word;
  return { problem: `there is no operation "${word}"${suggestion(word, operationIds)}; write * for all of them` };
}

function strikeOf(name: string, words: readonly string[]): Strike | Problem {
  if (!isFault(name))
    return {
      problem: `there is no fault "${name}"${suggestion(name, faultNames)}; there are ${faultNames.join(', ')}`,
    };
  const fault: Fault = faults[name];
  const strike = fault.read(words);
  return typeof strike === 'function' ? strike : { problem: `${name}${fault.parameters}: ${strike.problem}` };
}

/** That the fault does not happen to the operation. */
function misfit(name: string, operation: OperationId | '*' | Problem): Problem | undefined {
  if (!isFault(name) || isProblem(operation) || fits(faults[name], operation)) return undefined;
  return { problem: `${name} happens to ${targets[faults[name].target]}` };
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
