import { describe, expect, it } from 'vitest';
import { type ApiReply, type OperationId, sandboxProfile } from '../../api/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { type ExchangeFrame, exchangeRecord, isKeptHeader, takeOtherRefusal } from './exchange-record.ts';

const KEY = Buffer.from('key');
const id = (n: number) => `0190a1b2-0000-4000-8000-00000000000${n}`;
const [TURN, CONVERSATION, USER, ASSISTANT] = [id(1), id(2), id(3), id(4)];
const AT = '2026-11-21T12:00:00.000Z';

function recordOf(
  operation: OperationId,
  status: number,
  body: unknown,
  frame: Partial<ExchangeFrame> = {},
  more: Partial<Extract<ApiReply, { kind: 'answer' }>> = {},
) {
  const reply: ApiReply = {
    kind: 'answer',
    status,
    headers: {},
    body,
    sentAt: us(0),
    headersAt: us(1),
    receivedAt: us(2),
    bytes: { sent: 1, received: 1 },
    ...more,
  };
  const asked: ExchangeFrame = {
    seq: 0,
    operation,
    application: 'a1',
    user: 'u1',
    token: 't1',
    conversation: CONVERSATION,
    arrival: 0,
    journey: 'ask',
    step: 0,
    attempt: 1,
    intendedAt: us(0),
    capWaitUs: undefined,
    message: undefined,
    resend: undefined,
    turn: undefined,
    ...frame,
  };
  return exchangeRecord(asked, reply, KEY);
}

/** Of members that the specification does not require: what a service may send for one. */
const nothings = [undefined, null, 5, 'no such value', [], {}];

describe('a 202', () => {
  const accepted = { turn_id: TURN, conversation_id: CONVERSATION, status: 'queued', created_at: AT };
  const read = (body: unknown) => recordOf('sendMessage', 202, body);

  it('is read whole', () => {
    expect(read(accepted).turn).toEqual({ id: TURN, status: 'queued', createdAt: AT });
  });

  it.each(nothings)('needs no member but the turn: with %j for any other it names its turn', (nothing) => {
    for (const name of ['conversation_id', 'created_at', 'client_message_id'])
      expect(read({ ...accepted, [name]: nothing })).toMatchObject({ bodyProblem: undefined, turn: { id: TURN } });
    expect(read({ ...accepted, created_at: nothing }).turn).toEqual({ id: TURN, status: 'queued' });
    expect(read({ ...accepted, status: typeof nothing === 'string' ? null : nothing }).turn).toEqual({
      id: TURN,
      createdAt: AT,
    });
  });

  it('names a conversation of whatever form without being of another one', () => {
    expect(read({ turn_id: TURN, conversation_id: 'conv-1' }).turn).toEqual({ id: TURN });
    expect(read({ turn_id: TURN, conversation_id: id(9) }).turn).toEqual({ id: TURN, conversation: id(9) });
  });

  it('without a turn says nothing', () => {
    for (const turn_id of nothings)
      expect(read({ ...accepted, turn_id })).toMatchObject({ bodyProblem: 'wrong-shape', turn: undefined });
  });
});

describe('a turn', () => {
  const message = {
    conversation_id: CONVERSATION,
    user_message_id: USER,
    assistant_message_id: ASSISTANT,
    answer: 'text',
    metadata: { latency_ms: 12 },
  };
  const turn = { turn_id: TURN, status: 'completed', created_at: AT, updated_at: AT, message };
  const whole = {
    id: TURN,
    status: 'completed',
    createdAt: AT,
    updatedAt: AT,
    userMessageId: USER,
    assistantMessageId: ASSISTANT,
    latencyMs: 12,
  };
  const read = (body: unknown) => recordOf('readTurn', 200, body, { turn: { id: TURN } });

  it('is read whole', () => {
    expect(read({ ...turn, conversation_id: CONVERSATION }).turn).toEqual(whole);
    expect(read({ ...turn, conversation_id: id(9) }).turn).toEqual({ ...whole, conversation: id(9) });
  });

  it.each(nothings)('is as complete with %j for a member that nobody requires', (nothing) => {
    for (const name of ['conversation_id', 'error', 'cards'])
      expect(read({ ...turn, [name]: nothing }).turn).toEqual(whole);
    const unused = {
      answer: nothing,
      cards: nothing,
      sources: nothing,
      response_type: nothing,
      conversation_id: nothing,
    };
    expect(read({ ...turn, message: { ...message, ...unused } }).turn).toEqual(whole);
    expect(read({ ...turn, updated_at: nothing }).turn).toEqual({ ...whole, updatedAt: undefined });
    expect(read({ ...turn, message: { ...message, metadata: nothing } }).turn).toEqual({
      ...whole,
      latencyMs: undefined,
    });
    expect(read({ turn_id: TURN, status: 'queued', message: nothing, error: nothing }).turn).toEqual({
      id: TURN,
      status: 'queued',
    });
  });

  it.each([5.5, 2 ** 53, '12'])('has no latency of %j', (latency_ms) => {
    const { latencyMs: _, ...rest } = whole;
    expect(read({ ...turn, message: { ...message, metadata: { latency_ms } } }).turn).toEqual(rest);
  });

  it('says its error by the code alone, in either form', () => {
    const failed = { id: TURN, status: 'failed', error: 'internal' };
    for (const error of [{ code: 'internal' }, { error: { code: 'internal', request_id: null } }])
      expect(read({ turn_id: TURN, status: 'failed', error }).turn).toEqual(failed);
  });

  it.each([['text'], [null], [{}], [{ code: 7 }]])(
    'takes %j inside its error, beside a code, for no envelope',
    (error) => {
      const turn = { turn_id: TURN, status: 'failed', error: { error, code: 'internal' } };
      expect(read(turn).turn).toEqual({ id: TURN, status: 'failed', error: 'internal' });
    },
  );

  it('has a status, and is the one that was asked for', () => {
    expect(read({ turn_id: TURN }).bodyProblem).toBe('wrong-shape');
    expect(read({ turn_id: id(9), status: 'completed' }).bodyProblem).toBe('other-turn');
  });
});

describe('a history', () => {
  const item = { message_id: USER, role: 'user', content: 'hello', status: 'completed', created_at: AT, cards: [] };
  const read = (messages: unknown) =>
    recordOf('readHistory', 200, { messages }, { page: { limit: 20, offset: 0 } }).history?.items;

  it('is read without what is not looked at', () => {
    const [known] = read([item]) ?? [];
    expect(known).toMatchObject({ id: USER, role: 'user', createdAt: AT });
    for (const nothing of nothings) {
      expect(read([{ ...item, status: nothing, cards: nothing, visualizations: nothing }])).toEqual([known]);
      const { createdAt: _, ...undated } = known ?? {};
      expect(read([{ ...item, created_at: nothing }])).toEqual([undated]);
    }
    const { digest: _, ...unwritten } = known ?? {};
    for (const content of [undefined, null, 5]) expect(read([{ ...item, content }, item])).toEqual([unwritten, known]);
  });

  it('has dates as RFC 3339 writes them', () => {
    const dates = ['2026-11-21t12:00:00z', '2016-12-31T23:59:60Z'];
    expect(read(dates.map((created_at) => ({ ...item, created_at })))?.map(({ createdAt }) => createdAt)).toEqual(
      dates,
    );
  });

  it('is none with a message that cannot be told from others', () => {
    for (const name of ['message_id', 'role']) expect(read([{ ...item, [name]: null }])).toBeUndefined();
  });
});

it('a conversation has all that the specification requires, its date in either case', () => {
  const conversation = { conversation_id: CONVERSATION, title: '', created_at: '2026-11-21t12:00:00z' };
  expect(recordOf('createConversation', 201, conversation).bodyProblem).toBeUndefined();
  for (const name of Object.keys(conversation))
    expect(recordOf('createConversation', 201, { ...conversation, [name]: null }).bodyProblem).toBe('wrong-shape');
});

it('keeps the date and the headers about limits, and no others', () => {
  const names = [
    'date',
    'retry-after',
    'ratelimit',
    'ratelimit-policy',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'x-ratelimit-reset',
    'retry-after-ms',
  ];
  expect(names.filter(isKeptHeader)).toEqual(names);
  expect(['x-ratelimit-', 'server', 'my-date', 'set-cookie'].filter(isKeptHeader)).toEqual([]);
  const kept = (headers: Readonly<Record<string, string>>) =>
    recordOf('createConversation', 201, {}, {}, { headers }).headers;
  expect([kept({ server: 'x' }), kept({ server: 'x', ratelimit: 'r=0' })]).toEqual([undefined, { ratelimit: 'r=0' }]);
});

it('has the instants, the bytes and the connection of the reply', () => {
  const bytes = { sent: 312, received: 287 };
  const reply = { sentAt: us(5), headersAt: us(6), receivedAt: us(9), bytes, connection: 3 };
  expect(recordOf('createConversation', 201, {}, {}, reply)).toMatchObject(reply);
});

it('says of a body that could not be read why, whatever its status', () => {
  for (const status of [201, 500]) {
    const record = recordOf('createConversation', status, undefined, {}, { bodyProblem: 'not-json' });
    expect(record).toMatchObject({ bodyProblem: 'not-json', error: undefined });
  }
});

it('says of each operation that its answer has the wrong shape', () => {
  const wrong = (operation: OperationId, status: number) => recordOf(operation, status, { nothing: 1 }).bodyProblem;
  expect(wrong('issueToken', 201)).toBe('wrong-shape');
  expect(wrong('readHistory', 200)).toBe('wrong-shape');
  expect(wrong('rateAnswer', 200)).toBe('wrong-shape');
  expect(wrong('createConversation', 400)).toBe('wrong-shape');
  // A stream's answer has no shape, even if the service does not switch to a stream.
  for (const status of [101, 200]) expect(wrong('openStream', status)).toBeUndefined();
  // And of none that is no success: other answers have other shapes.
  for (const status of [101, 302]) expect(wrong('createConversation', status)).toBeUndefined();
});

describe('what an answer says otherwise than it was asked', () => {
  const conversation = { conversation_id: CONVERSATION, title: '', created_at: AT };
  const created = (conversation_id: string, asked?: string) =>
    recordOf('createConversation', 201, { ...conversation, conversation_id }, { conversation: asked }).otherwise;

  it('is another conversation than the one to be resumed, in whichever case', () => {
    expect(created(id(9), CONVERSATION)).toEqual({ conversation: id(9) });
    expect(created(CONVERSATION.toUpperCase(), CONVERSATION)).toBeUndefined();
    expect(created(id(9))).toBeUndefined();
  });

  it('is another rating than the one sent, or that it was not taken', () => {
    const rated = (rating: string, success: boolean, sent: string | undefined = 'down') =>
      recordOf('rateAnswer', 200, { success, feedback: { rating } }, { rating: sent }).otherwise;
    expect(rated('down', true)).toBeUndefined();
    expect(rated('up', true)).toEqual({ rating: { sent: 'down', told: 'up', success: true } });
    expect(rated('down', false)).toEqual({ rating: { sent: 'down', told: 'down', success: false } });
    expect(rated('x'.repeat(300), true)?.rating?.told).toHaveLength(256);
  });
});

describe('an error', () => {
  const error = { code: 'internal', message: 'm', retryable: true, request_id: id(8) };
  const read = (body: unknown) => recordOf('readTurn', 500, body);

  it('is read whole', () => {
    expect(read({ error })).toMatchObject({
      bodyProblem: undefined,
      error: { code: 'internal', retryable: true, requestId: id(8) },
    });
  });

  it('says what it lacks, as long as it has a code', () => {
    const { request_id: _, ...rest } = error;
    const lacking = { bodyProblem: 'wrong-shape', error: { code: 'internal', lacks: ['request_id'] } };
    for (const body of [rest, { ...rest, request_id: null }, { ...rest, request_id: '7' }])
      expect(read({ error: body })).toMatchObject(lacking);
    expect(read({ error: { code: 'internal' } }).error?.lacks).toEqual(['message', 'retryable', 'request_id']);
    for (const body of [{ error: rest.message }, { error: { ...error, code: 5 } }, {}, undefined])
      expect(read(body)).toMatchObject({ bodyProblem: 'wrong-shape', error: undefined });
  });
});

describe('a body that the profile takes for a limit’s refusal', () => {
  const words = { errorCodes: { ...sandboxProfile().errorCodes, otherBodies: 'rate' as const } };
  const problemWith = (status: number, bodyProblem?: Extract<ApiReply, { kind: 'answer' }>['bodyProblem']) => {
    const record = recordOf('readTurn', status, { quota: 'exceeded' }, {}, bodyProblem && { bodyProblem });
    takeOtherRefusal(record, words);
    return record.bodyProblem;
  };

  it('is a problem no more with a 429, as long as it could be decoded', () => {
    const problems = (['not-json', 'not-utf8', 'content-coding'] as const).map((problem) => problemWith(429, problem));
    expect([problemWith(429), ...problems]).toEqual([undefined, undefined, 'not-utf8', 'content-coding']);
  });

  it('stays a problem with any other error, whatever its code', () => {
    const record = recordOf('readTurn', 503, { error: { code: 'rate_limited' } });
    takeOtherRefusal(record, words);
    expect([problemWith(503), record.bodyProblem]).toEqual(['wrong-shape', 'wrong-shape']);
  });
});

describe('a status that the profile takes for a refusal', () => {
  const { errorCodes } = sandboxProfile();
  const [byCode, byBody] = [{}, { otherBodies: 'rate' as const }].map((said) => ({
    errorCodes: { ...errorCodes, ...said, otherStatuses: [503] },
  })) as [Words, Words];
  type Words = Parameters<typeof takeOtherRefusal>[1];
  type Problem = Extract<ApiReply, { kind: 'answer' }>['bodyProblem'];
  const taken = (words: Words, status: number, body: unknown, bodyProblem?: Problem) => {
    const record = recordOf('readTurn', status, body, {}, bodyProblem && { bodyProblem });
    takeOtherRefusal(record, words);
    return [record.outcome, record.bodyProblem];
  };
  const limited = { error: { code: 'rate_limited' } };
  const others = { error: { code: 'unavailable' } };

  it.each([
    ['a code of a limit', limited, undefined, ['refused', 'wrong-shape'], ['refused', undefined]],
    ['another code', others, undefined, ['answered', 'wrong-shape'], ['answered', 'wrong-shape']],
    ['no code', {}, undefined, ['answered', 'wrong-shape'], ['refused', undefined]],
    ['no JSON', undefined, 'not-json', ['answered', 'not-json'], ['refused', undefined]],
    ['no UTF-8', undefined, 'not-utf8', ['answered', 'not-utf8'], ['answered', 'not-utf8']],
  ] as const)('with %s', (_, body, problem, withCodes, withBodies) => {
    expect(taken(byCode, 503, body, problem)).toEqual(withCodes);
    expect(taken(byBody, 503, body, problem)).toEqual(withBodies);
    expect(taken(byBody, 500, body, problem)[0]).toBe('answered');
  });
});
