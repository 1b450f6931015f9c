import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../api/index.ts';
import { CoreClient, conversationId } from './core-client.exam.ts';

const day = 86_400_000;
/** One microsecond, in milliseconds. */
const us = 0.001;
const fast = { rate: { max: 100_000 } };

describe('50 new messages a day', () => {
  const exhausted = () => {
    const client = new CoreClient({ limits: { ...fast, concurrency: { max: 1_000 } }, tokenLifetime: '7d' });
    client.converse();
    const statuses = Array.from({ length: 51 }, (_, i) => client.send(`m${i}`).status);
    expect(statuses).toEqual([...Array(50).fill(202), 429]);
    return client;
  };

  it('admits the 50th, refuses the 51st until midnight in UTC and not a microsecond longer', () => {
    const client = exhausted();
    const refused = client.at(10.5).send('m51');
    expect(refused).toMatchObject({
      code: 'daily_quota_exceeded',
      headers: { 'retry-after': '43200', ratelimit: '"day";r=0;t=43200' },
    });
    expect(ErrorEnvelope.parse(refused.body).error.retryable).toBe(false);
    expect(client.at(day / 2 - us).send('m51').status).toBe(429);
    expect(client.at(day / 2).send('m51').status).toBe(202);
    expect(client.send('m52').headers.ratelimit).toBe('"minute";r=99998;t=60, "day";r=48;t=86400, "slots";r=998;t=5');
  });

  it('is asked before the slots', () => {
    const client = new CoreClient({ limits: { ...fast, concurrency: { max: 1 }, daily: { max: 1 } } });
    client.converse();
    client.send('m1');
    expect(client.send('m2').code).toBe('daily_quota_exceeded');
  });

  it('is not charged for a replay: the same turn, though day and slots are exhausted', () => {
    const client = exhausted();
    const first = client.send('m0');
    expect(first).toMatchObject({ status: 202, body: { status: 'queued', created_at: '2026-11-21T12:00:00.000Z' } });
    const later = client.at(6_000).send('m0');
    expect(later.body).toEqual({ ...first.body, status: 'completed' });
    expect(Object.keys(later.headers)).toEqual(['ratelimit-policy', 'ratelimit']);
    expect(later.headers.ratelimit).toMatch(/^"minute";r=\d+;t=54$/);
    const truth = client.core.truth(client.now);
    expect(truth.turns).toHaveLength(50);
    expect(truth.turns[0]?.replays).toBe(2);
    expect(truth.limits.daily).toEqual({ admitted: 50, refused: 1 });
  });

  it('is not charged for other content under a used id: refused, nothing consumed', () => {
    const client = new CoreClient({ limits: { ...fast, daily: { max: 2 } } });
    client.converse();
    const { turn_id } = client.send('m1', 'hello', { location: { city: 'Lausanne' } }).body;
    const others = [
      client.send('m1', 'hello'),
      client.send('m1', 'hello ', { location: { city: 'Lausanne' } }),
      client.send('m1', 'hello', { location: { commune: 'Lausanne' } }),
      client.send('m1', 'hello', { location: { city: 'Lausanne', commune: 'Vaud' } }),
    ];
    for (const answer of others) {
      expect(answer).toMatchObject({ status: 422, code: 'message_id_reused' });
      expect(ErrorEnvelope.parse(answer.body).error.retryable).toBe(false);
    }
    expect(client.send('m1', 'hello', { location: { city: 'Lausanne' } }).body.turn_id).toBe(turn_id);
    expect(client.core.truth(client.now).limits.concurrency).toEqual({ admitted: 1, refused: 0 });
    expect(client.send('m2').status).toBe(202);
  });

  it('knows a client_message_id per conversation', () => {
    const client = new CoreClient({ limits: fast });
    client.converse();
    const other = client.converse({}).body.conversation_id;
    const { turn_id } = client.send('m1').body;
    const json = { client_message_id: 'm1', message: 'text of m1' };
    const elsewhere = client.call('sendMessage', { parameters: { conversation_id: other }, json });
    expect(elsewhere.status).toBe(202);
    expect(elsewhere.body.turn_id).not.toBe(turn_id);
    expect(client.call('sendMessage', { parameters: { conversation_id: conversationId }, json }).body.turn_id).toBe(
      turn_id,
    );
  });
});
