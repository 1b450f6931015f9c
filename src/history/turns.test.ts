import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepted, exchange, poll, us } from '../testing/history/sample-records.ts';
import { profileWords } from './profile-words.ts';
import type { Exchange, JournalRecord, StreamRecord } from './records.ts';
import { type Turn, TurnLedger } from './turns.ts';

/** @param staleFor ms */
const wordsWith = (staleFor: unknown) => profileWords({ turns: { staleFor } }).turns;
const words = profileWords(undefined).turns;
function turnsOf(records: readonly JournalRecord[], by = words): Turn[] {
  const ledger = new TurnLedger(by);
  for (const record of records) ledger.add(record);
  return ledger.turns();
}
const only = (records: readonly JournalRecord[], by = words) => {
  const turns = turnsOf(records, by);
  expect(turns).toHaveLength(1);
  return turns[0];
};
const stream = (event: StreamRecord['event'], at: number): StreamRecord => ({
  kind: 'stream',
  turn: 't',
  event,
  at: us(at),
});

describe('a turn followed by polls', () => {
  it('finished after the last poll that saw it open was sent and before the first that did not was answered', () => {
    const turn = only([
      accepted(0, 't', 1_000, 3_000),
      poll(1, 't', 'queued', 10_000, 11_000),
      poll(2, 't', 'processing', 20_000, 21_000),
      poll(3, 't', 'completed', 30_000, 31_500, {
        receivedAt: us(31_900),
        turn: { id: 't', status: 'completed', latencyMs: 812 },
      }),
      poll(4, 't', 'completed', 40_000, 41_000, { turn: { id: 't', status: 'completed', latencyMs: 999 } }),
    ]);
    expect(turn).toMatchObject({
      state: 'completed',
      finished: { by: 'poll', observedAt: 31_500, after: 20_000, before: 31_500 },
      certain: { from: 3_000, to: 20_000 },
      possible: { from: 1_000, to: 31_500 },
      seenByPollAt: 31_500,
      polls: 4,
      latencyMs: 812,
      regressed: false,
    });
  });

  it.each([0, 812.5, 1e12])('took %d ms if the service says so', (latencyMs) => {
    const turn = { id: 't', status: 'completed', latencyMs };
    expect(only([poll(1, 't', 'completed', 10_000, 11_000, { turn })])?.latencyMs).toBe(latencyMs);
  });

  it.each([-1, 1e12 + 1])('did not take %d ms, whatever the service says', (latencyMs) => {
    const turn = { id: 't', status: 'completed', latencyMs };
    expect(only([poll(1, 't', 'completed', 10_000, 11_000, { turn })])).not.toHaveProperty('latencyMs');
  });

  it('has no certain interval if no poll saw it open', () => {
    const turn = only([accepted(0, 't', 1_000, 3_000), poll(1, 't', 'failed', 10_000, 11_000)]);
    expect(turn).toMatchObject({
      state: 'failed',
      finished: { after: 1_000, before: 11_000 },
      possible: { from: 1_000, to: 11_000 },
    });
    expect(turn).not.toHaveProperty('certain');
  });

  it('has no certain interval if the poll that saw it open was sent before the acceptance was answered', () => {
    expect(only([accepted(0, 't', 1_000, 9_000), poll(1, 't', 'queued', 8_000, 10_000)])).not.toHaveProperty('certain');
  });

  it('may be in process indefinitely if its end was not observed', () => {
    const turn = only([accepted(0, 't', 1_000, 3_000), poll(1, 't', 'processing', 10_000, 11_000)]);
    expect(turn).toMatchObject({
      state: 'unfinished',
      certain: { from: 3_000, to: 10_000 },
      possible: { from: 1_000 },
    });
    expect(turn?.possible).not.toHaveProperty('to');
    expect(turn).not.toHaveProperty('finished');
  });

  it('learns nothing from a status that the profile does not list, a refusal, or a poll without an answer', () => {
    const turn = only([
      accepted(0, 't', 1_000, 3_000),
      poll(1, 't', 'pondering', 10_000, 11_000),
      poll(2, 't', 'completed', 20_000, 21_000, { outcome: 'refused', status: 429 }),
      poll(3, 't', 'completed', 30_000, 31_000, { outcome: 'censored' }),
    ]);
    expect(turn).toMatchObject({ state: 'unfinished', polls: 3 });
    expect(turn).not.toHaveProperty('certain');
  });

  it('learns nothing from answers of which nobody recorded when they came', () => {
    const { headersAt: _, ...told } = poll(1, 't', 'completed', 10_000, 11_000, {
      turn: { id: 't', status: 'completed' },
    });
    expect(only([accepted(0, 't', 1_000, 3_000), told])).toMatchObject({ state: 'unfinished', polls: 1 });
    const { headersAt: __, ...taken } = accepted(0, 't', 1_000, 3_000);
    expect(only([taken])).not.toHaveProperty('acceptance');
  });

  it('is marked if the service contradicts itself, and has no certain interval then', () => {
    const turn = only([
      accepted(0, 't', 1_000, 3_000),
      poll(1, 't', 'completed', 5_000, 6_000),
      poll(2, 't', 'queued', 7_000, 8_000),
    ]);
    expect(turn).toMatchObject({ state: 'completed', regressed: true, finished: { observedAt: 6_000, after: 1_000 } });
    expect(turn).not.toHaveProperty('certain');
    expect(turn?.possible).toEqual({ from: 1_000 });
  });

  it('finished after a poll that saw it open, even if only a later answer that names it is recorded', () => {
    const turn = only([
      poll(1, 't', 'queued', 500, 900),
      accepted(2, 't', 1_000, 3_000),
      poll(3, 't', 'completed', 5_000, 6_000),
    ]);
    expect(turn?.finished).toMatchObject({ after: 500, before: 6_000 });
  });

  it('does not contradict itself within the instant in which its end was observed', () => {
    const turn = only([
      accepted(0, 't', 1_000, 3_000),
      poll(1, 't', 'completed', 5_000, 6_000),
      poll(2, 't', 'queued', 6_000, 8_000),
    ]);
    expect(turn).toMatchObject({
      regressed: false,
      certain: { from: 3_000, to: 6_000 },
      possible: { from: 1_000, to: 6_000 },
    });
  });

  it('has one end and one latency, whichever of two answers of one instant is read first', () => {
    const answer = (seq: number, status: string, latencyMs: number) =>
      poll(seq, 't', status, 10_000, 11_000, { turn: { id: 't', status, latencyMs } });
    const two = [answer(1, 'failed', 5), answer(2, 'completed', 7)];
    for (const records of [two, [...two].reverse()])
      expect(only(records)).toMatchObject({ state: 'completed', latencyMs: 5 });
  });

  it('is not polled by the handshake of its stream', () => {
    const handshake = exchange({ seq: 1, operation: 'openStream', status: 101, turn: { id: 't' } });
    expect(turnsOf([accepted(0, 't', 1_000, 3_000), handshake])).toMatchObject([{ id: 't', polls: 0 }]);
  });

  it('does not mistake an answer that overtook another for a contradiction', () => {
    const turn = only([
      accepted(0, 't', 1_000, 3_000),
      poll(2, 't', 'completed', 12_000, 13_000),
      poll(1, 't', 'queued', 10_000, 20_000),
    ]);
    expect(turn).toMatchObject({ regressed: false, finished: { after: 10_000, before: 13_000 } });
  });
});

describe('a turn of a service whose polls may show what was so before', () => {
  const polls = [accepted(0, 't', 1_000, 3_000), poll(1, 't', 'queued', 10_000, 11_000)];

  it.each([
    ['2 ms', 2, { from: 3_000, to: 8_000 }, 8_000],
    ['so long that it says nothing of the turn', 7, undefined, 3_000],
    ['before the message was sent', 30, undefined, 1_000],
    ['nobody knows how long', 'ages', undefined, 1_000],
  ])('was certainly in process for that much less: %s', (_, staleFor, certain, after) => {
    const turn = only([...polls, poll(2, 't', 'completed', 20_000, 21_000)], wordsWith(staleFor));
    expect(turn).toMatchObject({ regressed: false, finished: { after, before: 21_000 } });
    expect(turn?.certain).toEqual(certain);
  });

  it('contradicts itself only by more than that', () => {
    const back = [...polls, poll(2, 't', 'completed', 20_000, 21_000), poll(3, 't', 'queued', 23_000, 24_000)];
    expect(only(back, wordsWith(1.999))?.regressed).toBe(true);
    // The poll may be stale or right: nothing about the turn is certain, and it may still be in process.
    const stale = only(back, wordsWith(2));
    expect(stale).toMatchObject({ regressed: false, possible: { from: 1_000 } });
    expect([stale?.certain, stale?.possible.to]).toEqual([undefined, undefined]);
  });
});

describe('a turn followed by its stream', () => {
  it('finished at the event; the polls give the lower end', () => {
    const turn = only([
      accepted(0, 't', 1_000, 3_000),
      stream('opened', 4_000),
      stream('status', 5_000),
      stream('delta', 6_000),
      stream('delta', 7_000),
      poll(1, 't', 'processing', 8_000, 8_500),
      stream('completed', 9_000),
      stream('closed', 9_100),
      poll(2, 't', 'completed', 10_000, 11_000),
    ]);
    expect(turn).toMatchObject({
      finished: { by: 'stream', observedAt: 9_000, after: 8_000, before: 9_000 },
      firstEventAt: 5_000,
      firstDeltaAt: 6_000,
      streamEvents: 4,
      seenByStreamAt: 9_000,
      seenByPollAt: 11_000,
    });
  });

  it.each(['completed', 'failed'] as const)('has %s if its stream says so', (event) => {
    const turn = only([accepted(0, 't', 1_000, 3_000), stream(event, 9_000)]);
    expect(turn).toMatchObject({ state: event, finished: { by: 'stream', observedAt: 9_000 }, streamEvents: 1 });
  });
});

it('a turn finished at the event of its stream, if a poll shows that in the same instant', () => {
  const turn = only([poll(2, 't', 'completed', 10_000, 11_000), stream('completed', 11_000)]);
  expect(turn?.finished).toMatchObject({ by: 'stream', observedAt: 11_000 });
});

describe('an earlier attempt at the message', () => {
  const attempt = (members: Partial<Exchange>): Exchange => {
    const { turn: _, ...rest } = accepted(0, 't', 1_000, 2_000);
    return { ...rest, ...members };
  };
  const acceptedTurn = (...earlier: readonly Exchange[]) =>
    only([...earlier, accepted(9, 't', 5_000, 6_000), poll(10, 't', 'completed', 8_000, 9_000)]);

  it.each<[string, Partial<Exchange>]>([
    ['had no answer', { outcome: 'failed', failure: 'ECONNRESET' }],
    ['was given up', { outcome: 'censored' }],
    ['was answered by a gateway', { status: 504 }],
    ['was answered with an error of the service', { status: 500 }],
    ['was answered with a success that names no turn', { status: 202 }],
  ])('may have been accepted if it %s', (_, members) => {
    expect(acceptedTurn(attempt(members))).toMatchObject({
      acceptedAfter: 1_000,
      acceptance: { sentAt: 5_000 },
      possible: { from: 1_000, to: 9_000 },
      finished: { after: 1_000 },
    });
  });

  it.each<[string, Partial<Exchange>]>([
    ['was refused', { outcome: 'refused', status: 429 }],
    ['was found invalid', { status: 400 }],
    ['was found invalid in another way', { status: 499 }],
    ['was never sent', { outcome: 'failed', failure: 'ECONNREFUSED', bytes: { sent: 0, received: 0 } }],
    ['was sent at the same instant', { status: 504, sentAt: us(5_000) }],
    ['was of another application', { status: 504, application: 'a2' }],
    ['was of another user', { status: 504, user: 'u2' }],
    ['was of another conversation', { status: 504, conversation: 'c2' }],
    ['was another message', { status: 504, message: { id: 'm-other', digest: 'd-t' } }],
  ])('says nothing if it %s', (_, members) => {
    const turn = acceptedTurn(attempt(members));
    expect(turn).not.toHaveProperty('acceptedAfter');
    expect(turn?.possible).toEqual({ from: 5_000, to: 9_000 });
  });

  it('counts from the first of several, in any order', () => {
    const two = [attempt({ status: 504 }), attempt({ status: 504, sentAt: us(3_000) })];
    expect(acceptedTurn(...two)?.acceptedAfter).toBe(1_000);
    expect(acceptedTurn(...two.reverse())?.acceptedAfter).toBe(1_000);
  });
});

describe('the acceptance', () => {
  it('is that of the first worker if two were sent at one instant', () => {
    const two = [accepted(3, 't', 1_000, 3_000, { worker: 1 }), accepted(9, 't', 1_000, 3_000)];
    for (const records of [two, [...two].reverse()]) expect(only(records)?.acceptance?.seq).toBe(9);
  });

  it('is no refusal, even if that names the turn', () => {
    const turn = only([accepted(0, 't', 1_000, 3_000, { outcome: 'refused', status: 429 })]);
    expect(turn).not.toHaveProperty('acceptance');
  });

  it('is the one sent first when a resend is answered with the same turn, whose status proves nothing', () => {
    const turn = only([
      accepted(7, 't', 9_000, 9_500, { resend: 'same' }),
      accepted(3, 't', 1_000, 3_000, { worker: 2 }),
    ]);
    expect(turn?.acceptance).toMatchObject({
      seq: 3,
      worker: 2,
      sentAt: 1_000,
      headersAt: 3_000,
      application: 'a1',
      conversation: 'c1',
      message: 'm-t',
    });
    expect(turn).not.toHaveProperty('certain');
  });

  it('may already report the turn as finished', () => {
    const turn = only([accepted(0, 't', 1_000, 3_000, { turn: { id: 't', status: 'completed' } })]);
    expect(turn).toMatchObject({ finished: { by: 'message', observedAt: 3_000, after: 1_000, before: 3_000 } });
  });

  it('is absent if only a poll names the turn', () => {
    const message = { id: 'm-t', digest: 'd-t' };
    const lost = exchange({ seq: 0, operation: 'sendMessage', status: 504, message });
    for (const records of [[], [lost]]) {
      const turn = only([...records, poll(1, 't', 'completed', 10_000, 11_000)]);
      expect(turn?.possible).toEqual({ to: 11_000 });
      expect(turn).not.toHaveProperty('acceptance');
    }
  });

  it('orders the turns', () => {
    const records = [
      poll(0, 'z', 'queued', 0, 1),
      accepted(1, 'b', 5, 6),
      accepted(2, 'a', 5, 7),
      accepted(3, 'c', 4, 6),
      exchange({ seq: 9 }),
    ];
    expect(turnsOf(records).map((turn) => turn.id)).toEqual(['c', 'a', 'b', 'z']);
  });
});

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
