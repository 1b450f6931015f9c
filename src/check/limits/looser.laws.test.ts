import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import type { Header, JournalRecord } from '../../history/index.ts';
import { runs } from '../../testing/share.ts';
import { judge } from '../check-journal.ts';
import { rateJournal } from '../rate-service.exam.ts';
import { honestLimiters } from '../readings/honest-limiters.exam.ts';
import { judgeOne } from './judging.exam.ts';
import { simulate } from './simulated-service.exam.ts';
import { dayWorld, slotWorld } from './worlds.exam.ts';

const SECOND = 1_000_000;
/** Days take several times as long to judge. */
const HISTORIES = { concurrency: runs(60, 30), daily: 25, rate: runs(20, 10) };

const clocked = (members: object) => (header: Header) => ({ ...header, clock: { ...header.clock, ...members } });
const graced = (releaseGrace: number | null) => (header: Header) => {
  const profile = header.profile as { limits?: { concurrency?: object } };
  const concurrency = { ...profile.limits?.concurrency, releaseGrace };
  return { ...header, profile: { ...profile, limits: { ...profile.limits, concurrency } } };
};

/** What a header says of how exactly things are known, from exact to loose. */
const knowledge: Readonly<Record<string, readonly ((header: Header) => unknown)[]>> = {
  granularity: [0, 100_000, SECOND, 10 * SECOND].map((granularityUs) => clocked({ granularityUs })),
  drift: [0, 200, 2_000, 50_000].map((driftPpm) => clocked({ driftPpm })),
  'delay of the service': [0, 100_000, SECOND, 10 * SECOND].map((maxServerDelayUs) => clocked({ maxServerDelayUs })),
  'release grace': [0, 300, 3_000, null].map(graced),
  'exclusive use': [true, false].map((exclusive) => (header: Header) => ({ ...header, exclusive })),
};

/** Some honest, some not, some that contradict themselves. */
function history(limit: 'concurrency' | 'daily', seed: number): readonly JournalRecord[] {
  const random = seededRandom(seed, 'looser');
  const isHonest = random.next() < 0.4;
  const world =
    limit === 'concurrency'
      ? slotWorld(seed, isHonest ? {} : { faults: { extraSlots: 1 } })
      : dayWorld(seed, isHonest ? {} : { faults: { extraQuota: 1 } });
  const statuses = ['queued', 'processing', 'completed', 'failed'];
  return simulate(world).map((record) =>
    record.kind === 'exchange' && record.operation === 'readTurn' && record.turn && random.next() < 0.05
      ? { ...record, turn: { ...record.turn, status: statuses[random.integer(4)] ?? '' } }
      : record,
  );
}

/** Computes what belongs to each name once: every kind of knowledge begins with the same headers of the same histories. */
function once<V>(): (name: string, make: () => V) => V {
  const known = new Map<string, V>();
  return (name, make) => {
    const value = known.get(name) ?? make();
    known.set(name, value);
    return value;
  };
}

describe.each(['concurrency', 'daily'] as const)('who knows less accuses no more, of %s', (limit) => {
  const drawn = once<readonly JournalRecord[]>();
  const isAccused = once<boolean>();
  it.each(Object.keys(knowledge))('by %s', (what) => {
    let violated = 0;
    for (let seed = 0; seed < HISTORIES[limit]; seed++) {
      const [header, ...records] = drawn(`${seed}`, () => history(limit, seed));
      const accused = (knowledge[what] ?? []).map((looser) => {
        const known = looser(header as Header) as Header;
        return isAccused(
          `${seed} ${JSON.stringify(known)}`,
          () => judgeOne([known, ...records], limit, undefined, false).verdict.verdict === 'violated',
        );
      });
      if (accused[0]) violated += 1;
      expect(accused, `seed ${seed}`).toEqual([...accused].sort((a, b) => Number(b) - Number(a)));
    }
    expect(violated).toBeGreaterThan(1);
  });
});

describe('who knows less accuses no more, of rate', () => {
  /** Of a limiter that keeps another number, and perhaps another kind of window, than its header declares. */
  function rateHistory(seed: number): readonly JournalRecord[] {
    const random = seededRandom(seed, 'looser rate');
    const kinds = Object.values(honestLimiters);
    const [kind, other] = [kinds[random.integer(kinds.length)], kinds[random.integer(kinds.length)]];
    if (!kind || !other) throw new Error('there are limiters');
    const max = 2 + random.integer(8);
    const pressure = max * (0.5 + 2 * random.next());
    const reading = ['unknown', kind.readings[0], other.readings[0]][random.integer(3)] ?? 'unknown';
    const service = { max, windowUs: 60 * SECOND, pressure, requests: 20 + random.integer(80), reading };
    const [first, ...rest] = rateJournal(kind.make, service, seed);
    if (first?.kind !== 'header') throw new Error('a history begins with its header');
    const rate = { ...first.limits.rate, max: Math.max(1, max + random.integer(4) - 2) };
    return [{ ...first, limits: { ...first.limits, rate } }, ...rest];
  }

  const drawn = once<readonly JournalRecord[]>();
  const isAccused = once<boolean>();

  // Every proof is verified on the way, also of what broke off later than the service is said to take at most.
  it.each(Object.keys(knowledge).filter((what) => what !== 'release grace'))('by %s', (what) => {
    let violated = 0;
    for (let seed = 0; seed < HISTORIES.rate; seed++) {
      const [header, ...records] = drawn(`${seed}`, () => rateHistory(seed));
      const accused = (knowledge[what] ?? []).map((looser) => {
        const known = looser(header as Header) as Header;
        return isAccused(`${seed} ${JSON.stringify(known)}`, () => {
          const { limits } = judge([known, ...records], { infers: false });
          return limits.some(({ limit, verdict }) => limit === 'rate' && verdict === 'violated');
        });
      });
      if (accused[0]) violated += 1;
      expect(accused, `seed ${seed}`).toEqual([...accused].sort((a, b) => Number(b) - Number(a)));
    }
    expect(violated).toBeGreaterThan(1);
  });
});
