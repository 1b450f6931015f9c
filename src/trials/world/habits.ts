import { drawOf } from '../draw.ts';
import type { ServiceClock } from './clock.ts';

/** What clients and service do beside asking and answering. */
export interface Habits {
  /** How often a request is sent again at most, after no answer or a broken one; after a refusal, too, where so said. */
  readonly retries: { readonly most: number; readonly alsoRefused: boolean; readonly pauseUs: number };
  readonly renewal: Renewal;
  /** Of the tokens; absent: each has whatever. */
  readonly zone?: string;
  /** Whether the journal says of each request when it goes out. */
  readonly announces: boolean;
  /** How long a poll may show what was so before, run µs. */
  readonly staleUs: number;
  /** Whether turns are mostly left alone, and looked after late. */
  readonly neglects: boolean;
  /** Share of the streams that break off. */
  readonly broken: number;
}

/**
 * `never`: whoever has a token keeps it. `eager`: each new token is used from then on, while what was sent with the old one is under way.
 * `expiring`: tokens end, and whoever is told so asks for another and sends again.
 */
export type Renewal = 'never' | 'eager' | 'expiring';

/** Without daylight saving, with it, and as far from UTC as there are. */
export const ZONES = ['UTC', 'Europe/Paris', 'Asia/Kolkata', 'America/New_York', 'Pacific/Kiritimati'];

/** @param unitUs length of the window in focus, run µs */
export function drawHabits(scene: number, clock: ServiceClock, unitUs: number): Habits {
  const draw = drawOf(scene, 'habits');
  const most = draw.pick([0, 0, 1, 2]);
  const pauseUs = unitUs * draw.pick([0, 0.001, 0.1, 0.5]);
  const renewal = draw.pick(['never', 'never', 'eager', 'expiring'] as const);
  // A copy brings the date of what it is a copy of, and then no dates of copies are heard.
  const isDatable = clock.steps.length > 0 || (clock.dates?.otherByUs ?? 0) !== 0;
  const staleUs = draw.chance(0.15) && !isDatable ? draw.pick([200_000, 2_000_000]) : 0;
  const hasOneZone = draw.chance(0.4);
  const zone = draw.pick(ZONES);
  return {
    retries: { most, alsoRefused: draw.chance(0.4), pauseUs },
    renewal,
    ...(hasOneZone && { zone }),
    announces: draw.chance(0.5),
    staleUs,
    neglects: draw.chance(0.15),
    broken: draw.pick([0, 0, 0.3]),
  };
}
