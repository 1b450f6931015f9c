/**
 * A function of an object that is asked again and again with the same one: what it returns is kept as long as the object lives,
 * and found without looking where the object is the one before.
 * @param make pure; of an object that does not change
 */
export function rememberedOf<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  let last: { readonly of: K; readonly value: V } | undefined;
  return (of) => {
    if (last?.of === of) return last.value;
    const found = known.get(of);
    const value = found !== undefined || known.has(of) ? (found as V) : make(of);
    if (found === undefined) known.set(of, value);
    last = { of, value };
    return value;
  };
}
