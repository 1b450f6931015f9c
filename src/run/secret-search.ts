import { type Sought, type Span, type View, viewsOf, withoutSpans } from '../client/index.ts';
import type { Search } from './cleaned.ts';

/** A secret as long as this is in nothing by chance. */
const SHORTEST_MEANT = 8;

/**
 * A search for several at once, each text being read once for all.
 * @param alsoIn what else may be in a text, by all the ways in which that can be read
 */
export const searchFor = (
  sought: readonly Sought[],
  alsoIn: (views: readonly View[]) => readonly Sought[] = () => [],
): Search => ({
  isIn(text) {
    const views = viewsOf(text);
    return sought.some((one) => one.isIn(views)) || alsoIn(views).some((one) => one.isIn(views));
  },
  redact(text, spared) {
    const views = viewsOf(text);
    const spans = [...sought, ...alsoIn(views)].flatMap((one) => (one.isIn(views) ? one.spansIn(views) : []));
    const wholes = spared === undefined || spans.length === 0 ? [] : spansOf(text, spared);
    const meant = wholes.length === 0 ? spans : spans.filter((span) => !isByChance(span, wholes));
    return meant.length === 0 ? text : withoutSpans(text, meant);
  },
});

/**
 * Whether what was found is a short piece of something that says something else: 1234 in a UUID, 5000 in 150000. Where it is the whole
 * of that it goes, though it may say something else there too: a secret must not be written.
 */
const isByChance = ([from, to]: Span, wholes: readonly Span[]): boolean =>
  to - from < SHORTEST_MEANT &&
  wholes.some(([first, behind]) => first <= from && to <= behind && to - from < behind - first);

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]);
