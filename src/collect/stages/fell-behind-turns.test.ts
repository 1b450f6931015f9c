import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { accepted, end, header, poll, us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { STAGE_US, threeStages } from './fell-behind.exam.ts';

const stages = threeStages.map((stage, n) => ({ ...stage, arrivalsPerMinute: { from: 60 + n, to: 60 + n } }));
const PERIOD_US = 500_000;

/** Of each turn: when it was accepted, and when the service has finished it. */
type Turns = readonly (readonly [accepted: number, finished: number])[];

/** Accepted 2, 6 and 10 a second; processed one after the other. */
function oneByOne(takesUs: number): Turns {
  let free = 0;
  return [2, 6, 10].flatMap((level, stage) =>
    Array.from({ length: level * 10 }, (_, nth) => {
      const at = stage * STAGE_US + Math.round((nth * 1e6) / level);
      free = Math.max(free, at) + takesUs;
      return [at, free] as const;
    }),
  );
}

/** The generator stands still between these instants. */
type Still = readonly [from: number, to: number];
const NEVER: Still = [0, 0];

/** Every poll is answered at once. */
function polled(turns: Turns, [from, to]: Still = NEVER): JournalRecord[] {
  let seq = turns.length;
  return turns.flatMap(([at, finished], n): JournalRecord[] => {
    const records: JournalRecord[] = [accepted(n, `t${n}`, at, at + 1_000)];
    for (let next = at + PERIOD_US; ; next += PERIOD_US) {
      const sent = next >= from && next < to ? to : next;
      records.push(poll(seq++, `t${n}`, sent > finished ? 'completed' : 'queued', sent, sent + 1_000));
      if (sent > finished) return records;
    }
  });
}

const streamed = (turns: Turns, [from, to]: Still = NEVER): JournalRecord[] =>
  turns.flatMap(([at, finished], n): JournalRecord[] => {
    const isLate = finished >= from && finished < to;
    const last: JournalRecord = {
      ...{ kind: 'stream', turn: `t${n}`, event: 'completed', status: 'completed' },
      ...{ at: us(isLate ? to : finished), ...(isLate && { readLateUs: us(to - from) }) },
    };
    return [
      accepted(n, `t${n}`, at, at + 1_000),
      { kind: 'stream', turn: `t${n}`, event: 'opened', at: us(at + 2_000) },
      last,
    ];
  });

const behind = (records: JournalRecord[]) => {
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  const summary = summaryOf([header({ stages }), ...records, end({ at: us(90e6), exchanges })]);
  return (summary.stages ?? []).map(({ turnsBehind }) => turnsBehind);
};

describe('a service that answers at once, and processes turns one after the other', () => {
  it('falls behind where more messages are accepted than it has processed', () => {
    // 1 a second more in the second stage, which so few do not show, 5 more in the third one; one is being processed.
    expect(behind(streamed(oneByOne(200_000)))).toEqual([undefined, undefined, { half: 36, end: 61 }]);
    // A poll saw the turns open up to half a second before, of which five a second end.
    const [first, second, third] = behind(polled(oneByOne(200_000)));
    expect([first, second]).toEqual([undefined, undefined]);
    expect(third?.half).toBeGreaterThan(30);
    expect(third?.end).toBeGreaterThan(55);
  });

  it('does not where it keeps up, be its turns long', () => {
    const long = oneByOne(90_000).map(([at, finished]) => [at, finished + 3e6] as const);
    for (const turns of [oneByOne(90_000), long])
      for (const records of [streamed(turns), polled(turns)])
        expect(behind(records)).toEqual([undefined, undefined, undefined]);
  });

  it('does not by a generator that stands still in the second half of a stage', () => {
    const still: Still = [17e6, 20e6];
    for (const turns of [oneByOne(90_000), oneByOne(20_000)])
      for (const records of [streamed(turns, still), polled(turns, still)])
        expect(behind(records)).toEqual([undefined, undefined, undefined]);
  });
});
