import { connect } from 'node:net';
import { fetch } from 'undici';
import { afterThisFile } from '../../testing/leftovers.ts';
import type { SandboxSettings } from '../config.ts';
import { basic, conversationId } from '../core-client.exam.ts';
import { type RunningSandbox, startCold } from './start.ts';

export const root = '/api/partners/v1';
export const conversation_id = conversationId;

/** The latency of every turn. */
export const lasting = (value: string) => ({ distribution: 'constant', value }) as const;

export interface HttpSeen {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the members themselves
  readonly body: any;
}

/** A user of a sandbox over real sockets. */
export interface HttpClient {
  readonly sandbox: RunningSandbox;
  readonly token: string;
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<HttpSeen>;
  login(user?: string): Promise<string>;
}

/** Starts a sandbox for a test file, closed after it, with a user who has a token. */
export async function startWithUser(settings: SandboxSettings = {}): Promise<HttpClient> {
  const sandbox = await startCold(settings);
  afterThisFile(() => sandbox.close());
  const { clientId = '', clientSecret = '' } = sandbox.applications[0] ?? {};
  const send = async (
    method: string,
    path: string,
    json: unknown,
    headers: Record<string, string>,
  ): Promise<HttpSeen> => {
    const body =
      json === undefined
        ? undefined
        : typeof json === 'string' || json instanceof Uint8Array
          ? json
          : JSON.stringify(json);
    const answer = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers as unknown as Headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  const login = async (user = 'u1') => {
    const authorization = basic(clientId, clientSecret);
    const answer = await send('POST', '/api/partners/v1/tokens', { external_user_id: user }, { authorization });
    return String(answer.body.access_token);
  };
  const token = await login();
  return {
    sandbox,
    token,
    login,
    request: (method, path, json, headers = {}) =>
      send(method, path, json, { authorization: `Bearer ${token}`, ...headers }),
  };
}

/** Writes raw bytes and returns everything that is received until the other side closes. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received)).on('error', reject);
  });
}
