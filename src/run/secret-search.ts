import { type Sought, type View, viewsOf, withoutSpans } from '../client/index.ts';
import type { Search } from './cleaned.ts';

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
  redact(text) {
    const views = viewsOf(text);
    const spans = [...sought, ...alsoIn(views)].flatMap((one) => (one.isIn(views) ? one.spansIn(views) : []));
    return spans.length === 0 ? text : withoutSpans(text, spans);
  },
});
