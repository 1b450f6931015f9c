import { formatCount, plural } from '../../base/index.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Possible, RuledOut } from './inference.ts';
import { allOf, nameOf, requestsOf } from './words.ts';

/** This many possible readings are named; the data has them all. */
const MOST_POSSIBLE = 2;
/** The same for those that are ruled out. */
const MOST_RULED_OUT = 3;

/** A limit of which no refusal is certain. */
export interface Unrefused {
  /** How many per window it must allow. */
  readonly needed: number;
  /** Whether there are refusals that may be by this limit. */
  readonly perhaps: boolean;
}

/**
 * What the limit behaves as. That several readings explain it comes first, so that the one named first is not taken for a finding.
 * @param unrefused if no refusal is certainly by this limit
 */
export function behaviour(
  possible: readonly Possible[],
  unrefused: Unrefused | undefined,
  { windowUs }: Bounds,
): string {
  if (unrefused) {
    const least = `${formatCount(unrefused.needed)}${windowUs > 0 ? ` per ${Number((windowUs / 1e6).toPrecision(6))} s` : ''} or higher`;
    return unrefused.perhaps
      ? `no refusal is certainly by this limit: it is ${least}`
      : `nothing was refused: the limit is ${least}`;
  }
  const [first, ...others] = possible;
  if (first === undefined) return 'behaves as no known limit';
  if (others.length === 0) return `behaves as ${first.says}`;
  const named = possible.slice(0, MOST_POSSIBLE).map(({ says }) => says);
  const more = possible.length - named.length;
  const rest = more === 0 ? [] : [plural(more, 'other')];
  return `${possible.length} readings explain it: ${[...named, ...rest].join(', or ')}`;
}

/** The same, and which requests rule which readings out. */
export function sentenceOf(behaves: string, possible: readonly Possible[], ruledOut: readonly RuledOut[]): string {
  const kept = new Set(possible.map(({ reading }) => reading));
  const others = ruledOut.filter(({ reading }) => !kept.has(reading));
  const out = others
    .slice(0, MOST_RULED_OUT)
    .map(({ reading, from, to }) => `${nameOf(reading)} is ruled out by ${requestsOf(from, to)}`);
  const rest = others.slice(MOST_RULED_OUT).map(({ reading }) => nameOf(reading));
  return [behaves, ...out, ...(rest.length > 0 ? [`so ${rest.length > 1 ? 'are' : 'is'} ${allOf(rest)}`] : [])].join(
    '; ',
  );
}
