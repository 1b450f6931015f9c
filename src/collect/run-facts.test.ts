import { describe, expect, it } from 'vitest';
import type { DropRecord, JournalRecord } from '../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { measured } from '../testing/measured.ts';
import { measure } from './measure.ts';
import { refused } from './refused.exam.ts';

describe('a measurement', () => {
  it('reports what was run and how much of it is recorded', () => {
    const sent = (seq: number): JournalRecord => ({ kind: 'sent', seq, operation: 'readHistory', at: us(0) });
    const records = [
      header(),
      sent(0),
      exchange({ seq: 0, arrival: 4 }),
      exchange({ seq: 3, sentAt: us(500) }),
      sent(4),
    ];
    const broken = measured(records).summary();
    expect(broken.run).toMatchObject({
      runId: 'run-1',
      scenario: 'sample',
      seed: 7,
      target: 'sandbox',
      complete: false,
      incompleteBecause: 'no-end',
      durationUs: 1_500,
      arrivals: 2,
      exchanges: 2,
      inFlightAtEnd: 1,
      missingSeq: 2,
    });
    expect(
      measured([
        header(),
        exchange({ seq: 0, arrival: 200 }),
        exchange({ seq: 1, arrival: 200 }),
        { kind: 'drop', intendedAt: us(7), arrival: 3, journey: 'ask', reason: 'stopped', count: 9, lastArrival: 99 },
        { kind: 'drop', intendedAt: us(7), arrival: 4, journey: 'ask', reason: 'late' },
      ]).summary().run.arrivals,
    ).toBe(11);
    const left = (arrival: number): DropRecord => ({
      ...{ kind: 'drop', intendedAt: us(7), arrival, journey: 'ask', reason: 'stopped', count: 9 },
      lastArrival: arrival + 9,
    });
    const parts = [left(3), left(20)].map((drop) => measured([header(), drop]));
    parts[0]?.merge(parts[1] ?? measure());
    expect(parts[0]?.summary().run.arrivals).toBe(18);
    expect(broken.limits).toEqual({
      rate: { max: 20, windowUs: 60_000_000 },
      concurrency: { max: 2 },
      daily: { max: 50 },
    });
    const run = (members: Parameters<typeof end>[0]) =>
      measured([header(), exchange({ seq: 0 }), end(members)]).summary().run;
    expect(run({ exchanges: 1, arrivals: 9, at: us(7) })).toMatchObject({ complete: true, arrivals: 9, durationUs: 7 });
    expect(run({ exchanges: 1 })).not.toHaveProperty('incompleteBecause');
    expect(run({ exchanges: 2 })).toMatchObject({ complete: false, incompleteBecause: 'lines-lost' });
    const doubled = [header(), exchange({ seq: 0 }), exchange({ seq: 0 }), end({ exchanges: 2 })];
    expect(measured(doubled).summary().run).toMatchObject({ complete: false, incompleteBecause: 'lines-doubled' });
    // An end that was made to agree with the lines that are left.
    const gap = [header(), exchange({ seq: 0 }), exchange({ seq: 2 }), end({ exchanges: 2 })];
    const toldOfGap = { complete: false, incompleteBecause: 'lines-lost', missingSeq: 1 };
    expect(measured(gap).summary().run).toMatchObject(toldOfGap);
    expect(run({ exchanges: 1, complete: false, reason: 'interrupted' })).toMatchObject({
      incompleteBecause: 'interrupted',
    });
  });

  it('tells that journeys, drops or streams are missing or doubled by the counts of the end, unless there are none', () => {
    const journey: JournalRecord = {
      kind: 'journey',
      arrival: 0,
      journey: 'ask',
      startedAt: us(0),
      endedAt: us(9),
      outcome: 'completed',
    };
    const drop: DropRecord = { kind: 'drop', intendedAt: us(7), arrival: 1, journey: 'ask', reason: 'late' };
    const leftOver: DropRecord = { ...drop, arrival: 2, reason: 'stopped', count: 3, lastArrival: 4 };
    const opened: JournalRecord = { kind: 'stream', turn: 't', event: 'opened', at: us(5) };
    const because = (records: readonly JournalRecord[], members: Parameters<typeof end>[0]) =>
      measured([header(), ...records, end(members)]).summary().run.incompleteBecause;
    const all = [journey, drop, leftOver, opened];
    const counted = { arrivals: 5, drops: 4, streams: 1 };
    expect(because(all, counted)).toBeUndefined();
    for (const record of all) {
      const without = all.filter((one) => one !== record);
      expect(because(without, counted), record.kind).toBe('lines-lost');
      expect(because([...all, record], counted), record.kind).toBe('lines-doubled');
    }
    expect(because([], counted)).toBeUndefined();
    // The judge's corpus keeps the streams, and neither journeys nor drops.
    expect(because([opened], counted)).toBeUndefined();
    expect(because([opened, opened], counted)).toBe('lines-doubled');
    // An end that was planned explains no missing line; a full disk does.
    for (const reason of ['deadline', 'gate', 'budget']) {
      const planned = { ...counted, complete: false, reason };
      expect(because(all, planned)).toBe(reason);
      expect(because(all, { ...planned, exchanges: 1 })).toBe('lines-lost');
      expect(because([...all, journey], planned)).toBe('lines-doubled');
    }
    expect(because(all, { ...counted, exchanges: 1, complete: false, reason: 'disk' })).toBe('disk');
  });

  it('ends a history without an end at what came last, not at arrivals that were still to come', () => {
    const drop = (at: number, reason: DropRecord['reason']): DropRecord => ({
      kind: 'drop',
      intendedAt: us(at),
      arrival: at,
      journey: 'ask',
      reason,
    });
    const durationUs = (...drops: readonly DropRecord[]) =>
      measured([header(), exchange({ seq: 0, receivedAt: us(1_500) }), ...drops]).summary().run.durationUs;
    expect(durationUs(drop(3_600_000_000, 'stopped'))).toBe(1_500);
    expect(durationUs(drop(2_000, 'cap'))).toBe(2_000);
  });

  it('is plain data: a summary survives JSON', () => {
    const records = [exchange({ seq: 0 }), refused(1, undefined), accepted(2, 't', 10, 20)];
    for (const preamble of [[header()], [header({ profile: {} })], []]) {
      const summary = measured([...preamble, ...records]).summary();
      expect(JSON.parse(JSON.stringify(summary))).toStrictEqual(summary);
    }
  });

  it('measures parts of a run separately and merges them', () => {
    const records = [
      exchange({ seq: 0 }),
      accepted(1, 't', 10, 20),
      poll(2, 't', 'queued', 25, 28),
      poll(3, 't', 'completed', 30, 40),
      end({ exchanges: 4 }),
    ];
    const one = measured([header(), ...records.filter((_, index) => index % 2 === 0)]);
    one.merge(measured([header(), ...records.filter((_, index) => index % 2 === 1)]));
    const whole = measured([header(), ...records]);
    expect(one.summary()).toEqual(whole.summary());
    expect(one.turns()).toEqual(whole.turns());
    expect(one.intervals()).toEqual(whole.intervals());
  });
});

it('a history without an end lasted until its last journey ended', () => {
  const journey: JournalRecord = {
    kind: 'journey',
    arrival: 0,
    journey: 'ask',
    startedAt: us(0),
    endedAt: us(9_000),
    outcome: 'completed',
  };
  const { durationUs, incompleteBecause } = measured([header(), exchange({ seq: 0 }), journey]).summary().run;
  expect([durationUs, incompleteBecause]).toEqual([9_000, 'no-end']);
});
