import type { Operator } from '../metrics/index.ts';

/** Whether a number stands in a relation to a threshold. */
export function holds(observed: number, operator: Operator, threshold: number): boolean {
  switch (operator) {
    case '<':
      return observed < threshold;
    case '<=':
      return observed <= threshold;
    case '>':
      return observed > threshold;
    case '>=':
      return observed >= threshold;
    case '==':
      return observed === threshold;
    case '!=':
      return observed !== threshold;
  }
}

/** Whether a low number is what passes. */
export const wantsLow = (operator: Operator): boolean => operator === '<' || operator === '<=';
