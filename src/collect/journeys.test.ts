import { describe, expect, it } from 'vitest';
import { exchange, header, us } from '../testing/history/sample-records.ts';
import { measured } from '../testing/measured.ts';

describe('a measurement', () => {
  it.each([
    ['nothing checked', ['ask'], [], { checked: 0, neverChecked: true }],
    ['something checked', ['ask'], [exchange({ seq: 0, expect: { checked: 1, unmet: [] } })], { checked: 1 }],
    ['another journey begun', ['other'], [], { checked: 0 }],
    ['nothing expected', undefined, [], { checked: 0 }],
  ] as const)('says whether expectations of journeys were ever checked: %s', (_, expecting, sent, told) => {
    const journey = { arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(9), outcome: 'completed' } as const;
    const start = header(expecting && { expecting });
    expect(measured([start, ...sent, { kind: 'journey', ...journey }]).summary().expectations).toEqual({
      unmet: 0,
      examples: [],
      ...told,
    });
  });

  it('reports waits, drops, journeys and expectations', () => {
    const { capWaits, drops, journeys, expectations } = measured([
      header(),
      exchange({
        seq: 0,
        sentAt: us(50),
        capWaitUs: { inFlight: us(40), openTurns: us(5) },
        expect: { checked: 2, unmet: ['b', 'c'] },
      }),
      exchange({ seq: 1, sentAt: us(20), capWaitUs: { inFlight: us(10) }, expect: { checked: 1, unmet: ['a'] } }),
      {
        kind: 'stream',
        turn: 't',
        event: 'closed',
        at: us(70),
        expect: { checked: 1, unmet: ['d'] },
        handshake: { seq: 2, sentAt: us(60), intendedAt: us(60) },
      },
      { kind: 'drop', intendedAt: us(7), arrival: 2, journey: 'ask', reason: 'max-in-flight' },
      { kind: 'drop', intendedAt: us(8), arrival: 3, journey: 'ask', reason: 'stopped' },
      { kind: 'drop', intendedAt: us(9), arrival: 4, journey: 'ask', reason: 'stopped' },
      { kind: 'journey', arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(900), outcome: 'completed' },
      {
        kind: 'journey',
        arrival: 1,
        journey: 'ask',
        startedAt: us(0),
        endedAt: us(5),
        outcome: 'stopped',
        stoppedAt: { operation: 'readTurn', because: '500' },
      },
    ]).summary();
    expect(capWaits).toEqual({
      inFlight: { count: 2, totalUs: 50, maxUs: 40 },
      openTurns: { count: 1, totalUs: 5, maxUs: 5 },
    });
    expect(drops).toEqual({ total: 3, byReason: { 'max-in-flight': 1, stopped: 2 } });
    expect(journeys.ask).toMatchObject({
      byOutcome: { completed: 1, stopped: 1, interrupted: 0 },
      duration: { count: 1, maxUs: 900 },
      stoppedAt: [{ operation: 'readTurn', because: '500', count: 1 }],
    });
    expect(expectations).toEqual({
      checked: 4,
      unmet: 4,
      examples: [
        { seq: 1, operation: 'readHistory', sentence: 'a' },
        { seq: 0, operation: 'readHistory', sentence: 'b' },
        { seq: 0, operation: 'readHistory', sentence: 'c' },
        { seq: 2, operation: 'openStream', sentence: 'd' },
      ],
    });
  });

  it('names the worker of an exchange that did not meet an expectation, because each worker numbers its own', () => {
    const unmet = { checked: 1, unmet: ['a'] };
    const { expectations } = measured([
      header(),
      exchange({ seq: 4, worker: 0, sentAt: us(10), expect: unmet }),
      exchange({ seq: 4, worker: 2, sentAt: us(20), expect: unmet }),
    ]).summary();
    expect(expectations.examples).toEqual([
      { seq: 4, operation: 'readHistory', sentence: 'a' },
      { seq: 4, worker: 2, operation: 'readHistory', sentence: 'a' },
    ]);
  });

  it('shows those of one instant that did not meet an expectation by worker and number, in whatever order they come', () => {
    const unmet = { checked: 1, unmet: ['a'] };
    const { expectations } = measured([
      header(),
      exchange({ seq: 0, worker: 2, sentAt: us(10), expect: unmet }),
      ...[2, 0, 1].map((seq) => exchange({ seq, worker: 1, sentAt: us(10), expect: unmet })),
    ]).summary();
    expect(expectations.examples.map(({ worker, seq }) => [worker, seq])).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 0],
    ]);
  });

  it('shows what the answer to a handshake did not meet before what the end of its stream did not, in whatever order they come', () => {
    const answer = exchange({ seq: 7, operation: 'openStream', expect: { checked: 1, unmet: ['status'] } });
    const ending = {
      kind: 'stream',
      turn: 't1',
      event: 'closed',
      at: us(900),
      expect: { checked: 1, unmet: ['body'] },
      handshake: { seq: 7, sentAt: answer.sentAt, intendedAt: answer.intendedAt },
    } as const;
    for (const records of [
      [answer, ending],
      [ending, answer],
    ]) {
      const { examples } = measured([header(), ...records]).summary().expectations;
      expect(examples.map(({ sentence }) => sentence)).toEqual(['status', 'body']);
    }
  });

  it('excludes a journey whose arrival was in the warm-up, however late it started', () => {
    const journey = { kind: 'journey', journey: 'ask', endedAt: us(9_000), outcome: 'completed' } as const;
    const { journeys } = measured([
      header({ warmUpUs: us(1_000) }),
      { ...journey, arrival: 0, intendedAt: us(999), startedAt: us(5_000) },
      { ...journey, arrival: 1, intendedAt: us(1_000), startedAt: us(5_000) },
      // As older histories have it.
      { ...journey, arrival: 2, startedAt: us(999) },
    ]).summary();
    expect(journeys.ask?.byOutcome.completed).toBe(1);
  });
});
