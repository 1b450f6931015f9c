import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { Micros, Millis } from '../../base/index.ts';
import { timelineOf } from '../../check/evidence/timeline.ts';
import { type Dated, dateHeaderClock } from './date-clock.ts';

const SECOND = 1_000_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');
/** An answer at a run time, in seconds, that took 20 ms and says that it is so many seconds after noon. */
const said = (at: number, second: number, operation: Dated['operation'] = 'readTurn'): Dated => ({
  operation,
  sentAt: (at * SECOND) as Micros,
  headersAt: (at * SECOND + 20_000) as Micros,
  date: new Date(NOON + second * 1_000).toUTCString(),
});

const { turns } = TargetProfileSchema.parse({});
const fresh = { turns };

describe('the clock of a service with Date headers', () => {
  it('is recorded at the first answer, and every 30 seconds', () => {
    const follow = dateHeaderClock(fresh);
    const told = [0, 1, 15, 29, 30, 31, 61].map((at) => follow(said(at, at)));
    expect(told.map((record) => record?.at)).toEqual([
      10_000,
      undefined,
      undefined,
      undefined,
      30_010_000,
      undefined,
      61_010_000,
    ]);
    expect(told[0]).toEqual({
      kind: 'clock',
      at: 10_000,
      serviceUs: NOON * 1_000 + 1_000_000,
      plusMinusUs: 1_110_000,
      rate: 1,
    });
  });

  it('lies within the recorded range, even if the server updates its Date once a second', () => {
    fc.assert(
      fc.property(fc.nat(999), fc.nat(999), fc.nat(50), (looksAt, now, lateMs) => {
        const at = 100 + now / 1_000;
        const sinceLook = (now + 1_000 - looksAt) % 1_000;
        // The timer for the next look is late: what it saw before is said for longer.
        const age = sinceLook < lateMs ? sinceLook + 1_000 : sinceLook;
        const record = dateHeaderClock(fresh)(said(at - 0.01, Math.floor(at - age / 1_000)));
        expect(Math.abs((record?.serviceUs ?? 0) - (NOON + at * 1_000) * 1_000)).toBeLessThanOrEqual(
          record?.plusMinusUs ?? 0,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('is recorded once for each answer that contradicts earlier ones', () => {
    const follow = dateHeaderClock(fresh);
    const ahead = [0, 0, 1, -1, 30, 30, 0, -6, 15].map((by, k) => follow(said(k, k + by)) !== undefined);
    // A second ahead is in order: seconds are whole, and answers take time; it is told as it leaves but one phase. Two apart are not in
    // order. What lies between two that were told is no news.
    expect(ahead).toEqual([true, false, true, true, true, false, false, true, false]);
  });

  it('is not recorded for a contradiction as small as drift makes, after which it is as known as before', () => {
    const follow = dateHeaderClock(fresh);
    // At most 1 s ahead; a Date 2 s later makes it at least 1.06 s, which is within the margin of 0.1 s.
    const told = [said(0, 0), said(0.92, 2), said(0.93, 2), said(0.5, 0)].map((answer) => follow(answer) !== undefined);
    expect(told).toEqual([true, false, false, false]);
  });

  it('is not recorded from answers of an intermediary', () => {
    const follow = dateHeaderClock(fresh);
    expect(follow({ ...said(0, 61), bodyProblem: 'not-json' })).toBeUndefined();
    expect(follow(said(1, 1))?.serviceUs).toBe((NOON + 2_000) * 1_000);
  });

  it('is not recorded from answers to token requests, which may come from another service', () => {
    const follow = dateHeaderClock(fresh);
    expect(follow(said(0, 40, 'issueToken'))).toBeUndefined();
    expect(follow(said(1, 1))?.serviceUs).toBe((NOON + 2_000) * 1_000);
  });

  it('is not recorded from reads that may be copies, which have the Date of the original', () => {
    const follow = dateHeaderClock({ turns: { ...turns, staleFor: 2_000 as Millis } });
    expect(follow(said(0, -2))).toBeUndefined();
    expect(follow(said(1, -1, 'readHistory'))).toBeUndefined();
    expect(follow(said(2, 2, 'sendMessage'))?.serviceUs).toBe((NOON + 3_000) * 1_000);
  });

  it('is recorded by each of several workers once, then by one of them', () => {
    const next = new Int32Array(new SharedArrayBuffer(4));
    const [one, other] = [dateHeaderClock(fresh, next), dateHeaderClock(fresh, next)];
    const told = [0, 1, 30, 31].map((at) =>
      [one(said(at, at)), other(said(at, at))].map((record) => record !== undefined),
    );
    expect(told).toEqual([
      [true, true],
      [false, false],
      [true, false],
      [false, false],
    ]);
  });

  it('is recorded after a jump, even if a slow answer came before', () => {
    const follow = dateHeaderClock(fresh);
    const slow = { ...said(0, 10), headersAt: (20 * SECOND) as Micros };
    expect(follow(slow)).toBeDefined();
    const ahead = [0, 0, 8, 8].map((by, k) => follow(said(21 + k, 21 + k + by)) !== undefined);
    expect(ahead).toEqual([true, false, true, false]);
  });

  it('is recorded so that readers of the records see each jump', () => {
    const follow = dateHeaderClock(fresh);
    // The first answer takes ten seconds; the clock is set by three when the run is twenty seconds old.
    const slow = { ...said(0, 5), headersAt: (10 * SECOND) as Micros };
    const answers = [slow, ...[11, 12, 15].map((at) => said(at, at)), ...[21, 22, 25].map((at) => said(at, at + 3))];
    const records = answers.flatMap((answer) => follow(answer) ?? []);
    expect(records.map(({ at }) => at)).toEqual([5_000_000, 11_010_000, 21_010_000]);
    const { stepUs } = timelineOf(records, { driftPpm: 500, mayLackRecords: false });
    expect(stepUs).toBeGreaterThan(3 * SECOND);
  });

  it('is recorded each time that a quicker answer halves what is not known of it', () => {
    const follow = dateHeaderClock(fresh);
    // An answer leaves a second unknown, and the time that it took.
    const took = (sentAt: number, seconds: number) => ({
      ...said(sentAt, sentAt + seconds / 2),
      headersAt: ((sentAt + seconds) * SECOND) as Micros,
    });
    const told = [20, 12, 8, 4, 2, 0].map((seconds, sentAt) => follow(took(sentAt, seconds)) !== undefined);
    expect(told).toEqual([true, false, true, false, true, true]);
  });

  it('is not recorded from unreadable headers', () => {
    const follow = dateHeaderClock(fresh);
    expect(follow({ ...said(0, 0), date: 'today' })).toBeUndefined();
    expect(follow({ ...said(0, 0), date: '0' })).toBeUndefined();
    expect(follow({ ...said(0, 0), date: undefined })).toBeUndefined();
    expect(follow(said(1, 1))).toBeDefined();
  });
});
