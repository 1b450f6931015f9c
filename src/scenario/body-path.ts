/**
 * The value at a dotted path of a JSON body: `messages.0.role`. Array items count from 0; a member whose name holds a dot
 * cannot be reached. Only a value's own members are seen, never what it inherits.
 * @returns `undefined` when there is nothing at the path
 */
export function readPath(body: unknown, path: string): unknown {
  let value = body;
  for (const member of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    // The length of an array is its own, but no member of the JSON value.
    if (Array.isArray(value) && !/^\d+$/.test(member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}

/**
 * What a step's `capture` finds in an answer.
 * @param capture name → dotted path
 * @returns the values found by name, and the names that found nothing (null counts as nothing)
 */
export function captureFrom(
  capture: Readonly<Record<string, string>>,
  body: unknown,
): { readonly values: Readonly<Record<string, unknown>>; readonly absent: readonly string[] } {
  const found = Object.entries(capture).map(([name, path]) => [name, readPath(body, path)] as const);
  const isValue = (value: unknown) => value !== undefined && value !== null;
  return {
    values: Object.fromEntries(found.filter(([, value]) => isValue(value))),
    absent: found.filter(([, value]) => !isValue(value)).map(([name]) => name),
  };
}
