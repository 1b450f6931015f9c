import { type Draw, drawOf } from '../draw.ts';
import { drawClock, type ServiceClock } from './clock.ts';
import { drawNetwork, type Network } from './network.ts';
import { drawService, type Focus, focuses, type HonestService } from './service.ts';

/** Everything about one history, drawn from its seed. */
export interface World {
  readonly seed: number;
  readonly service: HonestService;
  readonly clock: ServiceClock;
  readonly network: Network;
  readonly draw: Draw;
  readonly workers: number;
  /** Length of the window in focus, run µs. */
  readonly unitUs: number;
  /** What the header claims, all of it true. */
  readonly claims: { readonly exclusive: boolean; readonly flushed: boolean };
  /** Records that get lost between the run and the judge, and in what order the rest comes. */
  readonly journal: { readonly lost: number; readonly isShuffled: boolean };
}

/** @param focus what to put to the test; absent: drawn, too */
export function worldOf(seed: number, focus: Focus = drawOf(seed, 'focus').pick(focuses)): World {
  const draw = drawOf(seed, 'world');
  const service = drawService(seed, focus);
  const clock = drawClock(seed, service.windowUs);
  const unitUs = clock.runAt(service.windowUs) - clock.runAt(0);
  return {
    seed,
    service,
    clock,
    network: drawNetwork(seed, Math.min(unitUs, clock.runAt(60e6) - clock.runAt(0))),
    draw,
    workers: draw.pick([1, 1, 1, 2]),
    unitUs,
    claims: { exclusive: draw.chance(0.9), flushed: draw.chance(0.75) },
    journal: { lost: draw.pick([0, 0, 0, 0, 0, 0.05]), isShuffled: draw.chance(0.1) },
  };
}
