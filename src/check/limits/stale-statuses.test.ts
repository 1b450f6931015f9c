import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { accepted, end, header, poll, refused, us } from '../../testing/history/sample-records.ts';
import { exact } from '../verify/days/days.exam.ts';
import { judgeOne } from './judging.exam.ts';
import { simulate } from './simulated-service.exam.ts';
import { slotWorld } from './worlds.exam.ts';

const SECOND = 1_000_000;

/** Two at once of each user. @param staleFor as a header may have it; `undefined`: it says nothing */
function journal(slot: string, staleFor: unknown, records: readonly JournalRecord[], more: object = {}) {
  const profile = {
    errorCodes: { known: true },
    turns: staleFor === undefined ? {} : { staleFor },
    limits: { concurrency: { scope: 'user', slot, reading: slot, ...more } },
  };
  const limits = { ...header().limits, concurrency: { max: 2 } };
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  return [header({ clock: exact, limits, profile }), ...records, end({ exchanges })];
}

const verdictOf = (records: readonly JournalRecord[]) => judgeOne(records, 'concurrency').verdict;
const at = (turn: string, seq: number, seconds: number, status: string) =>
  poll(seq, turn, status, seconds * SECOND, seconds * SECOND + 5);
/** A number of milliseconds, none, and what cannot be read. */
const declared = [undefined, 0, 500, 1_500, 3_000, null, '3s', -1];

const profiles = new Map<string, object>();

/** Equal profiles are the same object: reading one takes longer than judging a small history. */
function profileWith(profile: unknown, staleFor: number | null): object {
  const made = { ...(profile as object), turns: { staleFor } };
  const known = profiles.get(JSON.stringify(made)) ?? made;
  profiles.set(JSON.stringify(made), known);
  return known;
}

describe('a status that may be stale makes nothing more certain', () => {
  it.each(declared)('of a turn that was put back into the queue: staleFor %s', (staleFor) => {
    const records = [
      ...[0, 1, 2].map((i) => accepted(i, `t${i}`, 10 * i, 10 * i + 5)),
      at('t0', 3, 1, 'processing'),
      at('t0', 4, 2, 'queued'),
      at('t1', 5, 3, 'processing'),
      at('t2', 6, 3, 'processing'),
      at('t1', 7, 7.5, 'processing'),
      at('t2', 8, 7.5, 'processing'),
      at('t0', 9, 10, 'processing'),
    ];
    expect(verdictOf(journal('processing-only', staleFor, records)).verdict).not.toBe('violated');
  });

  it.each(declared.flatMap((staleFor) => ['accepted-to-finished', 'processing-only'].map((slot) => [staleFor, slot])))(
    'of a turn that was tried again after it had failed: staleFor %s, %s',
    (staleFor, slot) => {
      const records = [
        accepted(0, 't0', 0, 5),
        accepted(1, 't1', 10, 15),
        at('t0', 2, 1, 'failed'),
        at('t0', 3, 2, 'processing'),
        at('t1', 4, 2, 'processing'),
        refused(5, 2.5 * SECOND, 'concurrency_limited'),
        at('t1', 6, 3, 'processing'),
      ];
      expect(verdictOf(journal(String(slot), staleFor, records)).verdict).not.toBe('violated');
    },
  );

  it.each(declared.flatMap((staleFor) => ['accepted-to-finished', 'processing-only'].map((slot) => [staleFor, slot])))(
    'of a turn that had failed, and that nobody saw again until it was completed: staleFor %s, %s',
    (staleFor, slot) => {
      const judged = (end: string) =>
        verdictOf(
          journal(String(slot), staleFor, [
            accepted(0, 't0', 0, 5),
            accepted(1, 't1', 10, 15),
            at('t0', 2, 1, 'failed'),
            refused(3, 2.5 * SECOND, 'concurrency_limited'),
            at('t0', 4, 4, end),
          ]),
        ).verdict;
      expect(judged('failed')).toBe('violated');
      expect(judged('completed')).not.toBe('violated');
    },
  );

  it.each([0, 100, 200, 300])('whatever polls show: a hundred worlds from %d on', (from) => {
    let violated = 0;
    for (let seed = from; seed < from + 100; seed++) {
      const random = seededRandom(seed, 'statuses');
      const world = slotWorld(seed, {
        staleUs: random.next() < 0.5 ? 3 * SECOND : 0,
        faults: random.next() < 0.5 ? { extraSlots: 1 } : {},
      });
      const statuses = ['queued', 'processing', 'completed', 'failed'];
      const records = simulate(world).map((record) =>
        record.kind === 'exchange' && record.operation === 'readTurn' && record.turn && random.next() < 0.1
          ? { ...record, turn: { ...record.turn, status: statuses[random.integer(4)] ?? '' } }
          : record,
      );
      const verdicts = [0, 200, 1_000, 3_000, null].map((staleFor) => {
        const [first, ...rest] = records;
        if (first?.kind !== 'header') throw new Error('a history begins with its header');
        const known = [{ ...first, profile: profileWith(first.profile, staleFor) }, ...rest];
        return judgeOne(known, 'concurrency', undefined, false).verdict.verdict === 'violated';
      });
      if (verdicts[0]) violated += 1;
      // Once one is not accused any more, a larger one does not accuse it again.
      expect(verdicts, `seed ${seed}`).toEqual([...verdicts].sort((a, b) => Number(b) - Number(a)));
    }
    expect(violated).toBeGreaterThan(4);
  });
});

it('a clock that was set back, so that two instants are one of the service, leaves the order of polls as it was', () => {
  const clock = (runUs: number, serviceUs: number, rate: number): JournalRecord => ({
    kind: 'clock',
    at: us(runUs),
    serviceUs: us(1.79e15 + serviceUs),
    plusMinusUs: us(0),
    rate,
  });
  const turns = ['t0', 't1', 't2'];
  const records = [
    clock(0, 0, 1),
    clock(SECOND, 0.2 * SECOND, 1.5),
    ...turns.map((turn, i) => accepted(i, turn, 10 * i, 10 * i + 5)),
    at('t0', 3, 1.1, 'queued'),
    ...turns.map((turn, i) => at(turn, 4 + i, 1.2, 'processing')),
    ...turns.map((turn, i) => at(turn, 7 + i, 9, 'processing')),
  ];
  expect(verdictOf(journal('processing-only', 0, records))).toMatchObject({
    verdict: 'violated',
    certificate: { observed: 3, possible: 2 },
  });
});

it.each([
  ['300ms', 2.2, false],
  ['300ms', 1.5, true],
  [300, 2.2, false],
  [null, 1.5, false],
])(
  'slots are released within a grace that a foreign header writes as %j: finished at %d s',
  (releaseGrace, finished, isProven) => {
    const records = [
      accepted(0, 't0', 0, 5),
      accepted(1, 't1', 10, 15),
      at('t0', 2, finished, 'completed'),
      at('t1', 3, finished, 'completed'),
      refused(4, 2.4 * SECOND, 'concurrency_limited'),
    ];
    const { verdict } = verdictOf(journal('accepted-to-finished', 0, records, { releaseGrace }));
    expect(verdict === 'violated').toBe(isProven);
  },
);
