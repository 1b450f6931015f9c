/** Sets of instants on a circle of circumference W: where fixed windows may begin. */

/** A closed arc is [from, to] with 0 ≤ from ≤ to ≤ W; a set is a rising list of disjoint arcs. */
export type ArcSet = readonly (readonly [number, number])[];

export const wholeCircle = (windowUs: number): ArcSet => [[0, windowUs]];

const turn = (at: number, windowUs: number) => ((at % windowUs) + windowUs) % windowUs;

/** The closed arc from `from` onwards to `to` (to − from < W), cut at zero, which is the same point as W. */
export function arcSet(from: number, to: number, windowUs: number): ArcSet {
  if (to - from >= windowUs) return wholeCircle(windowUs);
  const begin = turn(from, windowUs);
  const end = begin + (to - from);
  if (end >= windowUs)
    return [
      [0, end - windowUs],
      [begin, windowUs],
    ];
  return begin > 0
    ? [[begin, end]]
    : [
        [0, end],
        [windowUs, windowUs],
      ];
}

/** Intersection of both sets. */
export function intersect(a: ArcSet, b: ArcSet): ArcSet {
  const both: (readonly [number, number])[] = [];
  for (const [from, to] of a)
    for (const [otherFrom, otherTo] of b) {
      const begin = Math.max(from, otherFrom);
      const end = Math.min(to, otherTo);
      if (begin <= end) both.push([begin, end]);
    }
  return both.sort((x, y) => x[0] - y[0]);
}

/** Whether both sets have an instant in common. */
export function meet(a: ArcSet, b: ArcSet): boolean {
  for (let [i, k] = [0, 0]; i < a.length && k < b.length; ) {
    const [[from, to], [otherFrom, otherTo]] = [a[i] as ArcSet[number], b[k] as ArcSet[number]];
    if (Math.max(from, otherFrom) <= Math.min(to, otherTo)) return true;
    if (to < otherTo) i += 1;
    else k += 1;
  }
  return false;
}

/** Whether every arc of a set lies within one of the others, so that intersecting them would change nothing. */
export const isWithin = (set: ArcSet, others: ArcSet): boolean =>
  set.every(([from, to]) => others.some(([begin, end]) => begin <= from && to <= end));

/** Removes the open arc (from, to). */
export function exclude(set: ArcSet, from: number, to: number, windowUs: number): ArcSet {
  if (to <= from) return set;
  if (to - from > windowUs) return [];
  // What is left of the circle is the closed arc from the end of the removed arc round to its beginning.
  return intersect(set, arcSet(to, from + windowUs, windowUs));
}

/** Whether the open arc (from, to) meets the set. */
export function touches(set: ArcSet, from: number, to: number, windowUs: number): boolean {
  if (to - from >= windowUs) return true;
  const begin = turn(from, windowUs);
  const end = begin + (to - from);
  for (const [left, right] of set)
    if ((begin < right && end > left) || (begin < right + windowUs && end > left + windowUs)) return true;
  return false;
}
