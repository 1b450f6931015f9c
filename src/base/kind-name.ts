const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** A kind of value, by zod's name for it, as messages name it: `int` → `a whole number`. */
export const kindName = (expected: string): string => NAMES[expected] ?? expected;
