import { describe, expect, it } from 'vitest';
import { algorithmOfReading, rateAlgorithmNames } from '../api/index.ts';
import { judge } from '../check/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { defects } from '../sandbox/index.ts';
import { judgeHonest } from './honest/accusations.ts';
import { describe as told } from './honest/tally.ts';
import { tryHonest, tryMany } from './honest/try.ts';
import { play } from './stage/play.ts';
import { focuses, rateReadingsOf } from './world/service.ts';
import { type World, worldOf } from './world/world.ts';

/** Together 20,000 and more; TRIALS multiplies them. A virtual day takes milliseconds, a loaded machine takes its time. */
const PARTS = 8;
const HISTORIES = 2_600 * Number(process.env.TRIALS ?? 1);
const PATIENCE_MS = 600_000;

/**
 * What may be told of an honest service, because it is so: codes that its profile does not map; and waits that do not become
 * shorter, where asking again begins them anew.
 */
const true_: readonly string[] = ['code-unmapped', 'retry-after-does-not-count-down'];

describe('honest services', () => {
  it.each(Array.from({ length: PARTS }, (_, part) => part * HISTORIES))(
    `from seed %i on, ${HISTORIES} of them, are accused of nothing, and nothing untrue is told of them`,
    (from) => {
      const tally = tryMany(from, HISTORIES);
      expect(tally.accused, told(tally, [from, from + HISTORIES - 1])).toEqual([]);
      expect(Object.keys(tally.told).filter((kind) => !true_.includes(kind))).toEqual([]);
      expect(Object.keys(tally.byAlgorithm).sort()).toEqual([...rateAlgorithmNames].sort());
      for (const [name, { focused, met }] of Object.entries(tally.byAlgorithm))
        expect(met / focused, `${name} meets its limit`).toBeGreaterThan(0.3);
    },
    PATIENCE_MS,
  );
});

describe('a world', () => {
  it('is the same from the same seed, to the microsecond', () => {
    for (const seed of [1, 2, 3, 4]) expect(play(worldOf(seed))).toEqual(play(worldOf(seed)));
  });

  it('puts each limit to the test, and its answers nest, fail and get lost', () => {
    const worlds = Array.from({ length: 400 }, (_, seed) => worldOf(seed));
    expect(new Set(worlds.map(({ service }) => service.focus))).toEqual(new Set(focuses));
    const journals = worlds.slice(0, 100).map((world) => exchangesOf(play(world)));
    const all = journals.flat();
    expect(new Set(all.map(({ outcome }) => outcome)).size).toBe(4);
    expect(new Set(all.map(({ operation }) => operation)).size).toBe(7);
    expect(journals.filter(nests).length).toBeGreaterThan(20);
  });

  it('declares, where it declares anything, a reading that the judge knows', () => {
    const unread = rateAlgorithmNames.filter((name) => rateReadingsOf(name, 0).length === 0);
    // The judge has no word for these; they are played and judged as unknown.
    expect(unread.every((name) => algorithmOfReading(name) === name)).toBe(true);
    expect(rateAlgorithmNames.length - unread.length).toBeGreaterThanOrEqual(7);
    for (const name of rateReadingsOf('fixed-window', 0)) expect(algorithmOfReading(name)).toBe('fixed-window');
  });
});

/** The trial can fail: the same worlds with a defect in the service, judged as if it were honest. */
describe('a service with a defect', () => {
  /** Defects that random traffic shows, and in how many of 150 worlds at least it is accused. */
  const planted = [
    ['O13', 'rate', 20],
    ['O24', 'rate', 3],
    ['W1', 'rate', 10],
    ['W5', 'rate', 10],
    ['W9', 'rate', 5],
    ['C5', 'slots', 1],
    ['C4', 'slots', 3],
    ['W22', 'days', 5],
    ['I1', 'days', 1],
  ] as const;

  it.each(planted)(
    '%s is accused',
    (defect, focus, least) => {
      expect(defects.map(({ id }) => id)).toContain(defect);
      const worlds = Array.from({ length: 150 }, (_, seed) => worldOf(seed, focus));
      const accused = worlds.filter((world) => {
        const broken = {
          ...world,
          service: { ...world.service, settings: { ...world.service.settings, defects: [defect] } },
        };
        return judgeHonest(play(broken as World), world.service).accusations.length > 0;
      });
      expect(accused.length).toBeGreaterThanOrEqual(least);
    },
    PATIENCE_MS,
  );

  it('is accused with the seed that shows it again', () => {
    const { seed, records, accusations } = tryHonest(7);
    expect([seed, accusations]).toEqual([7, []]);
    expect(judge(records).limits.map(({ verdict }) => verdict)).not.toContain('violated');
  });
});

const exchangesOf = (records: readonly JournalRecord[]) =>
  records.filter((record): record is Exchange => record.kind === 'exchange');

/** Some exchange was sent after another and answered before it. */
function nests(exchanges: readonly Exchange[]): boolean {
  const rising = [...exchanges].sort((a, b) => a.sentAt - b.sentAt);
  return rising.some((one, i) => (rising[i + 1]?.receivedAt ?? Number.POSITIVE_INFINITY) < one.receivedAt);
}
