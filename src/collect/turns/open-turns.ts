import type { Micros } from '../../base/index.ts';
import type { Turn } from '../../history/index.ts';
import type { OpenTurns } from '../summary.ts';

const SECOND_US = 1_000_000;

/** A closed interval that may have no end. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Both ends are included: at its last possible instant a turn may still be in process. */
const possibleSpans = (turns: readonly Turn[]): Span[] =>
  turns.flatMap(({ possible }) =>
    possible.from === undefined ? [] : [{ from: possible.from, to: possible.to ?? Number.POSITIVE_INFINITY }],
  );

/** The end is excluded: two turns that touch in one instant do not certainly overlap. */
const certainSpans = (turns: readonly Turn[]): Span[] =>
  turns.flatMap(({ certain }) => (certain ? [{ from: certain.from, to: certain.to - 1 }] : []));

/**
 * The highest numbers of turns in process at one instant.
 * @param from earlier instants are left out, but not turns that were still open then
 */
export function openTurns(turns: readonly Turn[], from: Micros): OpenTurns {
  // What ended earlier then ends before it begins, and counts nowhere.
  const clip = (spans: Span[]) => spans.map((span) => ({ from: Math.max(span.from, from), to: span.to }));
  return {
    maxCertain: highest(clip(certainSpans(turns))),
    maxPossible: highest(clip(possibleSpans(turns))),
  };
}

/**
 * The highest numbers in one bucket of the limit's scope.
 * @param counter label of a turn's bucket
 */
export function fullestOpen(
  turns: readonly Turn[],
  from: Micros,
  counter: (turn: Turn) => string,
): Pick<OpenTurns, 'fullest'> {
  const all = openTurnsByCounter(turns, from, counter)
    .filter(({ maxPossible }) => maxPossible > 0)
    .sort((a, b) => b.maxPossible - a.maxPossible || b.maxCertain - a.maxCertain || (a.of < b.of ? -1 : 1));
  const [most] = all;
  return most ? { fullest: { ...most, among: all.length } } : {};
}

/** The highest numbers of each bucket. */
function openTurnsByCounter(
  turns: readonly Turn[],
  from: Micros,
  counter: (turn: Turn) => string,
): readonly ({ readonly of: string } & Highest)[] {
  const groups = new Map<string, Turn[]>();
  for (const turn of turns) {
    if (!turn.acceptance) continue;
    const own = groups.get(counter(turn));
    if (own) own.push(turn);
    else groups.set(counter(turn), [turn]);
  }
  return [...groups].map(([of, own]) => ({ of, ...openTurns(own, from) }));
}

type Highest = Pick<OpenTurns, 'maxCertain' | 'maxPossible'>;

/** The highest certain number of a bucket, and the highest possible one (perhaps of another bucket), for comparison with the limit. */
export function mostOpenOfOne(turns: readonly Turn[], from: Micros, counter: (turn: Turn) => string): Highest {
  const all = openTurnsByCounter(turns, from, counter);
  const most = (of: keyof Highest) => all.reduce((highest, one) => Math.max(highest, one[of]), 0);
  return { maxCertain: most('maxCertain'), maxPossible: most('maxPossible') };
}

/** The highest number in each of these seconds, rising: n is [n, n + 1). */
export function openTurnsBySecond(
  turns: readonly Turn[],
  seconds: readonly number[],
): { certain: number[]; possible: number[] } {
  return {
    certain: highestBySecond(certainSpans(turns), seconds),
    possible: highestBySecond(possibleSpans(turns), seconds),
  };
}

function highest(spans: readonly Span[]): number {
  let open = 0;
  let most = 0;
  for (const change of changesOf(spans)) {
    open += change.by;
    most = Math.max(most, open);
  }
  return most;
}

function highestBySecond(spans: readonly Span[], seconds: readonly number[]): number[] {
  const changes = changesOf(spans);
  const rows: number[] = [];
  let open = 0;
  let next = 0;
  const applyUntil = (before: number) => {
    let most = open;
    for (let change = changes[next]; change && change.at < before; change = changes[++next]) {
      open += change.by;
      most = Math.max(most, open);
    }
    return most;
  };
  for (const second of seconds) {
    // First the changes up to the second's first instant: what has ended by then is not open in it.
    applyUntil(second * SECOND_US + 1);
    rows.push(applyUntil((second + 1) * SECOND_US));
  }
  return rows;
}

/**
 * Rising and falling steps in order of time; at one instant the falling ones first, because a span ends at the instant after its
 * last one.
 */
function changesOf(spans: readonly Span[]): { readonly at: number; readonly by: 1 | -1 }[] {
  return spans
    .filter((span) => span.to >= span.from)
    .flatMap((span) => [
      { at: span.from, by: 1 as const },
      // The first instant at which it is over. Times are whole microseconds.
      ...(span.to === Number.POSITIVE_INFINITY ? [] : [{ at: span.to + 1, by: -1 as const }]),
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
}
