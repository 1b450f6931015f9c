import { type Micros, monotonicNow } from '../../base/index.ts';
import type { ServiceClock } from './clock.ts';

/** Timers above 2^31 − 1 ms fire at once; longer waits use several timers. */
const LONGEST_TIMER_MS = 2_000_000_000;

/**
 * A clock that starts at `serviceUs` and runs at `rate` service seconds per second.
 * @param held stands still until `begin` is called
 */
export function runningClock(serviceUs: Micros, rate: number, held: boolean): ServiceClock {
  let monotonicUs = monotonicNow();
  let stands = held;
  const now = () => (stands ? serviceUs : serviceUs + Math.floor((monotonicNow() - monotonicUs) * rate)) as Micros;
  const millisUntil = (at: Micros) => Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil((at - now()) / rate / 1_000)));
  return {
    get mapping() {
      return { monotonicUs, serviceUs, rate };
    },
    now,
    begin() {
      if (!stands) return;
      monotonicUs = monotonicNow();
      stands = false;
    },
    whenShows(at, act) {
      let timer: NodeJS.Timeout | undefined;
      const look = () => {
        // A timer may fire up to a millisecond early.
        if (now() >= at) act();
        else timer = setTimeout(look, millisUntil(at));
      };
      look();
      return () => clearTimeout(timer);
    },
  };
}
