import { type Micros, monotonicNow, TimeQueue } from '../../base/index.ts';

import type { ClockMapping, ServiceClock } from './clock.ts';

interface Alarm {
  readonly at: Micros;
  readonly act: () => void;
}

/**
 * A clock that stands still until it is moved. A move stops at every instant that is waited for, so that each callback sees its
 * own instant and may wait for a later one within the same move.
 */
export function manualClock(startUs: Micros): Required<Omit<ServiceClock, 'begin'>> {
  let now = startUs;
  let mapping: ClockMapping = { monotonicUs: monotonicNow(), serviceUs: startUs, rate: 0 };
  const waiting = new Set<Alarm>();
  const queue = new TimeQueue<Alarm>();

  return {
    get mapping() {
      return mapping;
    },
    now: () => now,
    whenShows(at, act) {
      if (now >= at) {
        act();
        return () => undefined;
      }
      const alarm: Alarm = { at, act };
      waiting.add(alarm);
      queue.push(at, alarm);
      queue.prune(waiting.size, (each) => waiting.has(each));
      return () => void waiting.delete(alarm);
    },
    moveTo(at) {
      if (at < now) throw new RangeError('the clock cannot go backwards');
      while (queue.next <= at) {
        const alarm = queue.pop();
        if (!alarm || !waiting.delete(alarm)) continue;
        now = alarm.at;
        alarm.act();
      }
      now = at;
      mapping = { monotonicUs: monotonicNow(), serviceUs: at, rate: 0 };
    },
  };
}
