import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { measured } from '../../testing/measured.ts';
import type { Summary } from '../summary.ts';

const STAGE_S = 5;
const LEVELS = [8, 16, 24, 32];

/** Stairs of 8, 16, 24 and 32 requests a second, of five seconds each. */
const stairs = LEVELS.map((level, index) => ({
  name: `stair-${index + 1}`,
  fromUs: us(index * STAGE_S * 1e6),
  toUs: us((index + 1) * STAGE_S * 1e6),
  arrivalsPerMinute: { from: level * 60, to: level * 60 },
}));

/** Even arrivals in each stair. */
const dueTimes = stairs.flatMap(({ fromUs }, index) =>
  Array.from(
    { length: (LEVELS[index] ?? 0) * STAGE_S },
    (_, nth) => fromUs + Math.round((nth * 1e6) / (LEVELS[index] ?? 1)),
  ),
);

/** One request and journey for each instant. @param answeredAt of each of them */
function run(answeredAt: readonly number[], members: (due: number) => Partial<Exchange> = () => ({})): JournalRecord[] {
  return dueTimes.flatMap((due, seq): JournalRecord[] => {
    const [intendedAt, receivedAt] = [us(due), us(answeredAt[seq] ?? due)];
    return [
      exchange({ seq, arrival: seq, intendedAt, sentAt: intendedAt, receivedAt, ...members(due) }),
      {
        kind: 'journey',
        arrival: seq,
        journey: 'ask',
        intendedAt,
        startedAt: intendedAt,
        endedAt: receivedAt,
        outcome: 'completed',
      },
    ];
  });
}

const summaryOf = (records: readonly JournalRecord[], members: Parameters<typeof header>[0] = {}): Summary =>
  measured([
    header({ stages: stairs, ...members }),
    ...records,
    end({ at: us(40e6), exchanges: dueTimes.length, arrivals: dueTimes.length }),
  ]).summary();

const states = ({ stages = [] }: Summary) =>
  stages.map(({ state, behind }) => (behind ? `${behind.half}, ${behind.end}` : state));

/** Answers one after the other, each of which takes so long. */
function oneByOne(takesUs: number): number[] {
  let free = 0;
  return dueTimes.map((due) => {
    free = Math.max(free, due) + takesUs;
    return free;
  });
}

describe('stairs at a service that answers 20 requests a second, one after the other', () => {
  const summary = summaryOf(run(oneByOne(50_000)));

  it('are held below that and not above it, and achieve no more than that', () => {
    // 4 more a second are due in the third stair than answered, 12 in the last; one is just being answered.
    expect(states(summary)).toEqual(['held', 'held', '11, 21', '51, 81']);
    expect(summary.stages?.map(({ perMinute }) => perMinute)).toEqual(
      [8, 16, 20, 20].map((ended) => ({
        completedJourneys: expect.closeTo(ended * 60, -2),
        successes: expect.closeTo(ended * 60, -2),
      })),
    );
    expect(summary.stages?.map(({ state }) => state)).toEqual(['held', 'held', 'gave-in', 'gave-in']);
    expect(summary.knee).toMatchObject({ held: 'stair-2', gaveIn: 'stair-3', untold: [], heldAgain: [] });
  });

  it('are the same merged from the records of two workers', () => {
    const records = run(oneByOne(50_000));
    const parts = [0, 1].map((worker) =>
      measured([
        header({ stages: stairs }),
        ...records.filter((_, index) => index % 3 === worker || (worker > 0 && index % 3 === 2)),
      ]),
    );
    parts[1]?.add(end({ at: us(40e6), exchanges: dueTimes.length, arrivals: dueTimes.length }));
    if (!parts[0] || !parts[1]) throw new TypeError('no parts');
    parts[0].merge(parts[1]);
    expect(parts[0].summary().stages).toEqual(summary.stages);
  });

  it('did not fall behind if the scenario itself held the requests back', () => {
    const answered = oneByOne(50_000);
    const postponed = (cap: 'inFlight' | 'pace' | 'connection') => {
      let seq = 0;
      return run(answered, (due) => {
        const sentAt = us((answered[seq++] ?? 0) - 50_000);
        return { sentAt, capWaitUs: { [cap]: us(sentAt - due) } };
      });
    };
    // Of the last two stairs, requests were held back beyond the ends.
    expect(states(summaryOf(postponed('inFlight')))).toEqual(['held', 'held', 'untold', 'untold']);
    expect(states(summaryOf(postponed('pace')))).toEqual(['held', 'held', 'untold', 'untold']);
    expect(states(summaryOf(postponed('connection')))).toEqual(['held', 'held', '11, 21', '51, 81']);
  });

  it('did not fall behind where the generator stood still, and requests left late by it alone', () => {
    const stands = (due: number) => due >= 12.5e6 && due < 15e6;
    // Half of the third stair; all leave together at its end, and are answered 10 ms later.
    const answered = dueTimes.map((due) => (stands(due) ? 15e6 : due) + 10_000);
    const late = (operation: Exchange['operation'], waits: (due: number) => Exchange['capWaitUs'] = () => undefined) =>
      run(answered, (due) => {
        const capWaitUs = stands(due) ? waits(due) : undefined;
        return stands(due) ? { operation, sentAt: us(15e6), ...(capWaitUs && { capWaitUs }) } : {};
      });
    expect(states(summaryOf(late('readHistory')))).toEqual(['held', 'held', 'untold', 'held']);
    // Under `noCatchUp`, each is paced after the one before it.
    const paced = late('readHistory', (due) => ({ pace: us(15e6 - due) }));
    expect(states(summaryOf(paced))).toEqual(['held', 'held', 'untold', 'held']);
    // A poll waits for the answer to the one before it; so does what waits for a connection.
    expect(states(summaryOf(late('readTurn')))).toEqual(['held', 'held', '0, 60', 'held']);
    const connecting = late('readHistory', (due) => ({ connection: us(15e6 - due) }));
    expect(states(summaryOf(connecting))).toEqual(['held', 'held', '0, 60', 'held']);
  });

  it('are not judged if they are users, who wait, nor if the run was cut short within them', () => {
    const users = stairs.map(({ arrivalsPerMinute, ...stage }) => ({ ...stage, users: arrivalsPerMinute }));
    const records = run(oneByOne(50_000));
    expect(states(summaryOf(records, { stages: users }))).toEqual(['held', 'held', 'held', 'held']);
    const cutAt = us(19.9e6);
    const seen = records.filter((record) => record.kind === 'exchange' && record.receivedAt < cutAt);
    const cut = end({ at: cutAt, exchanges: seen.length, complete: false, reason: 'interrupted' });
    const { stages = [] } = measured([header({ stages: stairs }), ...seen, cut]).summary();
    expect(stages.map(({ behind }) => behind)).toEqual([undefined, undefined, { half: 11, end: 21 }, undefined]);
    expect(stages[3]?.state).toBe('untold');
  });

  it('are not held in a history that ends before their last requests were answered, which it does not show', () => {
    const records = run(oneByOne(50_000));
    const until = (atUs: number) =>
      states(
        measured([
          header({ stages: stairs }),
          ...records.filter((record) => (record.kind === 'exchange' ? record.receivedAt : atUs) <= atUs),
          { kind: 'health', at: us(atUs), gcUs: us(0), backlog: 0 },
        ]).summary(),
      );
    expect(until(10.01e6)).toEqual(['held', 'untold', 'untold', 'untold']);
    expect(until(10.1e6)).toEqual(['held', 'held', 'untold', 'untold']);
    // The last request of the third stair is answered 16 s after the start.
    expect(until(15.1e6)).toEqual(['held', 'held', 'untold', 'untold']);
    expect(until(16.1e6)).toEqual(['held', 'held', '11, 21', 'untold']);
    expect(until(20.1e6)).toEqual(['held', 'held', '11, 21', 'untold']);
  });

  it('are held by a service that answers all of them, if that takes less than half of a stair; else nothing is seen', () => {
    const after = (us_: number) => dueTimes.map((due) => due + us_);
    for (const latency of [1_000, 900_000, 2_400_000])
      expect(states(summaryOf(run(after(latency))))).toEqual(['held', 'held', 'held', 'held']);
    const { stages = [], knee } = summaryOf(run(after(2_600_000)));
    expect(stages.map(({ state, tooShort }) => [state, tooShort])).toEqual(LEVELS.map(() => ['untold', true]));
    expect(knee).toMatchObject({ untold: ['stair-1', 'stair-2', 'stair-3', 'stair-4'], heldAgain: [] });
  });

  it('are not said to have held again where so many are waiting from before that nothing is seen', () => {
    expect(states(summaryOf(run(oneByOne(200_000))))).toEqual(['8, 16', 'untold', 'untold', 'untold']);
  });

  it('count what the warm-up left waiting, whose answers are no growth', () => {
    // The warm-up ends with 60 waiting, in the middle of a stair; in the next one, there is a request in two that can be answered.
    const stages = [
      { ...stairs[3], name: 'stair-1', fromUs: us(0), toUs: us(6e6) },
      { ...stairs[0], name: 'stair-2', fromUs: us(6e6), toUs: us(16e6) },
    ];
    const at = [
      ...Array.from({ length: 160 }, (_, nth) => nth * 31_250),
      ...Array.from({ length: 110 }, (_, nth) => 5e6 + nth * 100_000),
    ];
    let free = 0;
    const records = at.map((due, seq) => {
      free = Math.max(free, due) + 50_000;
      return exchange({ seq, intendedAt: us(due), sentAt: us(due), receivedAt: us(free) });
    });
    const made = measured([
      header({ stages: stages as never, warmUpUs: us(5e6) }),
      ...records,
      end({ at: us(20e6), exchanges: at.length }),
    ]).summary();
    expect(made.stages?.map(({ behind, perMinute }) => [behind, perMinute?.successes])).toEqual([
      [undefined, 1_200],
      [undefined, expect.closeTo(900, -2)],
    ]);
  });
});
