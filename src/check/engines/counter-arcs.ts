import type { Bounds } from '../bounds.ts';
import type { ArcsDraft } from '../draft.ts';
import type { Slice } from '../slice.ts';
import { admittedOf, unnested } from './admitted.ts';
import { Dial } from './arcs.ts';
import { overfullAt } from './counter-overfull.ts';
import { refusedAt } from './counter-refused.ts';

/** A proof of more arcs than this is one that nobody reads; so many phases at most are tried. */
const MOST_ARCS = 64;

/**
 * The proof that a sliding counter explains what was seen with no beginning of its windows. Each arc that is left of the circle is
 * asked in its middle; the first beginning that nothing speaks against ends the search, so that a service which is one costs a
 * sweep or a few, and every other one as many as its proof has arcs.
 * @param refusals whether to ask the refusals, too
 */
export function counterConflict(slice: Slice, bounds: Bounds, refusals: boolean): ArcsDraft | undefined {
  if (bounds.shortUs <= 0) return undefined;
  // One that was under way while another came and went would blur both.
  const admitted = unnested(admittedOf(slice));
  const dial = new Dial(bounds.windowUs);
  for (let tried = 0; dial.left.length > 0; tried++) {
    if (tried === MOST_ARCS) return undefined;
    const phase = middleOf(dial.left);
    const overfull = overfullAt(admitted, bounds, phase);
    const refused = refusals ? refusedAt(slice, bounds, phase) : undefined;
    const saying = [overfull, refused]
      .filter((one) => one !== undefined)
      .sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (!saying) return undefined;
    dial.take(saying);
  }
  return conflict(dial);
}

/** Of the widest arc. */
function middleOf(left: Dial['left']): number {
  const [from, to] = left.reduce((widest, arc) => (arc[1] - arc[0] > widest[1] - widest[0] ? arc : widest));
  return (from + to) / 2;
}

function conflict(dial: Dial): ArcsDraft {
  const arcs = dial.irreducible().map(({ draft }) => draft());
  const overfull = arcs.some(({ says }) => says === 'overfull-with-boundary-within');
  const refused = arcs.some(({ says }) => says === 'no-boundary-within');
  const because = overfull && refused ? 'inconsistent' : refused ? 'wrongful-refusal' : 'over-admission';
  return { rule: 'sliding-counter-arcs', because, arcs };
}
