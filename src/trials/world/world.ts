import { type Draw, drawOf } from '../draw.ts';
import { drawClock, type ServiceClock } from './clock.ts';
import { drawNetwork, type Network } from './network.ts';
import { drawService, type Focus, focuses, type HonestService, type Knowledge } from './service.ts';

/** So many histories are told of each scene: playing takes as long as judging, and what is written down decides as much. */
export const VIEWS = 4;

/** Everything about one history, drawn from its seed. */
export interface World {
  readonly seed: number;
  /** What happens; seeds of one scene differ in what is written down of it and in what the profile knows. */
  readonly scene: number;
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
  /** Of a service that has one for all of its refusals. */
  readonly onlyCode?: string;
}

/** @param given what to put to the test; absent: drawn, too */
export function worldOf(seed: number, given?: Focus): World {
  const scene = Math.floor(seed / VIEWS);
  const focus = given ?? drawOf(scene, 'focus').pick(focuses);
  const draw = drawOf(scene, 'world');
  const knows = knowledgeOf(seed);
  const service = drawService(scene, focus, knows);
  const clock = drawClock(scene, service.windowUs);
  const unitUs = clock.runAt(service.windowUs) - clock.runAt(0);
  return {
    seed,
    scene,
    service,
    clock,
    network: drawNetwork(scene, Math.min(unitUs, clock.runAt(60e6) - clock.runAt(0))),
    draw,
    workers: draw.pick([1, 1, 1, 2]),
    unitUs,
    claims: { exclusive: draw.chance(0.9), flushed: draw.chance(0.75) },
    journal: journalFate(seed),
    ...(knows.onlyCode !== undefined && { onlyCode: knows.onlyCode }),
  };
}

/** The first history of a scene knows most, the second does not know which limit refused. */
function knowledgeOf(seed: number): Knowledge & Pick<World, 'onlyCode'> {
  const draw = drawOf(seed, 'profile');
  const [knowing, puzzled] = [seed % VIEWS === 0, seed % VIEWS === 1];
  const declares = knowing || draw.chance(0.3);
  const tells = knowing || (!puzzled && draw.chance(0.9));
  const codes = drawOf(seed, 'codes');
  const knowsCodes = codes.chance(0.6);
  const isOnly = tells && !knowsCodes && codes.chance(0.5);
  const onlyCode = codes.pick(['rate_limited', 'rate_limited', 'concurrency_limited', 'daily_quota_exceeded']);
  return { draw, declares, tells, knowsCodes, ...(isOnly && { onlyCode }) };
}

/** The last one lost some lines, or has them in another order. */
function journalFate(seed: number): World['journal'] {
  const draw = drawOf(seed, 'journal fate');
  if (seed % VIEWS < VIEWS - 1) return { lost: 0, isShuffled: draw.chance(0.05) };
  return draw.chance(0.7) ? { lost: 0.05, isShuffled: draw.chance(0.1) } : { lost: 0, isShuffled: true };
}
