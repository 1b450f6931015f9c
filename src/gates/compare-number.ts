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

const low: Readonly<Record<Operator, boolean>> = {
  '<': true,
  '<=': true,
  '>': false,
  '>=': false,
  '==': false,
  '!=': false,
};

/** Whether low numbers pass. */
export const wantsLow = (operator: Operator): boolean => low[operator];
