import type { Millis } from '../../base/index.ts';
import { drawOwnWords, type OwnWords } from '../../testing/history/own-words.ts';
import { type Draw, drawOf } from '../draw.ts';
import { drawClock, type ServiceClock } from './clock.ts';
import { drawHabits, type Habits } from './habits.ts';
import type { FateName } from './journal-fates.ts';
import { type Focus, focuses, type Knowledge } from './knowledge.ts';
import { drawNetwork, type Network } from './network.ts';
import { drawService, type HonestService } from './service.ts';

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
  readonly habits: Habits;
  readonly draw: Draw;
  readonly workers: number;
  /** Length of the window in focus, run µs. */
  readonly unitUs: number;
  /** What the header claims, all of it true. */
  readonly claims: { readonly exclusive: boolean; readonly flushed: boolean };
  /** What happens to the journal, one after the other, and whether its file then breaks off or has holes. */
  readonly journal: { readonly fates: readonly FateName[]; readonly isTorn: boolean };
  /** Of a service that has one for all of its refusals. */
  readonly onlyCode?: string;
  readonly isRateNameless: boolean;
  /** Of a service that has its own words; absent: it has the specification's, and the sandbox's codes. */
  readonly words?: OwnWords;
}

/** @param given what to put to the test; absent: drawn, too */
export function worldOf(seed: number, given?: Focus): World {
  const scene = Math.floor(seed / VIEWS);
  const focus = given ?? drawOf(scene, 'focus').pick(focuses);
  const draw = drawOf(scene, 'world');
  const knows = knowledgeOf(seed);
  const drawn = drawService(scene, focus, knows);
  const clock = drawClock(scene, drawn.windowUs);
  const unitUs = clock.spanOf(drawn.windowUs);
  const habits = drawHabits(scene, clock, unitUs);
  const words = wordsOf(seed);
  return {
    seed,
    scene,
    service: withCopies(drawn, habits.staleUs),
    clock,
    habits,
    network: drawNetwork(scene, Math.min(unitUs, clock.spanOf(60e6))),
    draw,
    workers: draw.pick([1, 1, 1, 2]),
    unitUs,
    claims: { exclusive: draw.chance(0.9), flushed: draw.chance(0.75) },
    journal: journalFate(seed),
    isRateNameless: knows.isRateNameless,
    ...(words && { words }),
    ...(knows.onlyCode !== undefined && { onlyCode: knows.onlyCode }),
  };
}

const withCopies = (service: HonestService, staleUs: number): HonestService => ({
  ...service,
  profile: { ...service.profile, turns: { ...service.profile.turns, staleFor: (staleUs / 1_000) as Millis } },
});

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
  const isRateNameless = tells && !isOnly && codes.chance(0.2);
  return { draw, declares, tells, knowsCodes, isRateNameless, ...(isOnly && { onlyCode }) };
}

/** Every turn of the sandbox holds its slot until its end, whatever it shows in between. */
function wordsOf(seed: number): OwnWords | undefined {
  const draw = drawOf(seed, 'words');
  return draw.chance(0.4) ? drawOwnWords(draw.random, true) : undefined;
}

/** The last one lost something, or has its lines in another order; more than once is more often. */
const damages: readonly (readonly FateName[])[] = [
  ...repeated(4, ['thinned'] as const),
  ['thinned', 'shuffled'],
  ...repeated(2, ['shuffled'] as const),
  ...repeated(2, ['killed'] as const),
  ['killed', 'shuffled'],
  ['unwritten'],
  ...repeated(2, ['holed'] as const),
  ['stopped'],
];

function journalFate(seed: number): World['journal'] {
  const draw = drawOf(seed, 'journal fate');
  if (seed % VIEWS < VIEWS - 1) return { fates: draw.chance(0.05) ? ['shuffled'] : [], isTorn: false };
  return draw.chance(0.08) ? { fates: [], isTorn: true } : { fates: draw.pick(damages), isTorn: false };
}

function repeated<T>(times: number, one: T): readonly T[] {
  return Array.from({ length: times }, () => one);
}
