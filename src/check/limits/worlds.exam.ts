import { type Random, seededRandom } from '../../base/index.ts';

/** What a simulated service is, which traffic it has, and how either is drawn from a seed. */

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;

export type DayKind = 'utc' | 'token-timezone' | 'first-use' | 'rolling';
export type ScopeKind = 'application' | 'user' | 'token';

/** What is wrong with the service; an honest one has no member set. */
export interface Faults {
  /** Slots beyond the declared number. */
  readonly extraSlots?: number;
  /** A failed turn keeps its slot. */
  readonly failedLeaks?: boolean;
  /** An invalid message keeps a slot. */
  readonly invalidLeaks?: boolean;
  /** µs for which a slot stays taken beyond the declared grace. */
  readonly lateUs?: number;
  readonly extraQuota?: number;
  readonly replayCharged?: boolean;
  readonly invalidCharged?: boolean;
  readonly neverResets?: boolean;
}

export interface World {
  readonly seed: number;
  readonly slots: number;
  readonly slot: 'accepted-to-finished' | 'processing-only';
  readonly graceUs: number;
  readonly quota: number;
  readonly day: DayKind;
  readonly scope: ScopeKind;
  /** Minutes ahead of UTC, given to the tokens in turn; or a zone's name. */
  readonly zones: readonly (number | string)[];
  /** Service time of run time 0, µs since 1970. */
  readonly originUs: number;
  readonly driftPpm: number;
  /** The real drift as a fraction of the declared one, −1 to 1. */
  readonly drifting: number;
  readonly clockKnownUs: number | undefined;
  /** Times of sending, µs. */
  readonly sends: readonly number[];
  readonly tokens: number;
  readonly conversations: number;
  readonly turnUs: number;
  readonly delayUs: number;
  readonly pollUs: number;
  /** The declared maximum age of a status in a poll, µs. */
  readonly staleUs: number;
  /** Probabilities, 0 to 1. */
  readonly lost: number;
  readonly resent: number;
  /**
   * Probability that a message's identifier is used for another content and then for the first again: the service keeps the last
   * content only.
   */
  readonly rewritten: number;
  /** Probability that a further attempt at a message uses another token of its user. */
  readonly renewed: number;
  readonly invalid: number;
  readonly failing: number;
  /** Probability that a turn in process is put back into the queue. */
  readonly requeued: number;
  /** Whether something is done after a turn was in process, and whether it still holds its slot then. */
  readonly finalizing?: 'holding' | 'released';
  readonly followed: number;
  readonly streamed: number;
  readonly faults: Faults;
  /** Whether the code of a 429 says which limit refused. */
  readonly codes: boolean;
  readonly sameTurn: boolean;
  readonly declared: { readonly slots: boolean; readonly day: boolean };
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(list.length)] as T;

/** Traffic that contends for slots: lasts seconds, with a quota out of reach. */
export function slotWorld(seed: number, members: Partial<World> = {}): World {
  const random = seededRandom(seed, 'slots');
  const slot = pick(random, ['accepted-to-finished', 'processing-only'] as const);
  const spread = pick(random, [2, 6, 20]) * SECOND;
  return {
    ...common(seed, random),
    slots: 1 + random.integer(3),
    slot,
    graceUs: pick(random, [0, 0, 300_000]),
    quota: 1_000,
    day: 'utc',
    sends: Array.from({ length: 3 + random.integer(16) }, () => random.integer(spread)),
    turnUs: pick(random, [200_000, SECOND, 3 * SECOND]),
    delayUs: pick(random, [1_000, 30_000, 400_000]),
    pollUs: pick(random, [100_000, 400_000]),
    staleUs: pick(seededRandom(seed, 'copies'), [0, 0, 500_000, 3 * SECOND]),
    failing: 0.2,
    ...members,
  };
}

/** Traffic over days, dense around the hours at which days may begin. */
export function dayWorld(seed: number, members: Partial<World> = {}): World {
  const random = seededRandom(seed, 'days');
  const days = 1 + random.integer(3);
  const centres = Array.from({ length: 1 + random.integer(4) }, () => random.integer(days * 24) * HOUR);
  const width = pick(random, [SECOND, 60 * SECOND, 2 * HOUR, 12 * HOUR]);
  return {
    ...common(seed, random),
    slots: 1_000,
    slot: 'accepted-to-finished',
    graceUs: 0,
    quota: 2 + random.integer(4),
    day: pick(random, ['utc', 'token-timezone', 'first-use', 'rolling'] as const),
    sends: Array.from({ length: 4 + random.integer(26) }, () => pick(random, centres) + random.integer(width)),
    turnUs: SECOND,
    delayUs: pick(random, [1_000, SECOND]),
    pollUs: 10 * SECOND,
    staleUs: 0,
    followed: 0,
    failing: 0,
    ...members,
  };
}

function common(seed: number, random: Random) {
  // Around clock changes in Europe and elsewhere.
  const dates = ['2026-11-21T00:00:00Z', '2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z', '2026-04-23T00:00:00Z'];
  const driftPpm = pick(random, [0, 0, 500]);
  return {
    seed,
    scope: pick(random, ['application', 'user', 'token'] as const),
    zones: pick(random, [[0], [60], [-300, 330], ['Europe/Paris'], ['Africa/Cairo', 'America/Havana']]),
    originUs: Date.parse(pick(random, dates)) * 1_000 + random.integer(24) * HOUR - random.integer(3) * SECOND,
    driftPpm,
    drifting: random.next() * 2 - 1,
    clockKnownUs: pick(random, [0, 1_500_000, undefined]),
    tokens: pick(random, [1, 1, 2, 4]),
    conversations: pick(random, [1, 4]),
    lost: pick(random, [0, 0, 0.15]),
    resent: pick(random, [0, 0.2]),
    rewritten: pick(seededRandom(seed, 'rewritten'), [0, 0, 0.3]),
    renewed: pick(seededRandom(seed, 'renewed'), [0, 0, 0.5]),
    invalid: pick(random, [0, 0.1]),
    followed: pick(random, [0.6, 1]),
    streamed: pick(random, [0, 0.5]),
    requeued: 0,
    faults: {},
    codes: random.next() < 0.8,
    sameTurn: random.next() < 0.7,
    declared: { slots: random.next() < 0.6, day: random.next() < 0.6 },
  };
}
