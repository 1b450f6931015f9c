import type { ArcsDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import type { Slice } from '../evidence/slice.ts';
import { conflictOf, Dial, type Saying } from './arcs.ts';
import { overfullAt } from './counter-overfull.ts';
import { refusedAt } from './counter-refused.ts';
import { stretchesOf } from './counter-stretches.ts';
import { sureIn } from './counter-sure.ts';

/** At most this many phases are tried: nobody would read a proof with more arcs. */
const MOST_ARCS = 64;

/**
 * The proof that no beginning of its windows lets a sliding counter explain the history. Each remaining arc of the circle is
 * tried at its middle; the first beginning that nothing contradicts ends the search. So a service that is such a counter costs
 * one sweep or a few, any other as many as its proof has arcs. A counter that is unused for a window may begin anew at another
 * time: so observations before and after a possible pause are never combined.
 * @param refusals whether to use refusals, too
 */
export function counterConflict(slice: Slice, bounds: Bounds, refusals: boolean): ArcsDraft | undefined {
  if (bounds.shortUs <= 0) return undefined;
  const found = foundIn(slice, bounds);
  for (const stretch of stretchesOf(slice, bounds.shortUs)) {
    const sure = sureIn(slice, stretch);
    const overfullAtPhase = (phase: number) => {
      const key = `${stretch.first} ${phase}`;
      if (!found.has(key)) found.set(key, overfullAt(sure, bounds, phase));
      return found.get(key);
    };
    const refusedAtPhase = (phase: number) => (refusals ? refusedAt(slice, stretch, bounds, phase) : undefined);
    const proof = conflictIn((phase) => [overfullAtPhase(phase), refusedAtPhase(phase)], bounds);
    if (proof) return proof;
  }
  return undefined;
}

/** What was found without the refusals, by stretch and phase: with refusals, the same phases are tried first. */
const foundIn = rememberedFor((_slice: Slice, _bounds: Bounds) => new Map<string, Saying | undefined>());

/** @param sayingsAt what contradicts windows that begin at a phase */
function conflictIn(
  sayingsAt: (phase: number) => readonly (Saying | undefined)[],
  bounds: Bounds,
): ArcsDraft | undefined {
  const dial = new Dial(bounds.windowUs);
  for (let tried = 0; dial.left.length > 0; tried++) {
    if (tried === MOST_ARCS) return undefined;
    const saying = sayingsAt(middleOf(dial.left))
      .filter((one) => one !== undefined)
      .sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (!saying) return undefined;
    dial.take(saying);
  }
  return conflictOf(dial, 'sliding-counter-arcs');
}

/** The middle of the widest arc. */
function middleOf(left: Dial['left']): number {
  const [from, to] = left.reduce((widest, arc) => (arc[1] - arc[0] > widest[1] - widest[0] ? arc : widest));
  return (from + to) / 2;
}
