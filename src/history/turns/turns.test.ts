import { describe, expect, it } from 'vitest';
import { accepted, exchange, poll, us } from '../../testing/history/sample-records.ts';
import { only, stream, turnsOf, wordsWith } from './turns.exam.ts';

const again = (status: string, sentAt: number, headersAt: number) =>
  accepted(3, 't', sentAt, headersAt, { turn: { id: 't', status } });

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

  it.each([
    ['polls', poll(2, 't', 'failed', 5_000, 6_000), poll(3, 't', 'completed', 9_000, 10_000)],
    ['its stream and a poll', stream('failed', 6_000), poll(3, 't', 'completed', 9_000, 10_000)],
    ['a poll and the answer to a resend', poll(2, 't', 'failed', 5_000, 6_000), again('completed', 9_000, 10_000)],
  ])('may have been tried again after it failed, until it was seen completed: by %s', (_, failed, completed) => {
    const begun = accepted(0, 't', 1_000, 3_000);
    const turn = only([begun, failed, completed]);
    expect(turn).toMatchObject({ state: 'failed', possible: { from: 1_000, to: 10_000 }, finished: { before: 6_000 } });
    expect(only([completed, failed, begun])).toEqual(turn);
    expect(only([begun, failed, failed])?.possible.to).toBe(6_000);
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
