import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { type OperationId, operationIds, operations } from '../../api/index.ts';
import type { SandboxSettings } from '../config.ts';
import { basic } from '../core-client.exam.ts';
import { openApiDocument } from '../openapi/index.ts';
import { conversation_id, type HttpClient, sendRaw, startWithUser } from './http-client.exam.ts';

interface Media {
  readonly schema: { readonly $ref: string };
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly $ref: string }>;
}
interface Described {
  readonly operationId: OperationId;
  readonly security: readonly object[];
  readonly parameters?: readonly { name: string; in: string; schema: object; example: unknown }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Media> };
  readonly responses: Record<string, { headers: Record<string, object>; content: Record<string, Media> }>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: {
    readonly examples: Record<string, { value: unknown }>;
    readonly schemas: Record<string, object>;
  };
}

const require = createRequire(import.meta.url);
const document = openApiDocument() as unknown as Document;
const described = new Map(
  Object.values(document.paths).flatMap((item) => Object.values(item).map((each) => [each.operationId, each] as const)),
);

/** Closes the described objects: the document allows members of later versions, but everything this service sends must be described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const { properties, additionalProperties } = value as { properties?: object; additionalProperties?: unknown };
  const isOpen = typeof additionalProperties === 'object' && Object.keys(properties ?? {}).length > 0;
  const entries = Object.entries(value).map(([key, part]) => [key, closed(part)]);
  return { ...Object.fromEntries(entries), ...(isOpen && { additionalProperties: false }) };
}

const ajv = new Ajv2020({ allErrors: true, strict: true });
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
ajv.addVocabulary(['components']);
ajv.addSchema({ $id: 'contract.json', components: { schemas: closed(document.components.schemas) } });

function problemsOf({ $ref }: { readonly $ref: string }, value: unknown): string {
  const validate = ajv.getSchema(`contract.json${$ref}`) as ValidateFunction | undefined;
  if (!validate) return `there is no ${$ref}`;
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the contract's schemas say what it is
  readonly body: any;
}

const answered = new Map<OperationId, Set<string>>(operationIds.map((id) => [id, new Set()]));

/** Validates an answer against the document, and records that this status was seen. */
function hold(operation: OperationId, status: number, { headers, body, ...answer }: Answer): Answer['body'] {
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

/** Sends a raw request, so that no client library corrects it. */
interface Written {
  readonly authorization?: string;
  readonly parameters?: Record<string, string>;
  readonly body?: string;
  /** Further header lines. */
  readonly more?: readonly string[];
}

const unknownId = '0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7aff';
const handshake = [
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${'A'.repeat(22)}==`,
];

async function ask(client: HttpClient, operation: OperationId, written: Written = {}): Promise<Answer> {
  const { parameters = {}, more = [], body } = written;
  const row = operations[operation];
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? unknownId);
  const { clientId = '', clientSecret = '' } = client.sandbox.applications[0] ?? {};
  const authorization =
    written.authorization ?? (row.auth === 'basic' ? basic(clientId, clientSecret) : `Bearer ${client.token}`);
  const lines = [
    `${row.method} ${path} HTTP/1.1`,
    'host: x',
    `authorization: ${authorization}`,
    ...(operation === 'openStream' ? handshake : ['connection: close']),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    ...more,
  ];
  return parse(await sendRaw(client.sandbox.port, `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`));
}

function parse(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
  return { status: Number(first.split(' ')[1]), headers, body: body === '' ? undefined : JSON.parse(body) };
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
  // The client's own login was the one issueToken before.
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
async function streamed({ sandbox, token }: HttpClient, turnId: string): Promise<Answer> {
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

  it('describes every operation with its authentication, parameters and bodies, and valid examples', () => {
    expect(document.openapi).toBe('3.1.0');
    expect([...described.keys()].sort()).toEqual([...operationIds].sort());
    for (const id of operationIds) {
      const { security, parameters = [], requestBody, responses } = described.get(id) as Described;
      expect(security).toEqual([operations[id].auth === 'basic' ? { applicationCredentials: [] } : { userToken: [] }]);
      const inPath = parameters.filter((each) => each.in === 'path').map((each) => `{${each.name}}`);
      expect(inPath).toEqual(operations[id].path.match(/\{\w+\}/g) ?? []);
      const bodies = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
      for (const media of bodies.flatMap((content) => content?.['application/json'] ?? [])) {
        const shown = media.examples
          ? Object.keys(media.examples).map((code) => document.components.examples[code]?.value)
          : [media.example];
        expect(shown.length).toBeGreaterThan(0);
        for (const example of shown) expect(problemsOf(media.schema, example)).toBe('');
      }
      expect(requestBody === undefined).toBe(!('request' in operations[id]));
    }
    expect(
      described
        .get('readHistory')
        ?.parameters?.slice(1)
        .map(({ name, schema }) => [name, schema]),
    ).toEqual([
      ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
      ['offset', { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }],
    ]);
  });

  it('passes the linter without an error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contract-'));
    try {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(document));
      const linter = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js');
      const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const run = promisify(execFile)(process.execPath, [linter, 'lint', '--format=json', file], {
        cwd: folder,
        env: { ...process.env, ...quiet },
      });
      const { totals } = JSON.parse((await run).stdout) as { totals: { errors: number; warnings: number } };
      expect([totals.errors, totals.warnings]).toEqual([0, 0]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('/openapi.json and /docs', () => {
  it('need no token, count for no limit, meet no fault and leave no trace', async () => {
    const { sandbox, request } = await startWithUser({
      limits: { rate: { max: 1 } },
      control: true,
      faults: ['*:status-500:#2-9'],
    });
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${sandbox.url}/openapi.json`);
      expect([answer.status, await answer.json()]).toEqual([200, document]);
      expect((await fetch(`${sandbox.url}/docs`)).status).toBe(200);
    }
    const { requests, limits } = (await request('GET', '/_sandbox/truth')).body;
    expect([requests, limits.rate]).toEqual([{ issueToken: { 201: 1 } }, { admitted: 0, refused: 0 }]);
  });

  it('load everything from the sandbox itself', async () => {
    const { sandbox } = await startWithUser();
    const page = await fetch(`${sandbox.url}/docs`);
    expect(page.headers.get('content-type')).toContain('text/html');
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      expect(part).toMatch(/^\/docs\/static\//);
      expect((await fetch(sandbox.url + part)).status).toBe(200);
    }
    // The policy keeps the browser from loading anything from elsewhere, whatever a script requests.
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    const initializer = await (await fetch(`${sandbox.url}/docs/static/swagger-initializer.js`)).text();
    expect(initializer).toContain('"validatorUrl":null');
    expect(initializer).toContain('"url":"/openapi.json"');
  });
});
