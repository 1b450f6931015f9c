import type { Bounds } from '../bounds.ts';
import type { Possible, RuledOut } from './inference.ts';
import { allOf, nameOf, requestsOf } from './words.ts';

/** This many readings are named; the data has them all. */
const MOST_NAMED = 3;

/**
 * What the limit behaves as.
 * @param most how many possible readings are named at most
 * @param needed if nothing was refused: how many per window the limit must allow, if known
 */
export function behaviour(
  possible: readonly Possible[],
  needed: number | undefined,
  { windowUs }: Bounds,
  most = MOST_NAMED,
): string {
  if (needed !== undefined)
    return `nothing was refused: the limit is ${needed}${windowUs > 0 ? ` per ${Number((windowUs / 1e6).toPrecision(6))} s` : ''} or higher`;
  if (possible.length === 0) return 'behaves as no known limit';
  const named = possible.slice(0, most).map(({ says }) => says);
  const more = possible.length - named.length;
  return `behaves as ${named.join(', or as ')}${more > 0 ? `, or as ${more} other ${more === 1 ? 'reading' : 'readings'}` : ''}`;
}

/** The same, and which requests rule which readings out. */
export function sentenceOf(behaves: string, possible: readonly Possible[], ruledOut: readonly RuledOut[]): string {
  const kept = new Set(possible.map(({ reading }) => reading));
  const others = ruledOut.filter(({ reading }) => !kept.has(reading));
  const out = others
    .slice(0, MOST_NAMED)
    .map(({ reading, from, to }) => `${nameOf(reading)} is ruled out by ${requestsOf(from, to)}`);
  const rest = others.slice(MOST_NAMED).map(({ reading }) => nameOf(reading));
  return [behaves, ...out, ...(rest.length > 0 ? [`so ${rest.length > 1 ? 'are' : 'is'} ${allOf(rest)}`] : [])].join(
    '; ',
  );
}
