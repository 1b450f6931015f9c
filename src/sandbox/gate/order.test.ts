import { describe, expect, it } from 'vitest';
import { clientOf, type Limits, outcomes, truthOf } from './limited-client.exam.ts';

describe('the order of the limits', () => {
  const all: Limits = { rate: { max: 2 }, concurrency: { max: 1 }, daily: { max: 1 } };
  const refusing = (order: ('rate' | 'daily' | 'concurrency')[]) => {
    const client = clientOf({ ...all, order });
    client.send('m1');
    client.history();
    return client.send('m2').code;
  };

  it('names the first that refuses', () => {
    expect(refusing(['rate', 'daily', 'concurrency'])).toBe('rate_limited');
    expect(refusing(['daily', 'rate', 'concurrency'])).toBe('daily_quota_exceeded');
    expect(refusing(['concurrency', 'daily', 'rate'])).toBe('concurrency_limited');
    expect(refusing(['concurrency', 'rate', 'daily'])).toBe('concurrency_limited');
  });

  it('takes a unit of an earlier limit for a later refusal only if that limit counts such refusals, and never of a later limit', () => {
    const client = clientOf({ rate: { max: 2 }, concurrency: { max: 1 }, order: ['concurrency', 'daily', 'rate'] });
    expect(outcomes(4, (i) => client.send(`m${i}`))).toEqual([202, ...Array(3).fill('concurrency_limited')]);
    expect(truthOf(client)).toMatchObject({
      rate: { admitted: 3, refused: 0 },
      concurrency: { admitted: 1, refused: 3 },
    });
    // The slot is checked first and is free; then the rate refuses. The slot stays free.
    client.at(5_000).history();
    expect(client.send('m4').code).toBe('rate_limited');
    expect(client.at(60_000).send('m4').status).toBe(202);
  });

  it('leaves an invalid request to the limits that count it, wherever they stand', () => {
    const client = clientOf({ rate: { max: 1 }, daily: { max: 1 }, order: ['daily', 'concurrency', 'rate'] });
    expect([client.send('m1', ''), client.send('m1', ''), client.send('m1')].map(({ status }) => status)).toEqual([
      422, 429, 429,
    ]);
    expect(truthOf(client)).toMatchObject({ rate: { admitted: 3, refused: 2 }, daily: { admitted: 0, refused: 0 } });
  });
});

describe('several limits of one kind', () => {
  it('are all enforced, and have separate names in the headers', () => {
    const client = clientOf({
      rate: [
        { max: 3, scope: 'user' },
        { max: 5, window: '1h' },
        { max: 2, window: '1s', algorithm: 'sliding-log', name: 'burst' },
      ],
    });
    client.at(0).history();
    expect(client.history().headers).toMatchObject({
      'ratelimit-policy': '"minute";q=3;w=60, "window";q=5;w=3600, "burst";q=2;w=1',
      ratelimit: '"minute";r=1;t=60, "window";r=3;t=3600, "burst";r=0;t=1',
    });
    expect(client.history()).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '1', 'ratelimit-policy': '"burst";q=2;w=1' },
    });
    // The refused request counted towards the two limits before the refusing one, which count requests that a later limit refuses.
    expect(client.at(1_000).history().headers['ratelimit-policy']).toBe('"minute";q=3;w=60');
    client.token = client.login('u2');
    client.converse();
    expect(client.at(3_000).history().status).toBe(200);
    expect(client.history()).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"window";q=5;w=3600', 'retry-after': '3597' },
    });
  });
});
