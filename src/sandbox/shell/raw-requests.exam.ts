import { type OperationId, operations } from '../../api/index.ts';
import { basic } from '../core-client.exam.ts';
import { type HttpClient, type HttpSeen, sendRaw } from './http-client.exam.ts';

/** A request as it is written. */
export interface Written {
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

/** Sends a raw request, so that no client library corrects it. */
export async function ask(client: HttpClient, operation: OperationId, written: Written = {}): Promise<HttpSeen> {
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

function parse(text: string): HttpSeen {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
  return { status: Number(first.split(' ')[1]), headers, body: body === '' ? undefined : JSON.parse(body) };
}
