import type { ArcDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import { type Admitted, admittedOf } from './admitted.ts';
import { type Dial, OVERLAP_US, slackAt } from './arcs.ts';
import { type Crowd, crowdFrom, crowds } from './crowd.ts';

/**
 * mN + 1 were admitted within less than m windows: m windows begin among them, the first no later than m − 1 windows before the end
 * (limits.md 5.3 for m = 1); within less than m − 1, none of any phase. In falling order of beginnings.
 */
export function crowdedArcs(slice: Slice, bounds: Bounds, windows: number, dial: Dial): void {
  const admitted = admittedOf(slice);
  const size = windows * bounds.max + 1;
  const laterUs = (windows - 1) * bounds.windowUs;
  // Two ends that are whole windows apart are nearly equal on the circle: rounding must not part them.
  const rounding = windows > 1 ? OVERLAP_US : 0;
  crowds(admitted, size, windows * bounds.shortUs, (index, end) => {
    const begin = admitted.from[index] as number;
    const slack = Math.max(slackAt(begin, bounds), slackAt(end, bounds)) + rounding;
    const from = begin - slack;
    const to = end - laterUs + slack;
    // Of a whole run, nearly all say no more than the ones before.
    if (!dial.isTouched(to, from + bounds.windowUs)) return false;
    const draft = () => crowdedArc(admitted, crowdFrom(admitted, index, end, size), laterUs);
    return dial.take({ says: 'boundary-within', from, to, windows, draft });
  });
}

/**
 * Most windows whose attempts are counted together. Only where attempts may lie on either side of each boundary between windows does
 * counting several together show more than counting each.
 */
const MOST_WINDOWS = 16;

/**
 * Two windows together, three, and so on. What is left then is where windows can begin, as far as it depends on what was admitted:
 * attempts that may lie in one window or the next can be divided among windows of N unless some successive ones have to hold more
 * than N each on average (P. Hall's theorem; any set of neighbours that is too large contains one without gaps).
 */
export function crowdedTogether(slice: Slice, bounds: Bounds, dial: Dial): void {
  for (let windows = 2; windows <= MOST_WINDOWS && dial.left.length > 0; windows++) {
    if (windows * bounds.max >= admittedOf(slice).size) return;
    crowdedArcs(slice, bounds, windows, dial);
  }
}

/**
 * A window begins among these: after the first of them began, which need not be the attempt from which the search started.
 * @param laterUs how much later than that window the last one among them begins
 */
export const crowdedArc = ({ from, position }: Admitted, { to, members }: Crowd, laterUs = 0): ArcDraft => ({
  says: 'boundary-within',
  fromUs: from[members[0] as number] as number,
  toUs: to - laterUs,
  positions: members.map((member) => position[member] as number),
});
