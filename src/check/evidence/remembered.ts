import type { Bounds } from './bounds.ts';

/**
 * Answers a question about a slice once: readings share such questions and ask them one after another. If the answer depends on
 * the bounds, only that for the last bounds is kept. Unlike `rememberedOf` of `base/`, nothing is kept alive.
 * @param answer a pure function
 */
export function rememberedFor<S extends object, V>(answer: (slice: S) => V): (slice: S) => V;
export function rememberedFor<S extends object, V>(
  answer: (slice: S, bounds: Bounds) => V,
): (slice: S, bounds: Bounds) => V;
export function rememberedFor<S extends object, V>(
  answer: (slice: S, bounds: Bounds) => V,
): (slice: S, bounds: Bounds) => V {
  const known = new WeakMap<S, { readonly bounds: Bounds; readonly value: V }>();
  return (slice, bounds) => {
    const last = known.get(slice);
    if (last !== undefined && last.bounds === bounds) return last.value;
    const value = answer(slice, bounds);
    known.set(slice, { bounds, value });
    return value;
  };
}
