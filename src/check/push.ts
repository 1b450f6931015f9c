/** Appends to the list of a key. */
export function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Values by key, in their order; keys in the order of their first values. */
export function grouped<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const value of values) push(lists, keyOf(value), value);
  return lists;
}
