import { describe, expect, it } from 'vitest';
import { applications, conversationId, otherConversationId, unknownId } from '../core-client.exam.ts';
import { clientOf, outcomes, sendTo } from './limited-client.exam.ts';

describe('the scope of a limit', () => {
  const rate = (scope: 'application' | 'user' | 'token' | 'conversation') => ({ rate: { max: 2, scope } });
  /** Exhausts the limit with the first token, then asks once with each of the others. */
  const afterExhausted = (scope: Parameters<typeof rate>[0]) => {
    const client = clientOf(rate(scope));
    const [first, sameUser, otherUser, otherApplication] = [
      client.token,
      client.login('u1'),
      client.login('u2'),
      client.login('u1', applications[1]),
    ];
    expect(outcomes(3, () => client.history())).toEqual([200, 200, 'rate_limited']);
    return [first, sameUser, otherUser, otherApplication].map((token) => {
      client.token = token;
      return client.history().status === 429;
    });
  };

  it('is the caller that it counts by: token, user or application', () => {
    expect(afterExhausted('token')).toEqual([true, false, false, false]);
    expect(afterExhausted('user')).toEqual([true, true, false, false]);
    expect(afterExhausted('application')).toEqual([true, true, true, false]);
  });

  it('may be the conversation: found by its own id, by a turn or by an answer; requests without one are not counted', () => {
    const client = clientOf({ rate: { max: 4, scope: 'conversation' } });
    const { turn_id } = client.send('m1').body;
    client.at(5_000);
    const answerId = client.turn(turn_id).body.message.assistant_message_id;
    expect(outcomes(3, () => client.stream(turn_id))).toEqual([101, 101, 'rate_limited']);
    for (const answer of [
      client.rate(answerId),
      client.turn(turn_id.toUpperCase()),
      client.history(),
      client.call('readHistory', { parameters: { conversation_id: conversationId.toUpperCase() } }),
      client.send('m2'),
    ]) {
      expect(answer.code).toBe('rate_limited');
    }
    expect(sendTo(client, otherConversationId, 'm1').status).toBe(202);
    expect(outcomes(9, () => client.converse())).toEqual(Array(9).fill(201));
    expect(outcomes(9, () => client.turn(unknownId))).toEqual(Array(9).fill('not_found'));
    // Another user's conversation with the same id is a different one.
    client.token = client.login('u2');
    expect(client.converse().status).toBe(201);
    expect(client.send('m1').status).toBe(202);
    expect(outcomes(9, () => client.turn(turn_id))).toEqual(Array(9).fill('not_found'));
  });

  it('may be the address, across applications; without a connection the limit does not apply', () => {
    const client = clientOf({ rate: { max: 2, scope: 'address' } });
    const strangers = client.login('u9', applications[1]);
    const from = (address: string | undefined, token = client.token) =>
      client.core.answer(
        {
          route: { operation: 'readHistory', parameters: { conversation_id: conversationId } },
          authorization: `Bearer ${token}`,
          body: { kind: 'absent' },
          ...(address !== undefined && { address }),
        },
        client.now,
      );
    const statuses = [
      from('10.0.0.1'),
      from('10.0.0.1', strangers),
      from('10.0.0.1'),
      from('10.0.0.2'),
      from(undefined),
    ];
    expect(statuses.map((outcome) => outcome.kind === 'json' && outcome.status)).toEqual([200, 404, 429, 200, 200]);
  });

  it('applies to slots and daily quotas, too', () => {
    const client = clientOf({ concurrency: { max: 1, scope: 'conversation' }, daily: { max: 2, scope: 'user' } });
    expect(outcomes(2, (i) => client.send(`m${i}`))).toEqual([202, 'concurrency_limited']);
    expect(sendTo(client, otherConversationId, 'm1').status).toBe(202);
    expect(client.at(5_000).send('m3').code).toBe('daily_quota_exceeded');
    client.token = client.login('u2');
    client.converse();
    expect(client.send('m1').status).toBe(202);
  });
});

describe('the standings of an application', () => {
  it('are those of the limits that count by it', () => {
    const client = clientOf({ rate: [{ max: 3, scope: 'user' }, { max: 5 }], daily: { max: 2, scope: 'token' } });
    const { standings } = client.core.truth(client.now);
    expect(standings.a1?.map(({ limit, decision }) => [limit, decision.admitted && decision.remaining])).toEqual([
      ['rate', 4],
    ]);
  });
});
