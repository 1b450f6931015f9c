import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { type OperationId, operationIds, operations } from '../../api/index.ts';
import type { SandboxSettings } from '../config.ts';
import { described, problemsOf } from './described.exam.ts';
import { conversation_id, type HttpClient, type HttpSeen, startWithUser } from './http-client.exam.ts';
import { ask, type Written } from './raw-requests.exam.ts';

const answered = new Map<OperationId, Set<string>>(operationIds.map((id) => [id, new Set()]));

/** Validates an answer against the document, and records that this status was seen. */
function hold(operation: OperationId, status: number, { headers, body, ...answer }: HttpSeen): HttpSeen['body'] {
  expect([operation, answer.status]).toEqual([operation, status]);
  const response = described.get(operation)?.responses[String(status)];
  if (!response) throw new Error(`${operation} ${status} is not in the document`);
  if (status !== 101) expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(0);
  const schema = response.content['application/json']?.schema ?? { $ref: 'nothing' };
  expect(problemsOf(schema, body)).toBe('');
  const named = Object.keys(response.headers).map((name) => name.toLowerCase());
  for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy', 'www-authenticate']) {
    if (headers.has(name)) expect(named).toContain(name);
    // Sizes are checked before limits.
    if (status === 413) expect(named).not.toContain(name);
  }
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^(Basic|Bearer) realm=/);
  if (status === 429) {
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(headers.get('ratelimit')).toMatch(/;r=0/);
  }
  if (status >= 400)
    expect(Object.keys(response.content['application/json']?.examples ?? {})).toContain(body.error.code);
  answered.get(operation)?.add(String(status));
  return body;
}

const instant = {
  queued: { distribution: 'constant', value: '1ms' },
  processing: { distribution: 'constant', value: '1ms' },
} as const;

/** Parts of a valid request of each operation. */
type Needs = Record<OperationId, Written>;

/** Calls every operation successfully once and validates the answers. */
async function journey(settings: SandboxSettings): Promise<{ client: HttpClient; needs: Needs }> {
  // A minute and a day begin with the service, so that none ends between two requests of a test.
  const startTime = '2026-11-21T00:00:00Z';
  const client = await startWithUser({ latency: instant, limits: { rate: { max: 1_000 } }, startTime, ...settings });
  const json = (value: object) => ({ body: JSON.stringify(value) });
  const inConversation = { parameters: { conversation_id } };
  const succeed = async (operation: OperationId, written: Written) =>
    hold(operation, operations[operation].success, await ask(client, operation, written));
  const issueToken = json({ external_user_id: 'u', locale: 'fr-CH', timezone: 'Europe/Zurich' });
  const createConversation = json({ conversation_id });
  await succeed('createConversation', createConversation);
  const sendMessage = {
    ...inConversation,
    ...json({ client_message_id: 'm', message: 'x', location: { city: 'Genève' } }),
  };
  const { turn_id } = await succeed('sendMessage', sendMessage);
  const ofTurn = { parameters: { turn_id } };
  hold('openStream', 101, await streamed(client, turn_id));
  const turn = await succeed('readTurn', ofTurn);
  expect(turn.status).toBe('completed');
  const { messages } = await succeed('readHistory', inConversation);
  expect(messages).toHaveLength(2);
  const rateAnswer = { parameters: { message_id: turn.message.assistant_message_id }, ...json({ rating: 'up' }) };
  await succeed('rateAnswer', rateAnswer);
  // The client's own login was the one issueToken.
  const called = (id: OperationId) => id === 'issueToken' || answered.get(id)?.has(String(operations[id].success));
  expect(
    operationIds.filter((id) => !called(id)),
    'journey() calls every operation',
  ).toEqual([]);
  return {
    client,
    needs: {
      issueToken,
      createConversation,
      sendMessage,
      readTurn: ofTurn,
      openStream: ofTurn,
      readHistory: inConversation,
      rateAnswer,
    },
  };
}

/** The handshake, with the last event of the stream as its body. Every event is validated. */
async function streamed({ sandbox, token }: HttpClient, turnId: string): Promise<HttpSeen> {
  const url = `${sandbox.url.replace('http', 'ws')}/api/partners/v1/turns/${turnId}/stream`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  const events: unknown[] = [];
  socket.on('message', (data) => events.push(JSON.parse(String(data))));
  const upgraded = once(socket, 'upgrade');
  await once(socket, 'close');
  const [response] = await upgraded;
  expect(events.length).toBeGreaterThan(3);
  for (const event of events) expect(problemsOf({ $ref: '#/components/schemas/TurnEvent' }, event)).toBe('');
  return { status: response.statusCode, headers: new Headers(response.headers), body: events.at(-1) };
}

const withPath = operationIds.filter((id) => operations[id].path.includes('{'));
const withBody = operationIds.filter((id) => 'request' in operations[id]);

describe('the contract', () => {
  it('holds for every operation that succeeds, and for 400, 401, 404, 413, 422, 500, 502 and 503 of each', async () => {
    const faults = operationIds.flatMap((id) => [`${id}:status-500:#2`, `${id}:status-502:#3`, `${id}:status-503:#4`]);
    const { client, needs } = await journey({ faults });
    for (const id of operationIds) {
      for (const status of [500, 502, 503]) hold(id, status, await ask(client, id, needs[id]));
      hold(id, 401, await ask(client, id, { ...needs[id], authorization: 'Bearer nobody' }));
      hold(id, 400, await ask(client, id, { ...needs[id], more: ['authorization: Bearer another'] }));
    }
    hold('issueToken', 201, await ask(client, 'issueToken', needs.issueToken));
    for (const id of withPath) {
      hold(id, 404, await ask(client, id, { ...needs[id], parameters: {} }));
      hold(
        id,
        422,
        await ask(client, id, { ...needs[id], parameters: { conversation_id: 'x', turn_id: 'x', message_id: 'x' } }),
      );
    }
    for (const id of withBody) {
      hold(id, 422, await ask(client, id, { ...needs[id], body: '{"unknown":1}' }));
      hold(id, 413, await ask(client, id, { ...needs[id], body: JSON.stringify('x'.repeat(70_000)) }));
    }
    const reused = { ...needs.sendMessage, body: JSON.stringify({ client_message_id: 'm', message: 'another' }) };
    expect(hold('sendMessage', 422, await ask(client, 'sendMessage', reused)).error.code).toBe('message_id_reused');
  });

  it('holds for 429 of every operation, by each limit', async () => {
    for (const id of operationIds) {
      // issueToken was called by the login; the others are called here.
      const { client, needs } = await journey({ limits: { rate: { max: 1, operations: [id] } } });
      expect(hold(id, 429, await ask(client, id, needs[id])).error.code).toBe('rate_limited');
    }
    const message = (id: string) => ({
      parameters: { conversation_id },
      body: JSON.stringify({ client_message_id: id, message: 'x' }),
    });
    const daily = await journey({ limits: { rate: { max: 100 }, daily: { max: 1 } } });
    expect(hold('sendMessage', 429, await ask(daily.client, 'sendMessage', message('n'))).error.code).toBe(
      'daily_quota_exceeded',
    );
    const slow = await startWithUser({ latency: { ...instant, queued: { distribution: 'constant', value: '1h' } } });
    await ask(slow, 'createConversation', { body: JSON.stringify({ conversation_id }) });
    for (const id of ['a', 'b']) await ask(slow, 'sendMessage', message(id));
    expect(hold('sendMessage', 429, await ask(slow, 'sendMessage', message('c'))).error.code).toBe(
      'concurrency_limited',
    );
  });

  it('describes no status that was not seen above, and every one that was', () => {
    for (const id of operationIds) {
      const statuses = Object.keys(described.get(id)?.responses ?? {}).filter((status) => status !== 'default');
      expect([id, ...[...(answered.get(id) ?? [])].sort()]).toEqual([id, ...statuses.sort()]);
    }
  });
});
