/**
 * The value at a dotted path of a JSON body: `messages.0.role`. Array items count from 0. A member whose name contains a dot
 * cannot be reached. Only own members are found, not inherited ones.
 * @returns undefined if there is nothing at the path
 */
export function readPath(body: unknown, path: string): unknown {
  let value = body;
  for (const member of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    // `length` is an own property of an array, but not part of the JSON value.
    if (Array.isArray(value) && !/^\d+$/.test(member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}

/**
 * Extracts the values of a step's `capture` from an answer.
 * @param capture name → dotted path
 * @returns the values by name, and the names without a value (null counts as none)
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
