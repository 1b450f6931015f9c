import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepted, poll } from '../../testing/history/sample-records.ts';
import { only, stream, wordsWith } from './turns.exam.ts';
import { TurnLedger } from './turns.ts';

describe('the intervals', () => {
  /** What really happens to a turn at the server, and the exchanges that observe it. */
  const stories = fc.record({
    sentAt: fc.nat({ max: 50 }),
    toServer: fc.nat({ max: 20 }),
    toClient: fc.nat({ max: 20 }),
    lasts: fc.nat({ max: 200 }),
    polls: fc.array(
      fc.record({
        at: fc.nat({ max: 300 }),
        there: fc.nat({ max: 20 }),
        back: fc.nat({ max: 20 }),
        old: fc.nat({ max: 60 }),
      }),
      { maxLength: 8 },
    ),
    staleUs: fc.constantFrom(0, 0, 10, 60),
    streamDelay: fc.option(fc.nat({ max: 20 })),
    order: fc.infiniteStream(fc.nat()),
  });

  it('are correct: certain ⊆ true processing ⊆ possible, in any order and division of the records', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const begin = story.sentAt + story.toServer;
        const finish = begin + story.lasts;
        const by = wordsWith(story.staleUs / 1_000);
        const polls = story.polls.map(({ at, there, back, old }, index) => {
          const sent = begin + story.toClient + at;
          const decided = sent + there;
          const asOf = decided - Math.min(old, story.staleUs);
          return poll(index + 1, 't', asOf < finish ? 'processing' : 'completed', sent, decided + back);
        });
        const events = story.streamDelay === null ? [] : [stream('completed', finish + story.streamDelay)];
        const records = [accepted(0, 't', story.sentAt, begin + story.toClient), ...polls, ...events];
        const turn = only(records, by);
        if (!turn) return;
        expect(turn.regressed).toBe(false);
        expect(turn.possible.from).toBeLessThanOrEqual(begin);
        expect(turn.possible.to ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(finish);
        if (turn.certain) {
          expect(turn.certain.from).toBeGreaterThanOrEqual(begin);
          expect(turn.certain.to).toBeLessThanOrEqual(finish);
        }
        if (turn.finished) {
          expect(turn.finished.after).toBeLessThanOrEqual(finish);
          expect(turn.finished.before).toBeGreaterThanOrEqual(finish);
        }
        const one = new TurnLedger(by);
        const other = new TurnLedger(by);
        for (const record of [...records].reverse())
          ((story.order.next().value ?? 0) % 2 === 0 ? one : other).add(record);
        one.merge(other);
        expect(one.turns()).toEqual([turn]);
      }),
    );
  });
});
