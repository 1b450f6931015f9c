import type { Draft } from '../certificates/draft.ts';
import { alignedArc, conflictOf, Dial, refusedArcs } from '../engines/arcs.ts';
import { crowdedArcs, crowdedTogether } from '../engines/crowded-arcs.ts';
import { lastWindowRefusal, unexplainedByLastWindow } from '../engines/last-window.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Parameters, Reading } from '../reading.ts';
import { perWindow } from './describe.ts';

/** Where windows may begin, given what was admitted and, if requested, what was refused. */
function dialOf(slice: Slice, bounds: Bounds, aligned: boolean, refusals: boolean): Dial {
  const dial = new Dial(bounds.windowUs);
  if (aligned && dial.take(alignedArc(bounds))) return dial;
  if (bounds.shortUs > 0) crowdedArcs(slice, bounds, 1, dial);
  if (refusals && dial.left.length > 0) refusedArcs(slice, bounds, dial);
  if (bounds.shortUs > 0) crowdedTogether(slice, bounds, dial);
  return dial;
}

/** Slices in which some aligned window explains everything: then a window of free phase does, too. */
const alignedFits = new WeakMap<Slice, Bounds>();

function inconsistent(slice: Slice, bounds: Bounds, aligned: boolean): Draft | undefined {
  if (!aligned && alignedFits.get(slice) === bounds) return undefined;
  const dial = dialOf(slice, bounds, aligned, true);
  if (aligned && dial.left.length > 0) alignedFits.set(slice, bounds);
  return conflictOf(dial, 'fixed-window-arcs');
}

const fixedWindowOf = (aligned: boolean) => ({
  // Windows of another length have other phases, so there is no range of phases.
  numbers: 'count' as const,
  overAdmission: (slice: Slice, bounds: Bounds): Draft | undefined =>
    universalOverAdmission(slice, bounds) ?? conflictOf(dialOf(slice, bounds, aligned, false), 'fixed-window-arcs'),
  unexplained: unexplainedByLastWindow,
  wrongfulRefusal: lastWindowRefusal,
  inconsistent: (slice: Slice, bounds: Bounds) => inconsistent(slice, bounds, aligned),
  parameters: (slice: Slice, bounds: Bounds): Parameters => {
    const { left } = dialOf(slice, bounds, aligned, true);
    const origin = bounds.originUs % bounds.windowUs;
    const phaseUs = left.map(([from, to]): [number, number] => [
      (from + origin) % bounds.windowUs,
      (to + origin) % bounds.windowUs,
    ]);
    return { phaseUs };
  },
});

/** N per window; windows follow one another without gaps from an unknown instant. Also a bucket that regains all N tokens each W. */
export const fixedWindow: Reading<Slice> = {
  name: 'fixed-window',
  aliases: ['interval-refill-per-window', 'token-bucket-per-window'],
  describe: (bounds, whose) => `a fixed window of ${perWindow(bounds, whose)}`,
  ...fixedWindowOf(false),
};

/** Like `fixedWindow`, aligned to multiples of W of the service's clock: minutes begin at second 0. */
export const fixedWindowAligned: Reading<Slice> = {
  name: 'fixed-window-aligned',
  aliases: [],
  describe: (bounds, whose) => `a fixed window of ${perWindow(bounds, whose)}, aligned to the service's clock`,
  ...fixedWindowOf(true),
};
