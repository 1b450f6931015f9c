import type { Operator } from '../metrics/index.ts';

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

/** Whether low numbers pass. */
export const wantsLow = (operator: Operator): boolean => operator === '<' || operator === '<=';
