import { describe, expect, it } from 'vitest';
import { algorithmOfReading, rateAlgorithmNames } from '../api/index.ts';
import { checkJournal, judge } from '../check/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { defects } from '../sandbox/index.ts';
import { runs } from '../testing/share.ts';
import { judgeHonest } from './honest/accusations.ts';
import { withFile } from './honest/torn.ts';
import { tryHonest } from './honest/try.ts';
import { perform, play } from './stage/play.ts';
import { focuses } from './world/knowledge.ts';
import { rateReadingsOf } from './world/limits.ts';
import { VIEWS, type World, worldOf } from './world/world.ts';

/** Timeout. A virtual day takes milliseconds, but a loaded machine is slower. */
const PATIENCE_MS = 600_000;

describe('a world', () => {
  it('is the same from the same seed, to the microsecond', () => {
    for (const seed of [1, 2, 3, 4]) expect(play(worldOf(seed))).toEqual(play(worldOf(seed)));
  });

  it('has several views, all of the same scene', () => {
    const views = Array.from({ length: VIEWS }, (_, view) => worldOf(40 * VIEWS + view));
    const [first, ...others] = views.map(perform);
    for (const played of others) expect(played).toEqual(first);
    const journals = views.map((world) => JSON.stringify(play(world)));
    expect(new Set(journals).size).toBe(VIEWS);
  });

  it('tests each limit, and its exchanges nest, fail and get lost', () => {
    const worlds = Array.from({ length: 400 }, (_, scene) => worldOf(scene * VIEWS));
    expect(new Set(worlds.map(({ service }) => service.focus))).toEqual(new Set(focuses));
    const journals = worlds.slice(0, runs(100, 50)).map((world) => exchangesOf(play(world)));
    const all = journals.flat();
    expect(new Set(all.map(({ outcome }) => outcome)).size).toBe(4);
    expect(new Set(all.map(({ operation }) => operation)).size).toBe(7);
    expect(journals.filter(nests).length).toBeGreaterThan(journals.length / 5);
  });

  it('declares only readings that the judge knows', () => {
    const unread = rateAlgorithmNames.filter((name) => rateReadingsOf(name, 0).length === 0);
    // The judge has no reading for these; they are judged as unknown.
    expect(unread.every((name) => algorithmOfReading(name) === name)).toBe(true);
    expect(rateAlgorithmNames.length - unread.length).toBeGreaterThanOrEqual(7);
    for (const name of rateReadingsOf('fixed-window', 0)) expect(algorithmOfReading(name)).toBe('fixed-window');
  });
});

/** Checks that the trial can fail: the same worlds with a defect in the service, judged as if it were correct. */
describe('a service with a defect', () => {
  /**
   * Defects that random traffic shows, with the minimum of accused worlds out of 250, and scenes to begin with: nearly all others are
   * of services that had no occasion to show it, and most of the CPU of these tests went into playing them.
   */
  const planted = [
    ['O13', 'rate', 20, [6, 9, 10, 11, 13, 18, 23, 28, 30, 32, 36, 42, 44, 50, 53, 62, 66, 67, 69, 71]],
    ['O24', 'rate', 3, [6, 9, 10]],
    ['W1', 'rate', 5, [3, 4, 9, 10, 18]],
    ['W5', 'rate', 10, [3, 4, 5, 10, 18, 22, 32, 35, 36, 38]],
    ['W9', 'rate', 5, [3, 4, 5, 9, 10]],
    ['C5', 'slots', 1, [194]],
    ['C4', 'slots', 3, [46, 58, 78]],
    ['W22', 'days', 5, [10, 38, 42, 62, 69]],
    ['I1', 'days', 1, [20]],
  ] as const;

  it.each(planted)(
    '%s is accused',
    (defect, focus, least, likely) => {
      expect(defects.map(({ id }) => id)).toContain(defect);
      const scenes = new Set([...likely, ...Array(250).keys()]);
      let accused = 0;
      for (const scene of scenes) {
        if (accused === least) break;
        const world = worldOf(scene * VIEWS, focus);
        const { service } = world;
        const broken = { ...world, service: { ...service, settings: { ...service.settings, defects: [defect] } } };
        if (judgeHonest(play(broken as World), service, false).accusations.length > 0) accused += 1;
      }
      expect(accused).toBe(least);
    },
    PATIENCE_MS,
  );

  it('is judged the same whether the judge also says what it behaves as', () => {
    for (let scene = 0; scene < runs(20); scene++) {
      const records = play(worldOf(scene * VIEWS));
      const { limits, ...others } = judge(records);
      // The parameters of surviving readings are part of the inference.
      const bare = limits.map(({ inference: _, readings: __, ...verdict }) => verdict);
      const without = judge(records, { infers: false });
      expect(without.limits.map(({ readings: _, ...verdict }) => verdict)).toEqual(bare);
      expect(without).toMatchObject(others);
    }
  });

  it.each([
    [538660, 'a resend had another token than the message before the run'],
    [538663, 'the same, where nobody says which token counts'],
    [117839, 'the proof of a kept day did not convince the verifier'],
  ])('is not accused in history %i, where once %s', (seed) => {
    expect(tryHonest(seed).accusations).toEqual([]);
  });

  it.each([
    ['whole', 8],
    ['torn', 7],
  ])('is reported with the seed that reproduces its file, be it %s', (_, seed) => {
    const { file, verdicts, accusations } = tryHonest(seed);
    expect(accusations).toEqual([]);
    const { limits } = withFile(file(), (path) => checkJournal(path));
    expect(Object.fromEntries(limits.map(({ limit, verdict }) => [limit, verdict]))).toEqual(verdicts);
    expect(file().toString().includes('"kind":"end"')).toBe(!worldOf(seed).journal.isTorn);
  });
});

const exchangesOf = (records: readonly JournalRecord[]) =>
  records.filter((record): record is Exchange => record.kind === 'exchange');

/** Whether some exchange was sent after another and answered before it. */
function nests(exchanges: readonly Exchange[]): boolean {
  const rising = [...exchanges].sort((a, b) => a.sentAt - b.sentAt);
  return rising.some((one, i) => (rising[i + 1]?.receivedAt ?? Number.POSITIVE_INFINITY) < one.receivedAt);
}
