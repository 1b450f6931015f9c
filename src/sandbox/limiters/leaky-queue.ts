import type { Micros } from '../../base/index.ts';
import { arrivalTimes } from './arrival-time.ts';
import { cellRate } from './gcra.ts';
import { keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import type { Quota } from './windows.ts';

/**
 * A leaky bucket as a queue, like nginx's limit_req without `nodelay`: requests leave the queue W/N apart, the first at once. A
 * request is refused if `burst` others are still queued (limits.md, row "leaky bucket as queue"). The spacing is exact, while
 * nginx rounds the rate down to thousandths of a request per second.
 * @param settings `burst`: how many simultaneous requests are admitted, including the one that leaves at once; default max
 */
export function leakyQueue(settings: Quota & { readonly burst?: number }): Limiter {
  const times = arrivalTimes(settings);
  const undelayed = cellRate(times);
  return keyed({
    ...undelayed,
    peek(tat, ask) {
      const decision = undelayed.peek(tat, ask);
      const delayUs = (times.dueAt(tat, ask.now) - ask.now) as Micros;
      return decision.admitted && delayUs > 0 ? { ...decision, delayUs } : decision;
    },
  });
}
