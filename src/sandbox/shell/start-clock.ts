import { serviceTimeOf } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { SandboxConfig } from '../config.ts';
import type { SavedClock } from '../store.ts';
import { type ServiceClock, wallNow } from './clock.ts';
import { manualClock } from './manual-clock.ts';
import { runningClock } from './running-clock.ts';

/**
 * Starts the service's clock.
 * @param held a running clock stands still until `begin` is called
 * @param saved state of the clock in an earlier process with the same store: the clock continues from it and `startTime` is ignored
 */
export function startClock(
  { clock, clockRate, startTime }: Pick<SandboxConfig, 'clock' | 'clockRate' | 'startTime'>,
  { saved, held = false }: { readonly saved?: SavedClock | undefined; readonly held?: boolean } = {},
): ServiceClock {
  const fresh = startTime === undefined ? wallNow() : serviceTimeOf(startTime);
  const start = saved === undefined ? fresh : resumedAt(saved, wallNow());
  return clock === 'manual' ? manualClock(start) : runningClock(start, clockRate, held);
}

/** Between the processes, a running clock advanced by the machine's wall clock at its rate; a manual one stood still. */
function resumedAt({ wallUs, serviceUs, rate, latestUs }: SavedClock, wall: Micros): Micros {
  return Math.max(latestUs, Math.floor(serviceUs + (wall - wallUs) * rate)) as Micros;
}

/** The state of a clock from which another process can continue. */
export function savedFrom({ mapping, now }: ServiceClock): SavedClock {
  return { wallUs: wallNow(), serviceUs: now(), rate: mapping.rate, latestUs: now() };
}
