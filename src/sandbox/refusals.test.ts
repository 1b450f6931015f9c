import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../api/index.ts';
import { basic, type CallOptions, CoreClient, conversationId, unknownId } from './core-client.exam.ts';

const bytes = (text: string | Uint8Array) =>
  ({ kind: 'bytes', bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text }) as const;
const json = 'application/json';

describe('401', () => {
  const cases: [string, string | null, string][] = [
    ['absent', null, 'absent'],
    ['empty', '', 'absent'],
    ['invalid', 'Bearer nobody', 'invalid'],
    ['of the wrong scheme', basic('one', 'secret-one'), 'must be sent as Bearer'],
  ];
  it.each(cases)('a user token that is %s', (_, authorization, message) => {
    const answer = new CoreClient().call('readTurn', { authorization, parameters: { turn_id: unknownId } });
    expect(answer).toMatchObject({
      status: 401,
      code: 'unauthorized',
      headers: { 'www-authenticate': 'Bearer realm="partners"' },
    });
    expect(answer.message).toContain(message);
    expect(ErrorEnvelope.parse(answer.body).error.retryable).toBe(false);
  });

  it('a token from the instant of its expiry on, not a microsecond before', () => {
    const client = new CoreClient({ tokenLifetime: '10s' });
    expect(client.at(9_999.999).converse().status).toBe(201);
    expect(client.at(10_000).converse()).toMatchObject({ status: 401, message: 'the user token has expired' });
  });

  it('a revoked token, by token, user and application', () => {
    const client = new CoreClient();
    const [own, same, other] = [client.token, client.login('u1'), client.login('u2')];
    const statuses = () =>
      [own, same, other].map(
        (token) => client.call('createConversation', { authorization: `Bearer ${token}`, json: {} }).status,
      );
    expect(client.core.revoke({ token: own }, client.now)).toBe(1);
    expect(statuses()).toEqual([401, 201, 201]);
    expect(client.converse().message).toBe('the user token was revoked');
    expect(client.core.revoke({ user: 'u1', application: 'a2' }, client.now)).toBe(0);
    expect(client.core.revoke({ user: 'u1' }, client.now)).toBe(1);
    expect(statuses()).toEqual([401, 401, 201]);
    expect(client.core.revoke({ application: 'a1' }, client.now)).toBe(1);
    expect(statuses()).toEqual([401, 401, 401]);
    const brief = new CoreClient({ tokenLifetime: '10s' });
    expect(brief.core.truth(brief.at(9_999.999).now).tokens.good).toBe(1);
    // What has expired need not be revoked.
    expect(brief.core.truth(brief.at(10_000).now).tokens.good).toBe(0);
    expect(brief.core.revoke({ application: 'a1' }, brief.now)).toBe(0);
  });

  it.each([
    ['absent', null],
    ['not Basic', 'Bearer x'],
    ['without a colon', `Basic ${Buffer.from('one').toString('base64')}`],
    ['of an unknown client', basic('nobody', 'secret-one')],
    ['with a wrong secret', basic('one', 'secret-two')],
  ])('application credentials that are %s', (_, authorization) => {
    const answer = new CoreClient().call('issueToken', { authorization, json: { external_user_id: 'u' } });
    expect(answer).toMatchObject({
      status: 401,
      code: 'unauthorized',
      headers: { 'www-authenticate': 'Basic realm="partners"' },
    });
  });
});

describe('404', () => {
  it('an unknown route, turn, conversation or answer', () => {
    const client = new CoreClient();
    const answers = [
      client.call(undefined),
      client.turn(unknownId),
      client.stream(unknownId),
      client.history(),
      client.send('m'),
      client.rate(unknownId),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, code: 'not_found' });
      expect(ErrorEnvelope.parse(answer.body).error.retryable).toBe(false);
    }
  });
});

describe('413', () => {
  it('a body of more than 65,536 bytes, before the rate is asked; one of 65,536 is read', () => {
    const client = new CoreClient();
    const padded = (length: number) => bytes(`{"title":"t"${' '.repeat(length - 13)}}`);
    const create = (body: CallOptions['body']) =>
      client.call('createConversation', { body: body ?? { kind: 'absent' }, contentType: json });
    expect(create(padded(65_536)).status).toBe(201);
    for (const body of [padded(65_537), { kind: 'too-large' } as const]) {
      expect(create(body)).toMatchObject({ status: 413, code: 'payload_too_large' });
    }
    expect(client.core.truth(client.now).limits.rate.admitted).toBe(1);
    expect(client.call('createConversation', { body: padded(65_537), authorization: 'Bearer x' }).status).toBe(401);
  });
});

describe('422', () => {
  const create = (options: CallOptions) => ['createConversation', options] as const;
  const message = (body: object) =>
    [
      'sendMessage',
      { parameters: { conversation_id: conversationId }, json: { client_message_id: 'm', message: 'x', ...body } },
    ] as const;
  const token = (body: unknown) => ['issueToken', { authorization: basic('one', 'secret-one'), json: body }] as const;
  const page = (query: Record<string, unknown>) =>
    ['readHistory', { parameters: { conversation_id: conversationId }, query }] as const;

  it.each([
    ['no body', create({}), 'body: a JSON body is required'],
    ['an empty body', create({ body: bytes(''), contentType: json }), 'body: a JSON body is required'],
    [
      'another content type',
      create({ body: bytes('{}'), contentType: 'text/plain' }),
      'content-type: must be application/json',
    ],
    ['no content type', create({ body: bytes('{}') }), 'content-type: must be application/json'],
    ['malformed JSON', create({ body: bytes('{"title":'), contentType: json }), 'body: is not valid JSON'],
    [
      'invalid UTF-8',
      create({ body: bytes(Uint8Array.of(0x22, 0xff, 0x22)), contentType: json }),
      'body: is not valid UTF-8',
    ],
    ['nesting without end', create({ body: bytes('['.repeat(30_000)), contentType: json }), 'body: is not valid JSON'],
    ['JSON that is no object', create({ json: [] }), 'body: Invalid input: expected object'],
    ['an unknown property', create({ json: { titel: 'x' } }), 'body: Unrecognized key: "titel"'],
    ['a title of 256', create({ json: { title: 'x'.repeat(256) } }), 'body.title: Too big'],
    ['a title of 256 of two code units each', create({ json: { title: '😀'.repeat(256) } }), 'body.title: Too big'],
    ['an id that is no UUID', create({ json: { conversation_id: '1' } }), 'body.conversation_id: Invalid UUID'],
    ['no client_message_id', message({ client_message_id: undefined }), 'body.client_message_id'],
    ['an empty client_message_id', message({ client_message_id: '' }), 'body.client_message_id: Too small'],
    ['a client_message_id of 129', message({ client_message_id: 'x'.repeat(129) }), 'body.client_message_id: Too big'],
    ['an empty message', message({ message: '' }), 'body.message: Too small'],
    ['a message of 8,001', message({ message: 'x'.repeat(8_001) }), 'body.message: Too big'],
    ['an empty location', message({ location: {} }), 'body.location: needs city or commune'],
    [
      'a location with more',
      message({ location: { city: 'a', street: 'b' } }),
      'body.location: Unrecognized key: "street"',
    ],
    ['a path without a UUID', ['readTurn', { parameters: { turn_id: '7' } }] as const, 'turn_id: Invalid UUID'],
    ['a token for nobody', token({}), 'body.external_user_id'],
    ['a locale that is none', token({ external_user_id: 'u', locale: 'x' }), 'body.locale: must be a BCP 47'],
    [
      'a time zone that is none',
      token({ external_user_id: 'u', timezone: 'Mars/One' }),
      'body.timezone: must be an IANA',
    ],
    ['a page of 0', page({ limit: '0' }), 'query.limit: must be a whole number from 1 to 100'],
    ['a page of 101', page({ limit: '101' }), 'query.limit: must be a whole number from 1 to 100'],
    ['half a page', page({ limit: '1.5' }), 'query.limit: must be a whole number'],
    ['two limits', page({ limit: ['1', '2'] }), 'query.limit'],
    ['a negative offset', page({ offset: '-1' }), 'query.offset: must be a whole number from 0'],
    ['an unknown parameter', page({ skip: '1' }), 'query: Unrecognized key: "skip"'],
    [
      'a parameter where there is none',
      ['createConversation', { json: {}, query: { skip: '1' } }] as const,
      'query: Unrecognized key: "skip"',
    ],
    [
      'a rating of neither',
      ['rateAnswer', { parameters: { message_id: conversationId }, json: { rating: 'meh' } }] as const,
      'body.rating: Invalid option',
    ],
    [
      'a stream without a handshake',
      ['openStream', { parameters: { turn_id: conversationId } }] as const,
      'must be a WebSocket handshake',
    ],
  ])('%s', (_, [operation, options], problem) => {
    const client = new CoreClient();
    client.converse();
    const answer = client.call(operation, options);
    expect(answer).toMatchObject({ status: 422, code: 'invalid_request' });
    expect(answer.message).toContain(problem);
    expect(ErrorEnvelope.parse(answer.body).error.retryable).toBe(false);
    expect(client.core.truth(client.now).turns).toHaveLength(0);
  });

  it('names everything wrong at once, and does not grow with what was sent', () => {
    const client = new CoreClient();
    const answer = client.call('sendMessage', { parameters: { conversation_id: 'x' }, json: { message: 1 } });
    for (const place of ['conversation_id', 'body.client_message_id', 'body.message'])
      expect(answer.message).toContain(place);
    const flood = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1]));
    expect(client.call('createConversation', { json: flood }).message?.length).toBeLessThan(700);
  });

  it('accepts both ends of every range', () => {
    const client = new CoreClient();
    client.converse();
    expect(client.send('x'.repeat(128), 'x'.repeat(8_000)).status).toBe(202);
    expect(client.send('😀'.repeat(128), '😀'.repeat(8_000), { location: { commune: 'Vaud' } }).status).toBe(202);
    expect(
      [client.history({ limit: '1' }), client.history({ limit: '100', offset: '0' })].map((a) => a.status),
    ).toEqual([200, 200]);
    const typed = client.call('createConversation', {
      body: bytes('{}'),
      contentType: 'application/json; charset=utf-8',
    });
    expect(typed.status).toBe(201);
  });
});
