import { expect, it } from 'vitest';
import { incompleteText } from './incomplete.ts';

it.each(['constructor', '__proto__', 'toString'])(
  'takes %s of an end record for a reason that it does not know',
  (reason) => {
    expect(incompleteText({ incompleteBecause: reason })).toBe(reason);
    expect(incompleteText({ incompleteBecause: 'budget' })).toBe('its budget was spent');
  },
);
