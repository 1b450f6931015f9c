import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { drawOwnWords, inOwnWords } from '../../testing/history/own-words.ts';
import { runs } from '../../testing/share.ts';
import { judgeOne, survives } from './judging.exam.ts';
import { simulate } from './simulated-service.exam.ts';
import { slotWorld, type World } from './worlds.exam.ts';

/** Among the first hundreds are some that were convicted once. */
const FROM = 900;
const seeds = Array.from({ length: runs(2_000) }, (_, i) => FROM + i);

/**
 * Turns that wait again and again, and are so often looked at that every time is seen: of what nobody saw, a turn in process now and
 * later is taken to be so in between.
 */
const restless = {
  ...{ requeued: 0.5, turnUs: 3_000_000, pollUs: 100_000, delayUs: 30_000, followed: 1, lost: 0, staleUs: 0 },
} satisfies Partial<World>;

/** What is said of the slots of a service with its own words. */
function judgedOf(seed: number, members: Partial<World>) {
  const random = seededRandom(seed, 'own words');
  const finalizing = ([undefined, 'holding', 'released'] as const)[random.integer(3)];
  const world = slotWorld(seed, { ...restless, ...(finalizing && { finalizing }), ...members });
  const words = drawOwnWords(random, world.slot === 'accepted-to-finished' || finalizing === 'holding');
  const judged = judgeOne(inOwnWords(simulate(world), words, random), 'concurrency', undefined, false);
  return { judged, world, what: `seed ${seed} ${JSON.stringify(words)}` };
}

describe.each(['accepted-to-finished', 'processing-only'] as const)(
  'whatever it calls the statuses of turns, %s',
  (slot) => {
    it('a service that puts them back into the queue is not convicted', () => {
      for (const seed of seeds) {
        const { judged, world, what } = judgedOf(seed, { slot });
        expect(judged.verdict.verdict, what).not.toBe('violated');
        expect([survives(judged, slot, world.scope), judged.wrongful], what).toEqual([true, 0]);
      }
    });

    it('one that has a slot too many can be', () => {
      const plain = { codes: true, sameTurn: true, tokens: 1, slots: 2, declared: { slots: true, day: true } };
      const isConvicted = (seed: number) =>
        judgedOf(seed, { ...plain, slot, faults: { extraSlots: 1 } }).judged.verdict.verdict === 'violated';
      expect(seeds.slice(0, 100).filter(isConvicted).length).toBeGreaterThan(1);
    });
  },
);
