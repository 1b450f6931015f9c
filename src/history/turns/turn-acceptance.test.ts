import { describe, expect, it } from 'vitest';
import { accepted, exchange, poll, us } from '../../testing/history/sample-records.ts';
import type { Exchange } from '../records.ts';
import { only, turnsOf } from './turns.exam.ts';

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
