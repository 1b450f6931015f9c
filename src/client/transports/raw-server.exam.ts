import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A server under byte-level control of the test, so that it can send any wrong answer. */
export interface RawServer {
  readonly port: number;
  readonly url: string;
  /** Sockets accepted so far, in order. */
  readonly sockets: Socket[];
  /** Maximum of sockets that were open at the same time. */
  mostOpen(): number;
  /** All bytes of all connections, in the order of arrival. */
  received(): string;
  /** Refuses connections from now on; those that are open stay. */
  stopListening(): void;
  close(): Promise<void>;
}

export interface RawOptions {
  readonly tls?: TlsOptions;
}

export async function rawServer(
  onSocket: (socket: Socket, index: number) => void,
  options: RawOptions = {},
): Promise<RawServer> {
  const sockets: Socket[] = [];
  const chunks: string[] = [];
  let open = 0;
  let most = 0;
  const accept = (socket: Socket) => {
    most = Math.max(most, ++open);
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk.toString('latin1')));
    socket.once('close', () => open--);
    onSocket(socket, sockets.length - 1);
  };
  const server: Server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    sockets,
    mostOpen: () => most,
    received: () => chunks.join(''),
    stopListening: () => void server.close(),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** One request as received. */
export interface RawRequest {
  readonly line: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Number of earlier requests on this socket. */
  readonly nth: number;
}

/** Splits the bytes of a socket into requests (by content-length). */
export function eachRequest(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let pending = '';
  let nth = 0;
  socket.on('data', (chunk: Buffer) => {
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const [line = '', ...lines] = pending.slice(0, end).split('\r\n');
      const headers = new Map(
        lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()]),
      );
      const length = Number(headers.get('content-length') ?? 0);
      if (pending.length < end + 4 + length) return;
      const body = pending.slice(end + 4, end + 4 + length);
      pending = pending.slice(end + 4 + length);
      onRequest({ line, headers, body, nth: nth++ });
    }
  });
}

/** A server that handles every request in the same way: with fixed bytes or a function. */
export const answering = (
  answer: string | ((socket: Socket, request: RawRequest) => void),
  options?: RawOptions,
): Promise<RawServer> =>
  rawServer((socket) => {
    eachRequest(socket, (request) => {
      if (typeof answer === 'string') socket.write(answer, 'latin1');
      else answer(socket, request);
    });
  }, options);

/** A well-formed answer with a JSON body. */
export function jsonAnswer(value: unknown, status = '200 OK', extra = ''): string {
  const body = JSON.stringify(value);
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${extra}\r\n${body}`;
}
