import { type Sought, type Span, type View, viewsOf, withoutSpans } from '../../client/index.ts';
import type { Search } from './cleaned.ts';

/** A secret of at least this length does not occur in another value by chance. */
const SHORTEST_MEANT = 8;

/**
 * A search for several secrets at once, which decodes each text only once.
 * @param alsoIn further secrets that may be in a text, selected by its decoded views
 */
export const searchFor = (
  sought: readonly Sought[],
  alsoIn: (views: readonly View[]) => readonly Sought[],
): Search => ({
  isIn(text) {
    const views = viewsOf(text);
    return sought.some((one) => one.isIn(views)) || alsoIn(views).some((one) => one.isIn(views));
  },
  redact(text, spared) {
    const views = viewsOf(text);
    const spans = [...sought, ...alsoIn(views)].flatMap((one) => (one.isIn(views) ? one.spansIn(views) : []));
    const values = spared === undefined || spans.length === 0 ? [] : spansOf(text, spared);
    const redacted = values.length === 0 ? spans : spans.filter((span) => !isByChance(span, values));
    return redacted.length === 0 ? text : withoutSpans(text, redacted);
  },
});

/**
 * Whether a short match is only a part of a larger value, such as 1234 in a UUID or 5000 in 150000. A match of the whole value is
 * always removed, even if it may be something else, because a secret must never be written.
 */
const isByChance = ([from, to]: Span, values: readonly Span[]): boolean =>
  to - from < SHORTEST_MEANT &&
  values.some(([first, behind]) => first <= from && to <= behind && to - from < behind - first);

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]);
