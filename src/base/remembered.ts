/**
 * Memoises a function of an object. A result is kept as long as its object lives; repeated calls with the same object skip even
 * the map lookup.
 * @param make a pure function; its argument must not be modified
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
