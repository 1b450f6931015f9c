import { describe, expect, it } from 'vitest';
import { basic } from '../core-client.exam.ts';
import { clientOf, outcomes, us } from './limited-client.exam.ts';

const secondQueuedTwoProcessing = {
  queued: { distribution: 'constant', value: '1s' },
  processing: { distribution: 'constant', value: '2s' },
} as const;

describe('slots', () => {
  it('give no time of release if the service cannot know it', () => {
    const client = clientOf({ concurrency: { max: 1, retryAfter: 'absent' } });
    client.send('m1');
    expect(client.send('m2').headers).toEqual({
      'ratelimit-policy': '"slots";q=1;qu="concurrent-requests"',
      ratelimit: '"slots";r=0',
    });
  });

  it('held by lease come free before the turn is done', () => {
    const client = clientOf({ concurrency: { max: 1, algorithm: 'lease', ttl: '2s' } });
    expect(
      [client.send('m1'), client.at(2_000 - us).send('m2'), client.at(2_000).send('m2')].map(({ status }) => status),
    ).toEqual([202, 429, 202]);
  });

  it('can be held during processing only: a queued turn holds none, and waits until one is free', () => {
    const client = clientOf(
      { concurrency: { max: 2, slot: 'processing-only' } },
      { latency: secondQueuedTwoProcessing },
    );
    const turns = Array.from({ length: 5 }, (_, i) => String(client.send(`m${i}`).body.turn_id));
    const begun = (id: string) => client.core.truth(client.now).turns.find(({ turnId }) => turnId === id)?.processingAt;
    // Two at a time, two seconds each, the first two after the second that every turn waits.
    expect(turns.map((id) => begun(id))).toEqual([1, 1, 3, 3, 5].map((s) => client.at(s * 1_000).now));
    const outcome = (ms: number) => {
      const { status, code, headers } = client.at(ms).send(`at ${ms}`);
      return [code ?? status, headers['retry-after']];
    };
    expect(outcome(1_000 - us)).toEqual([202, undefined]);
    // Six accepted: three pairs, and both slots are taken without a gap from 1 s to 7 s.
    expect(outcome(1_000)).toEqual(['concurrency_limited', '6']);
    expect(outcome(3_000)).toEqual(['concurrency_limited', '4']);
    expect(outcome(7_000 - us)).toEqual(['concurrency_limited', '1']);
    expect(outcome(7_000)).toEqual([202, undefined]);
    expect(client.at(2_999).turn(turns[2] ?? '').body).toMatchObject({ status: 'queued' });
    expect(client.at(3_000).turn(turns[2] ?? '').body).toMatchObject({
      status: 'processing',
      updated_at: '2026-11-21T12:00:03.000Z',
    });
  });

  it('of two limits are waited for until both have one', () => {
    const client = clientOf(
      {
        concurrency: [
          { max: 2, slot: 'processing-only' },
          { max: 1, slot: 'processing-only', scope: 'user' },
        ],
      },
      { latency: secondQueuedTwoProcessing },
    );
    const mine = client.token;
    const theirs = client.login('u2');
    const send = (token: string, id: string) => {
      client.token = token;
      client.converse();
      return client.send(id).status;
    };
    expect([send(mine, 'm1'), send(mine, 'm2'), send(theirs, 't1'), send(theirs, 't2')]).toEqual([202, 202, 202, 202]);
    const begun = client.core.truth(client.now).turns.map(({ user, processingAt }) => [user, processingAt]);
    const second = (s: number) => client.at(s * 1_000).now;
    expect(begun).toEqual([
      ['u1', second(1)],
      ['u1', second(3)],
      ['u2', second(1)],
      ['u2', second(3)],
    ]);
  });

  it('let a client that finds them full come again later', () => {
    const client = clientOf({ concurrency: { max: 1 } });
    client.send('m1');
    expect(client.send('m2').body.error).toMatchObject({ code: 'concurrency_limited', retryable: true });
  });

  it('are released if the service fails to serve the request, and the unit of the day is returned', () => {
    const client = clientOf(
      { rate: { max: 5 }, concurrency: { max: 1 }, daily: { max: 1 } },
      { faults: ['sendMessage:store-outage:#1'] },
    );
    expect([client.send('m1').status, client.send('m1').status, client.send('m2').code]).toEqual([
      500,
      202,
      'daily_quota_exceeded',
    ]);
    // The client's own token is the first.
    const forgiving = clientOf(
      { rate: { max: 2, operations: ['issueToken'], countsRefusedLater: false } },
      { faults: ['issueToken:store-outage:#2'] },
    );
    const issue = () =>
      forgiving.call('issueToken', { authorization: basic('one', 'secret-one'), json: { external_user_id: 'u1' } });
    expect(outcomes(3, issue)).toEqual(['internal', 201, 'rate_limited']);
  });
});
