import { type Fault, membersOf, valueAt } from './faults.ts';

export const ROUNDED = { message: 'is a number with more digits than are kept', hint: 'put it in quotes' };

/** Whether a number may have been written with other digits, which a text that names it would not have. */
export const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

export const roundedVariableFaults = (scenario: unknown): readonly Fault[] =>
  membersOf(valueAt(scenario, ['variables']))
    .filter(([, value]) => isRounded(value))
    .map(([name]) => ({ path: ['variables', name], ...ROUNDED }));
