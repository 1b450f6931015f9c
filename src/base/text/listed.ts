/** A list of the items that are there: `listed(isTorn && 'torn', count > 0 && texts(count))`. */
export const listed = <T>(...items: readonly (T | false | undefined)[]): T[] =>
  items.filter((item): item is T => item !== false && item !== undefined);

/** The items by their keys, which are in the order of their first items. Node has it as `Map.groupBy` only from version 21 on. */
export function groupedBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
