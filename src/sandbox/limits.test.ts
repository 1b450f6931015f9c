import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../api/index.ts';
import { applications, CoreClient, unknownId } from './core-client.exam.ts';

const minute = 60_000;
/** One microsecond, in milliseconds. */
const us = 0.001;

describe('20 requests per minute', () => {
  it('admits the 20th and refuses the 21st, with the time to the next minute', () => {
    const client = new CoreClient();
    client.at(12_345.678);
    const answers = Array.from({ length: 21 }, () => client.converse());
    expect(answers.map((answer) => answer.status)).toEqual([...Array(20).fill(201), 429]);
    expect(answers[20]).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '48', ratelimit: '"minute";r=0;t=48' },
    });
    expect(ErrorEnvelope.parse(answers[20]?.body).error.retryable).toBe(true);
    expect(answers[0]?.headers).toEqual({ 'ratelimit-policy': '"minute";q=20;w=60', ratelimit: '"minute";r=19;t=48' });
    expect(answers[19]?.headers.ratelimit).toBe('"minute";r=0;t=48');
  });

  it('rounds Retry-After up: obeyed, it is admitted; one microsecond before the minute it is not', () => {
    const client = new CoreClient();
    for (let i = 0; i < 20; i++) client.at(1).converse();
    expect(client.at(minute - us).converse()).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(client.at(minute - 1_000 - us).converse().headers['retry-after']).toBe('2');
    expect(client.at(minute - 1_000).converse().headers['retry-after']).toBe('1');
    expect(client.at(minute).converse().status).toBe(201);
  });

  it('admits 40 within two microseconds around the minute, and no 41st', () => {
    const client = new CoreClient();
    const admitted = (ms: number) =>
      Array.from({ length: 25 }, () => client.at(ms).converse()).filter((a) => a.status === 201).length;
    expect([admitted(minute - us), admitted(minute)]).toEqual([20, 20]);
  });

  it('counts every request with a valid token, but no token requests, no requests without a valid token, and none of its own refusals', () => {
    const client = new CoreClient();
    client.converse();
    client.send('m1');
    client.send('m1');
    client.turn(unknownId);
    client.stream(unknownId);
    client.converse({ unknown: 1 });
    client.login('u2');
    client.call('readTurn', { authorization: 'Bearer x', parameters: { turn_id: unknownId } });
    client.call(undefined);
    for (let i = 0; i < 30; i++) client.history();
    expect(client.core.truth(client.now).limits.rate).toEqual({ admitted: 20, refused: 16 });
    expect(client.history().status).toBe(429);
  });

  it('counts refusals by the other limits', () => {
    const client = new CoreClient();
    client.converse();
    const statuses = Array.from({ length: 20 }, (_, i) => client.send(`m${i}`)).map((a) => a.code ?? a.status);
    expect(statuses).toEqual([202, 202, ...Array(17).fill('concurrency_limited'), 'rate_limited']);
  });

  it('is one for all users and tokens of an application, and another for each application', () => {
    const client = new CoreClient();
    for (let i = 0; i < 20; i++) {
      client.token = client.login(`u${i % 3}`);
      expect(client.converse().status).toBe(201);
    }
    expect(client.converse().status).toBe(429);
    client.token = client.login('u1', applications[1]);
    expect(client.converse().status).toBe(201);
  });
});

const fast = { rate: { max: 100_000 } };

describe('2 simultaneous processings', () => {
  it('admits the second, refuses the third, and frees each slot at the instant its turn finishes though nobody polls', () => {
    const client = new CoreClient({ limits: fast });
    client.converse();
    expect([client.send('m1'), client.at(500).send('m2')].map((a) => a.status)).toEqual([202, 202]);
    expect(client.at(1_200).send('m3')).toMatchObject({
      status: 429,
      code: 'concurrency_limited',
      headers: {
        'retry-after': '4',
        ratelimit: '"slots";r=0;t=4',
        'ratelimit-policy': '"slots";q=2;qu="concurrent-requests"',
      },
    });
    expect(client.at(5_000 - us).send('m3').status).toBe(429);
    expect(client.at(5_000).send('m3').status).toBe(202);
    expect(client.at(5_500 - us).send('m4').status).toBe(429);
    expect(client.at(5_500).send('m4').status).toBe(202);
  });

  it('frees the slot of a turn that fails', () => {
    const client = new CoreClient({ limits: { ...fast, concurrency: { max: 1 } }, failureShare: 1 });
    client.converse();
    expect([client.send('m1'), client.at(4_999).send('m2'), client.at(5_000).send('m2')].map((a) => a.status)).toEqual([
      202, 429, 202,
    ]);
  });

  it('takes no unit of the day for a message that finds no slot', () => {
    const client = new CoreClient({ limits: { ...fast, concurrency: { max: 1 }, daily: { max: 2 } } });
    client.converse();
    client.send('m1');
    for (let i = 0; i < 10; i++) expect(client.send(`x${i}`).code).toBe('concurrency_limited');
    expect(client.at(5_000).send('m2').status).toBe(202);
    expect(client.at(10_000).send('m3').code).toBe('daily_quota_exceeded');
  });
});

describe('all limits together', () => {
  it('never have more than their bound out, and refuse only when a bound is reached', () => {
    const step = fc.record({ wait: fc.oneof(fc.nat(3_000), fc.nat(90_000)), resend: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const client = new CoreClient({ limits: { rate: { max: 5 }, daily: { max: 30 } }, tokenLifetime: '30d' });
        client.converse();
        let [ms, sent] = [0, 0];
        const requests: number[] = [0];
        const open: number[] = [];
        const accepted: string[] = [];
        for (const { wait, resend } of steps) {
          ms += wait;
          const replay = resend === 0 && accepted.length > 0;
          const answer = client.at(ms).send(replay ? (accepted[0] ?? '') : `m${sent++}`);
          const inMinute = requests.filter((at) => Math.floor(at / minute) === Math.floor(ms / minute)).length;
          const openNow = open.filter((at) => at + 5_000 > ms).length;
          const expected =
            inMinute >= 5
              ? 'rate_limited'
              : replay
                ? 202
                : accepted.length >= 30
                  ? 'daily_quota_exceeded'
                  : openNow >= 2
                    ? 'concurrency_limited'
                    : 202;
          expect(answer.code ?? answer.status).toBe(expected);
          if (expected !== 'rate_limited') requests.push(ms);
          if (expected === 202 && !replay) {
            open.push(ms);
            accepted.push(`m${sent - 1}`);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
