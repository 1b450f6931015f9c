import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Ask, Limiter } from './limiter.ts';
import { countUntil, type Log } from './log.ts';
import { plus } from './windows.ts';

/** When slots are taken and when they come free, each ascending. As a type, not an interface: only that is plain data to the compiler. */
type State = { readonly starts: Log; readonly ends: Log };

const never = Number.POSITIVE_INFINITY;

/**
 * At most `max` slots at once, each held over [heldFrom, heldUntil), which may lie ahead: who waits for a slot holds none. A
 * request is refused while all are held; `freeFrom` says when one that is admitted may begin, so that no more than `max` are ever
 * held. Who comes later may begin earlier, where a gap between others is long enough.
 * @param settings `ttlUs`: as of a lease, a slot comes free after so long although its holder goes on; default never
 */
export function processingSlots({ max, ttlUs }: { readonly max: number; readonly ttlUs?: Micros }): Limiter {
  const spanOf = ({ now, heldFrom = now, heldUntil = heldFrom }: Ask) => {
    const until = ttlUs === undefined ? heldUntil : Math.min(heldUntil, plus(heldFrom, ttlUs));
    return { from: heldFrom, until: until as Micros };
  };
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
      // Of starts that have passed it does not matter which one goes with which end.
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

/** The first instant from `from` on at which fewer than `max` slots are held, and stay so for as long as `lastingUs`. */
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
    // At one instant, who leaves makes room for who comes.
    if (end <= start) ended++;
    else started++;
    if (started - ended >= max) freeSince = undefined;
    else freeSince ??= Math.min(start, end) as Micros;
  }
}
