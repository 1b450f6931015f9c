import { describe, expect, it } from 'vitest';
import { TurnEvent } from '../api/index.ts';
import { CoreClient, noon } from './core-client.exam.ts';

describe('the stream of a turn', () => {
  it('sends status, pieces of the text while processing, and the end, each at its instant', () => {
    const client = new CoreClient();
    client.converse();
    const { turn_id } = client.send('m1').body;
    const answer = client.stream(turn_id);
    expect(answer).toMatchObject({ status: 101, headers: { ratelimit: '"minute";r=17;t=60' } });
    const events = answer.events.map(({ at, event }) => ({ us: at - noon, ...TurnEvent.parse(event) }));
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map((event) => event.turn_id))).toEqual(new Set([turn_id]));
    expect(events.slice(0, 2).map(({ us, type, status, at }) => [us, type, status, at])).toEqual([
      [0, 'turn.status', 'queued', '2026-11-21T12:00:00.000Z'],
      [1_000_000, 'turn.status', 'processing', '2026-11-21T12:00:01.000Z'],
    ]);
    const deltas = events.slice(2, -1);
    expect(deltas.length).toBeGreaterThan(2);
    for (const { us, type } of deltas) {
      expect(type).toBe('answer.delta');
      expect(us).toBeGreaterThan(1_000_000);
      expect(us).toBeLessThan(5_000_000);
    }
    const message = client.at(5_000).turn(turn_id).body.message;
    expect(deltas.map((event) => event.delta).join('')).toBe(message.answer);
    expect(events.at(-1)).toMatchObject({
      us: 5_000_000,
      type: 'turn.completed',
      at: '2026-11-21T12:00:05.000Z',
      message,
    });
  });

  it('ends with turn.failed and the error of the turn', () => {
    const client = new CoreClient({ failureShare: 1 });
    client.converse();
    const { turn_id } = client.send('m1').body;
    const { events } = client.stream(turn_id);
    expect(events.map(({ event }) => event.type)).toEqual(['turn.status', 'turn.status', 'turn.failed']);
    expect(events.at(-1)?.event.error).toEqual(client.at(5_000).turn(turn_id).body.error);
  });

  it('sends a late listener the same events', () => {
    const client = new CoreClient();
    client.converse();
    const { turn_id } = client.send('m1').body;
    expect(client.stream(turn_id).events).toEqual(client.at(30_000).stream(turn_id).events);
  });
});
