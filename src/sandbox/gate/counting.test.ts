import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../api/index.ts';
import { basic, type CoreClient, unknownId } from '../core-client.exam.ts';
import { clientOf, hours, outcomes, sendTo, truthOf, us } from './limited-client.exam.ts';

describe('what a limit counts', () => {
  it('the operations that it names, and no others', () => {
    const client = clientOf({ rate: { max: 2, operations: ['sendMessage', 'issueToken'] } });
    client.at(60_000);
    expect(outcomes(9, () => client.history())).toEqual(Array(9).fill(200));
    expect(outcomes(2, (i) => client.send(`m${i}`))).toEqual([202, 202]);
    expect(client.send('m2').code).toBe('rate_limited');
    const issue = () =>
      client.call('issueToken', {
        authorization: basic('one', 'secret-one'),
        json: { external_user_id: 'u1' },
      });
    expect(issue()).toMatchObject({ status: 429, code: 'rate_limited', headers: { 'retry-after': '60' } });
    expect(outcomes(9, () => client.converse())).toEqual(Array(9).fill(201));
  });

  it('invalid and unknown things or not: an exhausted limit that does not count them lets them through to their 422 and 404', () => {
    const bad = (client: CoreClient) => [
      client.converse({ title: 7 }),
      client.turn(unknownId),
      client.send('m1', ''),
      client.rate(unknownId),
      client.history({ limit: '0' }),
      client.call('openStream', { parameters: { turn_id: unknownId }, webSocket: false }),
    ];
    const counting = clientOf({ rate: { max: 3 } });
    expect(bad(counting).map(({ status }) => status)).toEqual([422, 404, 422, 429, 429, 429]);
    const forgiving = clientOf({ rate: { max: 3, countsInvalid: false } });
    for (let round = 0; round < 3; round++) {
      expect(bad(forgiving).map(({ status }) => status)).toEqual([422, 404, 422, 404, 422, 422]);
    }
    expect(truthOf(forgiving).rate.refused).toBe(0);
    expect(outcomes(4, () => forgiving.history())).toEqual([200, 200, 200, 'rate_limited']);
    expect(bad(forgiving).map(({ status }) => status)).toEqual([422, 404, 422, 404, 422, 422]);
  });

  it.each<[OperationId, (client: CoreClient, turnId: string, answerId: string) => { status: number }]>([
    ['createConversation', (client) => client.converse()],
    ['sendMessage', (client) => client.send('new')],
    ['readTurn', (client, turnId) => client.turn(turnId)],
    ['openStream', (client, turnId) => client.stream(turnId)],
    ['readHistory', (client) => client.history()],
    ['rateAnswer', (client, _turnId, answerId) => client.rate(answerId)],
  ])('%s, when it is valid, also where invalid requests go free', (operation, act) => {
    const client = clientOf({
      rate: { max: 1, operations: [operation], countsInvalid: false, window: '1h', phase: '59min' },
    });
    client.at(-2 * hours);
    const { turn_id } = client.send('m1').body;
    client.at(-1.5 * hours);
    // The id of the answer is known only after the turn was read.
    const answerId = operation === 'readTurn' ? '' : client.turn(turn_id).body.message.assistant_message_id;
    client.at(0);
    const before = client.core.truth(client.now);
    expect([act(client, turn_id, answerId).status < 300, act(client, turn_id, answerId).status]).toEqual([true, 429]);
    const { turns, conversations } = client.core.truth(client.now);
    expect([turns.length - before.turns.length, conversations - before.conversations]).toEqual([
      operation === 'sendMessage' ? 1 : 0,
      0,
    ]);
  });

  it('messages sent again or not', () => {
    const counting = clientOf({ rate: { max: 3, operations: ['sendMessage'] } });
    expect(outcomes(4, () => counting.send('m1'))).toEqual([202, 202, 202, 'rate_limited']);
    const forgiving = clientOf({ rate: { max: 3, operations: ['sendMessage'], countsReplays: false } });
    expect(outcomes(9, () => forgiving.send('m1'))).toEqual(Array(9).fill(202));
    expect(outcomes(3, (i) => forgiving.send(`n${i}`))).toEqual([202, 202, 'rate_limited']);
    expect(forgiving.send('m1').status).toBe(202);
  });

  it('of the day, by choice, also what is invalid or sent again', () => {
    const client = clientOf({ daily: { max: 4, countsInvalid: true, countsReplays: true } });
    expect(
      [client.send('m1'), client.send('m1'), client.send('m1', ''), sendTo(client, unknownId, 'm1')].map(
        ({ status }) => status,
      ),
    ).toEqual([202, 202, 422, 404]);
    expect(client.send('m1').code).toBe('daily_quota_exceeded');
  });

  it('requests that a later limit refuses or not', () => {
    const full = { concurrency: { max: 1 } };
    const counting = clientOf({ rate: { max: 3 }, ...full });
    expect(outcomes(4, (i) => counting.send(`m${i}`))).toEqual([
      202,
      'concurrency_limited',
      'concurrency_limited',
      'rate_limited',
    ]);
    const forgiving = clientOf({ rate: { max: 3, countsRefusedLater: false }, ...full });
    expect(outcomes(6, (i) => forgiving.send(`m${i}`))).toEqual([202, ...Array(5).fill('concurrency_limited')]);
    const daily = clientOf({ daily: { max: 3, countsRefusedLater: true }, ...full });
    expect(outcomes(4, (i) => daily.send(`m${i}`))).toEqual([
      202,
      'concurrency_limited',
      'concurrency_limited',
      'daily_quota_exceeded',
    ]);
  });

  it('attempts, if the algorithm counts them: its own refusals, but not those of other limits', () => {
    const client = clientOf({ rate: { max: 2, algorithm: 'sliding-log-attempts' } });
    expect(outcomes(3, (i) => client.at(i * 10_000).history())).toEqual([200, 200, 'rate_limited']);
    // Attempts at 10 and 20 s block until 70 s, and each further attempt extends that.
    expect(client.at(69_000).history()).toMatchObject({ status: 429, headers: { 'retry-after': '11' } });
    expect(client.at(80_000 - us).history().status).toBe(429);
  });
});
