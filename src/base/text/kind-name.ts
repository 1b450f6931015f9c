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

/** Converts zod's name of a type to the wording of messages: `int` → `a whole number`. Unknown names are kept. */
export const kindName = (expected: string): string => NAMES[expected] ?? expected;
