import type { Micros } from '../../base/index.ts';
import type { SandboxConfig } from '../config.ts';
import type { SavedClock } from '../store.ts';
import { type ServiceClock, wallNow } from './clock.ts';
import { manualClock } from './manual-clock.ts';
import { runningClock } from './running-clock.ts';

/**
 * Starts the service's clock.
 * @param held a running one stands still until it is told to begin
 * @param saved where an earlier process of the same store left it: the clock goes on from there, never back, and `startTime` is void
 */
export function startClock(
  { clock, clockRate, startTime }: Pick<SandboxConfig, 'clock' | 'clockRate' | 'startTime'>,
  { saved, held = false }: { readonly saved?: SavedClock | undefined; readonly held?: boolean } = {},
): ServiceClock {
  const fresh = startTime === undefined ? wallNow() : ((Date.parse(startTime) * 1_000) as Micros);
  const start = saved === undefined ? fresh : resumedAt(saved, wallNow());
  return clock === 'manual' ? manualClock(start) : runningClock(start, clockRate, held);
}

/** While nobody served, a running clock ran on at its rate by the machine's time of day, and a manual one stood still. */
function resumedAt({ wallUs, serviceUs, rate, latestUs }: SavedClock, wall: Micros): Micros {
  return Math.max(latestUs, Math.floor(serviceUs + (wall - wallUs) * rate)) as Micros;
}

/** What to save of a clock so that it can go on in another process. */
export function savedFrom({ mapping, now }: ServiceClock): SavedClock {
  return { wallUs: wallNow(), serviceUs: now(), rate: mapping.rate, latestUs: now() };
}
