import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Ask, Limiter } from './limiter.ts';
import { countUntil, type Log } from './log.ts';
import type { Slots } from './semaphore.ts';
import { plus } from './windows.ts';

/** When slots are taken and released, each ascending. A type alias, because an interface is not assignable to `SavedState`. */
type State = { readonly starts: Log; readonly ends: Log };

const never = Number.POSITIVE_INFINITY;

/**
 * At most `max` slots at once, each held over [heldFrom, heldUntil), which may lie in the future: a waiting turn holds no slot. A
 * request is refused while all slots are held; `freeFrom` says when an admitted one may start, so that never more than `max` are
 * held. A later request may start earlier if it fits into a gap.
 */
export function processingSlots({ max, ttlUs = never as Micros }: Slots): Limiter {
  const spanOf = ({ now, heldFrom = now, heldUntil = heldFrom }: Ask) => ({
    from: heldFrom,
    until: Math.min(heldUntil, plus(heldFrom, ttlUs)) as Micros,
  });
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const held = heldAt(state, now);
      if (held >= max) return { admitted: false, retryAtUs: firstBelow(state, max, now) };
      const resetAtUs = held > 0 ? firstBelow(state, held, now) : undefined;
      return { admitted: true, remaining: max - held - 1, ...(resetAtUs !== undefined && { resetAtUs }) };
    },
    take({ starts, ends } = { starts: [], ends: [] }, ask) {
      const over = countUntil(ends, ask.now);
      ends.splice(0, over);
      // Which past start belongs to which past end does not matter.
      starts.splice(0, over);
      const { from, until } = spanOf(ask);
      starts.splice(countUntil(starts, from), 0, from);
      ends.splice(countUntil(ends, until), 0, until);
      return { starts, ends };
    },
    freeFrom(state, ask) {
      const { from, until } = spanOf(ask);
      return firstBelow(state, max, from, until - from);
    },
    expiresAt: ({ ends }) => ends.at(-1) ?? (0 as Micros),
  };
  return keyed(algorithm);
}

const heldAt = (state: State | undefined, at: Micros) =>
  state ? countUntil(state.starts, at) - countUntil(state.ends, at) : 0;

/** The first instant from `from` on from which fewer than `max` slots are held for at least `lastingUs`. */
function firstBelow(state: State | undefined, max: number, from: Micros, lastingUs = 0): Micros {
  if (!state) return from;
  const { starts, ends } = state;
  let started = countUntil(starts, from);
  let ended = countUntil(ends, from);
  let freeSince: Micros | undefined = started - ended < max ? from : undefined;
  for (;;) {
    const start = starts[started] ?? never;
    const end = ends[ended] ?? never;
    if (freeSince !== undefined && Math.min(start, end) >= freeSince + Math.max(1, lastingUs)) return freeSince;
    // At the same instant, releases come before new holders.
    if (end <= start) ended++;
    else started++;
    if (started - ended >= max) freeSince = undefined;
    else freeSince ??= Math.min(start, end) as Micros;
  }
}
