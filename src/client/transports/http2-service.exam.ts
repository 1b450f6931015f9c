import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { sandboxProfile } from '../../api/index.ts';
import { closedAfterEach } from '../../testing/closing.ts';
import type { TransportOptions } from '../transport.ts';
import { clock } from './exam/setting.exam.ts';
import { openHttp2Transport } from './http2.ts';
import { selfSigned } from './self-signed.exam.ts';

export const tls = selfSigned();

interface Service {
  readonly port: number;
  readonly url: string;
  readonly sessions: ServerHttp2Session[];
  close(): Promise<void>;
}

/** @param socket the raw socket of the last session, which the session does not expose */
export type Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, nth: number, socket: Socket) => void;

/** A service that speaks only HTTP/2. */
export async function http2Service(answer: Answer, isSecure = false): Promise<Service> {
  const server: Http2Server = isSecure ? createSecureServer({ ...tls, allowHTTP1: false }) : createServer();
  const sessions: ServerHttp2Session[] = [];
  const sockets: Socket[] = [];
  let nth = 0;
  server.on('connection', (socket: Socket) => sockets.push(socket));
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, headers, nth++, sockets.at(-1) as Socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
    sessions,
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export const json = { ':status': 200, 'content-type': 'application/json' };
export const answerWith = (body: unknown) => (stream: ServerHttp2Stream) => {
  stream.respond(json);
  stream.end(JSON.stringify(body));
};

/** Opens services and transports, which are closed after the test that opened them. Call it once per file. */
export function http2Setting() {
  const kept = closedAfterEach();
  const to = (baseUrl: string, over: Partial<TransportOptions> = {}) =>
    kept(openHttp2Transport({ baseUrl, profile: sandboxProfile(), connections: 1, clock, ...over }));
  const against = async (answer: Answer, over: Partial<TransportOptions> = {}) => {
    const service = await kept(http2Service(answer));
    return { service, transport: await to(service.url, over) };
  };
  return { kept, to, against };
}
