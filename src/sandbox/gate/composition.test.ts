import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { SandboxSettings } from '../config.ts';
import { applications, basic, CoreClient, conversationId } from '../core-client.exam.ts';

const other = '1c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a02';
const unknownId = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
const hours = 3_600_000;
/** One microsecond, in milliseconds. */
const us = 0.001;

type Limits = NonNullable<SandboxSettings['limits']>;
/** Only the given limits. */
const only = (limits: Limits): Limits => ({ rate: [], concurrency: [], daily: [], ...limits });
/** A client with two conversations, created early enough that they no longer count towards the limits. */
function clientOf(limits: Limits, settings: Omit<SandboxSettings, 'limits'> = {}): CoreClient {
  const client = new CoreClient({ tokenLifetime: '30d', ...settings, limits: only(limits) });
  expect(client.at(-48 * hours).converse().status).toBe(201);
  expect(client.at(-24 * hours).converse({ conversation_id: other }).status).toBe(201);
  return client.at(0);
}
const sendTo = (client: CoreClient, conversation_id: string, id: string) =>
  client.call('sendMessage', { parameters: { conversation_id }, json: { client_message_id: id, message: 'text' } });
const outcomes = (count: number, act: (index: number) => { status: number; code?: string }) =>
  Array.from({ length: count }, (_, index) => act(index)).map(({ status, code }) => code ?? status);
const secondQueuedTwoProcessing = {
  queued: { distribution: 'constant', value: '1s' },
  processing: { distribution: 'constant', value: '2s' },
} as const;
const truthOf = (client: CoreClient) => client.core.truth(client.now).limits;

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
    expect(sendTo(client, other, 'm1').status).toBe(202);
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
    expect(sendTo(client, other, 'm1').status).toBe(202);
    expect(client.at(5_000).send('m3').code).toBe('daily_quota_exceeded');
    client.token = client.login('u2');
    client.converse();
    expect(client.send('m1').status).toBe(202);
  });
});

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

describe('the standings of an application', () => {
  it('are those of the limits that count by it', () => {
    const client = clientOf({ rate: [{ max: 3, scope: 'user' }, { max: 5 }], daily: { max: 2, scope: 'token' } });
    const { standings } = client.core.truth(client.now);
    expect(standings.a1?.map(({ limit, decision }) => [limit, decision.admitted && decision.remaining])).toEqual([
      ['rate', 4],
    ]);
  });
});

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

describe('a day', () => {
  it('can end at the local midnight of each token, also on the longest day of the year', () => {
    const client = new CoreClient({ limits: only({ daily: { max: 2, day: 'token-timezone' } }), tokenLifetime: '30d' });
    const utc = (text: string) => {
      client.now = (Date.parse(text) * 1_000) as Micros;
      return client;
    };
    const zoned = (timezone: string) =>
      String(
        client.call('issueToken', {
          authorization: basic('one', 'secret-one'),
          json: { external_user_id: 'u1', timezone },
        }).body.access_token,
      );
    utc('2026-10-20T00:00:00Z').token = client.login();
    client.converse();
    const zurich = zoned('Europe/Zurich');
    utc('2026-10-24T22:00:00Z').token = zurich;
    expect(outcomes(3, (i) => client.send(`m${i}`))).toEqual([202, 202, 'daily_quota_exceeded']);
    expect(client.send('m9').headers['retry-after']).toBe(String(25 * 3_600));
    expect(utc('2026-10-25T22:59:59.999Z').send('m3').headers['retry-after']).toBe('1');
    expect(utc('2026-10-25T23:00:00Z').send('m3').status).toBe(202);
  });

  it.each([
    ['first-use', [50, 0, 50], 12],
    ['rolling', [50, 0, 50], 12],
    ['utc', [50, 50, 0], 0],
  ] as const)('%s: fifty now, after twelve hours and after twenty-four', (day, expected, hoursLeft) => {
    const client = clientOf({ daily: { day } });
    let number = 0;
    const burst = (hour: number) =>
      Array.from({ length: 51 }, () => client.at(hour * hours).send(`m${number++}`)).filter(
        ({ status }) => status === 202,
      ).length;
    expect([burst(0), burst(12), burst(24)]).toEqual(expected);
    if (hoursLeft > 0) expect(client.at(36 * hours).send('x').headers['retry-after']).toBe(String(hoursLeft * 3_600));
  });
});
