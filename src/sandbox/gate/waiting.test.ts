import { describe, expect, it } from 'vitest';
import { type CoreClient, conversationId } from '../core-client.exam.ts';
import { clientOf, us } from './limited-client.exam.ts';

describe('a limit that blocks', () => {
  it('does so for as long as it is told, and names no window that is not in whole seconds', () => {
    const client = clientOf({
      rate: { max: 1, algorithm: 'fixed-window-block', window: '1500ms', block: '2min' },
    });
    expect(client.history().headers).toMatchObject({ 'ratelimit-policy': '"window";q=1' });
    expect(client.history()).toMatchObject({ status: 429, headers: { 'retry-after': '120' } });
    expect(client.at(120_000 - us).history().status).toBe(429);
    expect(client.at(120_000).history().status).toBe(200);
  });
});

describe('a limit that makes requests wait', () => {
  const waiting = (client: CoreClient) => {
    const outcome = client.outcome('readHistory', { parameters: { conversation_id: conversationId } });
    return outcome.kind === 'json' ? [outcome.status, outcome.delivery] : outcome;
  };

  const message = (id: string) => ({
    parameters: { conversation_id: conversationId },
    json: { client_message_id: id, message: 'text' },
  });

  it('answers later, with the state and the Date of that instant', () => {
    const client = clientOf({ rate: { max: 3, algorithm: 'leaky-queue', scope: 'token' } });
    const delayed = (seconds: number) => [200, { delayUs: seconds * 1_000_000, dateOffsetUs: seconds * 1_000_000 }];
    expect([waiting(client), waiting(client), waiting(client)]).toEqual([[200, undefined], delayed(20), delayed(40)]);
    expect(client.history()).toMatchObject({ status: 429, headers: { 'retry-after': '20' } });
    expect(waiting(client.at(20_000))).toEqual(delayed(40));
    const skewed = clientOf(
      { rate: { max: 3, algorithm: 'leaky-queue', scope: 'token' } },
      { faults: ['readHistory:clock-skew:+5s'] },
    );
    expect([waiting(skewed), waiting(skewed)]).toEqual([
      [200, { dateOffsetUs: 5_000_000 }],
      [200, { delayUs: 20_000_000, dateOffsetUs: 25_000_000 }],
    ]);
  });

  it('makes them wait once, however many such limits there are', () => {
    const queue = { algorithm: 'leaky-queue', scope: 'token' } as const;
    const client = clientOf({
      rate: [
        { ...queue, max: 3 },
        { ...queue, max: 2, name: 'slower' },
      ],
    });
    expect([waiting(client), waiting(client)]).toEqual([
      [200, undefined],
      [200, { delayUs: 30_000_000, dateOffsetUs: 30_000_000 }],
    ]);
  });

  it('never tells that more came back before the answer left', () => {
    const client = clientOf({ rate: { max: 3, algorithm: 'leaky-queue', scope: 'token' } });
    const left = () => client.history().headers.ratelimit;
    expect([left(), left(), left()]).toEqual(['"minute";r=2;t=20', '"minute";r=1;t=0', '"minute";r=0;t=0']);
  });

  it('advises, where a later limit refuses, from when the answer leaves: not later than necessary, and never in the past', () => {
    const queue = { max: 3, algorithm: 'leaky-queue' } as const;
    const daily = clientOf({ rate: queue, daily: { max: 1 } });
    expect([daily.send('m1').status, daily.outcome('sendMessage', message('m2')).delivery?.delayUs]).toEqual([
      202, 20_000_000,
    ]);
    expect(daily.send('m3').headers).toMatchObject({
      'retry-after': `${12 * 3_600 - 40}`,
      ratelimit: '"day";r=0;t=43160',
    });
    const slots = clientOf({ rate: queue, concurrency: { max: 1 } });
    expect([slots.send('m1').status, slots.send('m2').headers]).toEqual([
      202,
      expect.objectContaining({ 'retry-after': '0', ratelimit: '"slots";r=0;t=0' }),
    ]);
  });

  it('accepts a message when its turn has come: the turn begins, and holds its slot, from then on', () => {
    const client = clientOf({ rate: { max: 2, algorithm: 'leaky-queue' }, concurrency: { max: 2 } });
    const [first, second] = [client.send('m1'), client.send('m2')];
    expect([first.body.created_at, second.body.created_at]).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:30.000Z',
    ]);
    expect(second.body.status).toBe('queued');
    const slots = (ms: number) =>
      client.core.truth(client.at(ms).now).standings.a1?.find(({ limit }) => limit === 'concurrency');
    expect(slots(5_000 - us)?.decision).toEqual({ admitted: false, retryAtUs: client.at(5_000).now });
    expect(slots(35_000 - us)?.decision).toMatchObject({ admitted: true, remaining: 0 });
    expect(slots(35_000)?.decision).toMatchObject({ admitted: true, remaining: 1 });
    const turn = client.at(60_000).turn(second.body.turn_id);
    expect([turn.body.status, turn.body.updated_at]).toEqual(['completed', '2026-11-21T12:00:35.000Z']);
  });
});
